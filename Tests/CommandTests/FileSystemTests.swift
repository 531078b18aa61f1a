import Foundation
import Synchronization
import TestSupport
import Testing

/// The same bytes everywhere.
struct FileSystemTests {
  private static let commands: [[String]] = [
    ["trim", Media.path("joc51.ec3"), "--start", "0.3", "--end", "1.7"],
    ["trim", Media.path("av-joc.mp4")],
    ["trim", Media.path("ddp20-44k1.mp4"), "--start", "5au"],
    [
      "concat", Media.path("joc-base.mp4"), Media.path("joc51.ec3") + "@10au-40au",
      Media.path("joc-qt-v1.mov"),
    ],
  ]

  @Test(arguments: commands)
  func `the same command gives the same bytes on every file system`(_ command: [String]) throws {
    let folder = try TemporaryFolder()
    try kerfless(command + ["-o", folder.file("a.mp4")])
    try kerfless(command + ["-o", folder.file("b.mp4")])
    let bytes = try readFile(folder.file("a.mp4"))
    #expect(try readFile(folder.file("b.mp4")) == bytes)
    for place in LoopMount.all + [LoopMount.tmpfs].compactMap({ $0 }) {
      let there = try TemporaryFolder(in: place.path)
      try kerfless(command + ["-o", there.file("c.mp4")])
      #expect(try readFile(there.file("c.mp4")) == bytes, "\(place.kind)")
      try kerfless(command + ["-o", there.file("c.mp4"), "--force"])
      #expect(try readFile(there.file("c.mp4")) == bytes, "\(place.kind)")
      #expect(there.names == ["c.mp4"])
    }
  }

  @Test(.enabled(if: !LoopMount.all.isEmpty, "no loop device or no right to mount one"))
  func `XFS and ext4 could be mounted`() {
    #expect(LoopMount.all.map(\.kind) == ["xfs", "ext4"])
  }
}

/// A file system in a file, mounted for the tests of this process and unmounted at its end.
final class LoopMount: Sendable {
  let kind: String
  let path: String
  private static let folder = try? TemporaryFolder()

  /// XFS and ext4, where they can be made and mounted.
  static let all: [LoopMount] = ["xfs", "ext4"].compactMap(LoopMount.init)
  /// A memory file system that is there already.
  static let tmpfs: LoopMount? =
    FileManager.default.isWritableFile(atPath: "/dev/shm") ? LoopMount(tmpfs: "/dev/shm") : nil

  private init(tmpfs path: String) {
    kind = "tmpfs"
    self.path = path
  }

  private init?(_ kind: String) {
    guard getuid() == 0, let folder = Self.folder, let make = Tool("mkfs.\(kind)"), let mount = Tool("mount"),
      let truncate = Tool("truncate")
    else { return nil }
    let image = folder.file("\(kind).img")
    let point = folder.file(kind)
    self.kind = kind
    path = point
    guard (try? truncate.run(["-s", "400M", image]).status) == 0, (try? make.run(["-q", image]).status) == 0,
      (try? FileManager.default.createDirectory(atPath: point, withIntermediateDirectories: true)) != nil,
      (try? mount.run(["-o", "loop", image, point]).status) == 0
    else { return nil }
    // The test process has no other end than its exit; the image's folder goes with it.
    Self.unmountAtExit(point)
  }

  private static func unmountAtExit(_ point: String) {
    Unmounting.points.withLock { $0.append(point) }
    _ = Unmounting.atExit
  }
}
