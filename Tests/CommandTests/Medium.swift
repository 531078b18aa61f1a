import Foundation
import TestSupport

/// A file behind Tests/FileSystems/medium.py.
struct Medium {
  private let folder: TemporaryFolder
  private let point: String
  private let process: Tool.Running

  /// Whether such a file system can be mounted here.
  static let works: Bool = {
    guard let mount = Medium(of: Media.path("joc-base.mp4")) else { return false }
    mount.unmount()
    return true
  }()

  var source: String { point + "/source" }

  /// The largest number of reads that went on at the same time, where they take their time.
  var mostReads: Int? { (try? readFile(log)).flatMap { Int(String(decoding: $0, as: UTF8.self)) } }
  private var log: String { folder.file("log") }

  /// Nil where it cannot be mounted.
  init?(of file: String, firstBad: Int = .max, milliseconds: Int = 0) {
    // The module for FUSE is the system's, whatever python3 comes first on the path.
    guard let python = Tool(path: "/usr/bin/python3"), let folder = try? TemporaryFolder() else { return nil }
    self.folder = folder
    point = folder.file("point")
    let script = Media.own.deletingLastPathComponent().appendingPathComponent("FileSystems/medium.py").path
    guard
      (try? FileManager.default.createDirectory(atPath: point, withIntermediateDirectories: true)) != nil,
      let process = try? python.start([
        script, file, point, "\(firstBad)", "\(milliseconds)", folder.file("log"),
      ])
    else { return nil }
    self.process = process
    for _ in 0..<500 {
      if FileManager.default.fileExists(atPath: source) { return }
      guard process.isRunning else { return nil }
      usleep(10_000)
    }
    unmount()
    return nil
  }

  func unmount() {
    umount2(point, Int32(MNT_DETACH))
    _ = process.wait()
  }
}
