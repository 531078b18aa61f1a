import Foundation
import TestSupport
import Testing

/// Sources on a medium that fails: exit 74, no output, whether a read call or a page fault meets the error.
@Suite(.enabled(if: Medium.works, "no FUSE, or no right to mount"), .serialized)
struct FailingMediumTests {
  private static let source = Media.path("av-joc.mp4")
  private static let size = 25264

  @Test(arguments: [["inspect"], ["inspect", "--scan"], ["trim"], ["trim", "--force"], ["extract"]])
  func `an error in the head, in the payload and in the tables`(_ command: [String]) throws {
    let folder = try TemporaryFolder()
    // Reads come in whole pages: the head's, the payload's, and the last, which holds moov.
    for firstBad in [0, 8192, 16384, Self.size - 1] {
      let mount = try #require(Medium(of: Self.source, firstBad: firstBad))
      defer { mount.unmount() }
      var arguments = [command[0], mount.source] + command.dropFirst()
      if command[0] != "inspect" {
        arguments += ["-o", folder.file(command[0] == "trim" ? "out.mp4" : "out.ec3")]
      }
      let result = try Tool.kerfless.run(arguments)
      #expect(result.status == 74, "\(command) from \(firstBad): \(result.status) \(result.errors)")
      #expect(result.errors.contains("Input/output error"))
      #expect(result.errors.contains(mount.source))
      #expect(folder.names == [])
    }
  }

  @Test func `what does not touch the bad part is right`() throws {
    let mount = try #require(Medium(of: Self.source))
    defer { mount.unmount() }
    let folder = try TemporaryFolder()
    for (source, name) in [(mount.source, "a.mp4"), (Self.source, "b.mp4")] {
      try kerfless(["trim", source, "-o", folder.file(name), "--start", "0.5"])
    }
    #expect(try readFile(folder.file("a.mp4")) == readFile(folder.file("b.mp4")))
  }
}
