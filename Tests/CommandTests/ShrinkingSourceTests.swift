import Foundation
import TestSupport
import Testing

/// Sources that change under a running command: exit 75, no output, no signal death.
@Suite(.serialized)
struct ShrinkingSourceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A long elementary stream, or a byte-swapped one.
  private func stream(_ fixture: String, repeated count: Int) throws -> String {
    let path = folder.file("stream.ec3")
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: path))
    let bytes = try Media.bytes(fixture)
    for _ in 0..<count { try file.write(contentsOf: bytes) }
    try file.close()
    return path
  }

  @Test(
    arguments: ["joc51.ec3", "ac3-51-swapped.ac3"], [["inspect"], ["verify"], ["trim"], ["trim", "--force"]])
  func `a stream that is truncated while it is read`(_ fixture: String, _ command: [String]) throws {
    let source = try stream(fixture, repeated: 6000)
    let output = folder.file("out.mp4")
    let arguments =
      ["inspect", "verify"].contains(command[0])
      ? [command[0], source] : [command[0], source, "-o", output] + command.dropFirst()
    // Early it is walked, later written; whenever it happens, it is told or the command was done before.
    for delay in [2000, 20_000, 60_000, 120_000] as [UInt32] {
      let run = try Tool.kerfless.start(arguments)
      usleep(delay)
      #expect(truncate(source, 40_000) == 0)
      let status = run.wait()
      #expect([0, 75].contains(status), "\(fixture) \(command) after \(delay) µs: \(status)")
      #expect(folder.names.filter { $0.hasPrefix(".kerfless") } == [])
      if status != 0 { #expect(!folder.names.contains("out.mp4")) }
      try? FileManager.default.removeItem(atPath: output)
      _ = try stream(fixture, repeated: 6000)
    }
  }
}
