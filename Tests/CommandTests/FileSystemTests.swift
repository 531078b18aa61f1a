import Foundation
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

  @Test(.enabled(if: !LoopMount.all.isEmpty, "\(LoopMount.reason)"))
  func `XFS, ext4 and Btrfs could be mounted`() {
    #expect(LoopMount.all.map(\.kind) == ["xfs", "ext4", "btrfs"])
  }
}
