import Foundation
import Remuxing
import SystemIO
import TestSupport
import Testing

@testable import Batch

/// Lines and frames of a manifest.
struct ManifestReaderTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func line(_ number: Int) -> String {
    #"{"id":"job \#(number)","source":"s.mp4","output":"\#(number).mp4"}"#
  }

  private func entries(_ path: String) throws -> [ManifestEntry] {
    let file = try InputFile(opening: try #require(FilePath(path)))
    var reader = try ManifestReader(
      ManifestLines(file, ManifestPart(.whole, of: file, index: nil)), try PathRules(root: .workingFolder))
    var entries: [ManifestEntry] = []
    while let entry = try reader.next() { entries.append(entry) }
    return entries
  }

  private func ids(_ entries: [ManifestEntry]) -> [String] {
    entries.map { entry in
      switch entry {
      case .job(let job): "\(job.line) \(job.id)"
      case .invalid(let line, let error): "\(line) \(error.message)"
      }
    }
  }

  private func lz4(_ name: String, _ options: [String] = []) throws -> String {
    try #require(Tool("lz4")).run(["-q", "-f"] + options + [folder.file(name), folder.file(name + ".lz4")])
    return folder.file(name + ".lz4")
  }

  @Test func `lines are counted, empty ones and the last line's end do not matter`() throws {
    let text = "\n" + line(1) + "\r\n \t\n" + line(2) + "\nnonsense\n" + line(3)
    let path = try folder.write(Array(text.utf8), as: "m.jsonl")
    let found = ids(try entries(path))
    #expect(found.count == 4)
    #expect(found[0] == "2 job 1")
    #expect(found[1] == "4 job 2")
    #expect(found[2].hasPrefix("5 it is no JSON"))
    #expect(found[3] == "6 job 3")
    #expect(try entries(folder.write([], as: "empty")).isEmpty)
    #expect(try entries(folder.write(Array("\n\n".utf8), as: "blank")).isEmpty)
  }

  @Test func `the share that is over is of the jobs, not of the bytes that are read`() throws {
    let path = try folder.write(Array((1...4).map { line($0) + "\n" }.joined().utf8), as: "m.jsonl")
    func reading(upTo count: Int) throws -> ManifestReading {
      let file = try InputFile(opening: try #require(FilePath(path)))
      let part = ManifestPart(.whole, of: file, index: nil)
      let reading = ManifestReading(file, part: part, rules: try PathRules(root: .workingFolder))
      var rest = count
      if count > 0 {
        reading.forEachEntry { _ in
          rest -= 1
          return rest > 0
        }
      }
      return reading
    }
    #expect(try reading(upTo: 0).share(finished: 0) == nil)
    #expect(try reading(upTo: 2).share(finished: 0) == 0)
    #expect(try reading(upTo: 2).share(finished: 1) == 0.25)
    #expect(try reading(upTo: 2).share(finished: 2) == 0.5)
    #expect(try reading(upTo: 4).share(finished: 3) == 0.75)
    #expect(try reading(upTo: 4).share(finished: 4) == 1)
  }

  @Test func `a byte order mark in front of all is passed over`() throws {
    let path = try folder.write(Array("\u{feff}\(line(1))\n\u{feff}\(line(2))\n".utf8), as: "m")
    for name in [path, try lz4("m")] {
      let found = ids(try entries(name))
      #expect(found.first == "1 job 1")
      #expect(found.last?.hasPrefix("2 it is no JSON") ?? false)
    }
  }

  @Test(arguments: [[], ["-B4", "-BD"], ["-B7", "--content-size"], ["--no-frame-crc"]])
  func `frames that the lz4 tool writes are read`(_ options: [String]) throws {
    let text = (1...20000).map { line($0) + "\n" }.joined()
    _ = try folder.write(Array(text.utf8), as: "m.jsonl")
    let found = ids(try entries(try lz4("m.jsonl", options)))
    #expect(found == (1...20000).map { "\($0) job \($0)" })
  }

  @Test func `frames follow each other with skippable ones between`() throws {
    _ = try folder.write(Array((line(1) + "\n" + line(2)).utf8), as: "a")
    _ = try folder.write(Array(("\n" + line(3) + "\n").utf8), as: "b")
    let skippable: [UInt8] = [0x5e, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]
    let bytes = try skippable + readFile(lz4("a")) + skippable + readFile(lz4("b")) + skippable
    #expect(ids(try entries(folder.write(bytes, as: "m"))) == ["1 job 1", "2 job 2", "3 job 3"])
  }

  @Test func `damaged and torn frames are errors`() throws {
    let text = (1...2000).map { line($0) + "\n" }.joined()
    _ = try folder.write(Array(text.utf8), as: "m")
    let whole = try readFile(lz4("m"))
    for (name, bytes) in [
      ("torn", Array(whole.dropLast(9))), ("garbage", whole + [1, 2, 3, 4, 5, 6, 7]),
      ("head", Array(whole.prefix(5))), ("legacy", [0x02, 0x21, 0x4c, 0x18, 0, 0, 0, 0]),
      ("flipped", whole.enumerated().map { $0 == whole.count / 2 ? ~$1 : $1 }),
    ] {
      let path = try folder.write(bytes, as: name)
      #expect(throws: Failure.self, "\(name)") { try entries(path) }
    }
  }

  @Test func `a line that is too long is passed over`() throws {
    let long = String(repeating: "x", count: 5 << 20)
    let path = try folder.write(Array((line(1) + "\n" + long + "\n" + line(3) + "\n" + long).utf8), as: "m")
    let found = ids(try entries(path))
    #expect(found.count == 4)
    #expect(found[0] == "1 job 1")
    #expect(found[1].hasPrefix("2 the line is longer"))
    #expect(found[2] == "3 job 3")
    #expect(found[3].hasPrefix("4 the line is longer"))
  }

  @Test func `a line may be nearly a mebibyte long`() throws {
    let name = String(repeating: "n", count: 1 << 20)
    let path = try folder.write(
      Array((#"{"id":"long","source":"\#(name.dropLast(200))","output":"o.mp4"}"#).utf8), as: "m")
    #expect(ids(try entries(path)) == ["1 long"])
  }
}
