import Foundation
import TestSupport
import Testing

/// Calls that move fewer bytes than they were asked to, or are interrupted, change no byte of any output.
@Suite(.enabled(if: Shim.path != nil, Shim.reason))
struct ShortCountTests {
  private static let commands: [[String]] = [
    ["trim", Media.path("joc-base.mp4")],
    ["trim", Media.path("av-joc.mp4"), "--cut", "exact", "--start", "0.3"],
    ["trim", Media.path("ac3-51-swapped.ac3")], ["mux", Media.path("ddp51-id3.ec3")],
    [
      "concat", Media.path("joc-base.mp4"), Media.path("joc51.ec3") + "@10au-40au",
      Media.path("joc-base.mp4"),
    ],
    ["trim", Media.path("frag.mp4"), "--start", "1"],
  ]

  @Test(arguments: commands, ["1", "3", "4095", "0"])
  func `whatever comes short, the output is the same`(_ command: [String], cap: String) throws {
    let folder = try TemporaryFolder()
    let expected = folder.file("expected.mp4")
    try kerfless(command + ["-o", expected])
    for method in ["gather", "copy"] {
      let output = folder.file("\(method).mp4")
      let result = try Shim.run(
        command + ["--io", method, "-o", output], ["SHIM_CAP": cap, "SHIM_INTERRUPTS": "1"])
      #expect(result.status == 0, "\(method): \(result.errors)")
      #expect(try readFile(output) == readFile(expected), "\(method)")
    }
    let stream = try Shim.run(
      command + ["--format", "mp4", "-o", "-"], ["SHIM_CAP": cap, "SHIM_INTERRUPTS": "1"])
    #expect(try stream.bytes == readFile(expected))
  }

  @Test(arguments: ["clone", "copy", "gather"], 1...6)
  func `so it is on a file system that shares blocks`(method: String, seed: Int) throws {
    for place in LoopMount.sharing {
      let folder = try TemporaryFolder(in: place.path)
      let source = try LongSource(units: 9000, in: folder).path
      let command = [
        "concat", "\(source)@\(seed)au-4000au", "\(source)@5000au-5003au", "\(source)@6000au-8999au",
      ]
      try kerfless(command + ["--io", "gather", "-o", folder.file("expected.mp4")])
      let result = try Shim.run(
        command + ["--io", method, "-o", folder.file("out.mp4")],
        ["SHIM_CAP": "0", "SHIM_SEED": "\(seed)", "SHIM_INTERRUPTS": "1"])
      #expect(result.status == 0, "\(place.kind): \(result.errors)")
      #expect(try readFile(folder.file("out.mp4")) == readFile(folder.file("expected.mp4")), "\(place.kind)")
    }
  }
}
