import Foundation
import Remuxing
import SystemIO
import TestSupport
import Testing

@testable import Batch

/// Packed manifests and their parts.
struct ManifestPackerTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func path(_ name: String) throws -> FilePath { try #require(FilePath(folder.file(name))) }

  private func input(_ name: String) throws -> InputFile { try InputFile(opening: path(name)) }

  private func line(_ number: Int) -> String {
    #"{"id":"\#(number)","source":"\#(number * 7 % 5).mp4","output":"out/\#(number).mp4"}"#
  }

  private func pack(_ lines: [String], jobsPerFrame: Int, bySource: Bool = false) throws
    -> ManifestPacker.Report
  {
    _ = try folder.write(Array(lines.joined(separator: "\n").utf8), as: "m.jsonl")
    var packer = ManifestPacker(rules: try PathRules(root: .workingFolder))
    packer.jobsPerFrame = jobsPerFrame
    packer.groupsBySource = bySource
    var options = OutputOptions()
    options.replacesExisting = true
    return try packer.pack(try input("m.jsonl"), to: path("m.lz4"), options: options) { _ in }
  }

  private func text(_ name: String, _ choice: ManifestPrinter.Choice) throws -> [String] {
    var bytes: [UInt8] = []
    try ManifestPrinter.forEachPart(of: try input(name), choice) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func `what is packed is what the lz4 tool unpacks`() throws {
    let lines = (0..<1000).map(line)
    let report = try pack(lines, jobsPerFrame: 64)
    #expect(report.jobCount == 1000)
    #expect(report.frameCount == 16)
    let packed = folder.file("m.lz4")
    #expect(try readFile(packed).count == report.byteCount)
    let unpacked = try #require(Tool("lz4")).run(["-dc", packed])
    #expect(unpacked.status == 0, "\(unpacked.errors)")
    #expect(unpacked.text == lines.joined(separator: "\n") + "\n")
    let jq = try #require(Tool("jq")).run(["-s", "length"], input: unpacked.bytes)
    #expect(jq.text == "1000\n")
    #expect(try text("m.lz4", .shard(.whole)) == lines)
  }

  @Test(arguments: [(1, 1), (7, 3), (1000, 64), (1000, 4096), (1001, 10)])
  func `shards cover a manifest once, packed or not`(_ jobs: Int, _ jobsPerFrame: Int) throws {
    let lines = (0..<jobs).map(line)
    _ = try pack(lines, jobsPerFrame: jobsPerFrame)
    for name in ["m.jsonl", "m.lz4"] {
      for count in [1, 2, 3, 7, 16, 2000] {
        var all: [String] = []
        var sizes: Set<Int> = []
        for index in 0..<count {
          let part = try text(name, .shard(try #require(Shard(index, of: count))))
          all += part
          sizes.insert(part.count)
        }
        #expect(all.sorted() == lines.sorted(), "\(name) in \(count)")
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
      }
    }
  }

  @Test func `a shard of a packed manifest reads only its frames`() throws {
    _ = try pack((0..<1000).map(line), jobsPerFrame: 50)
    let packed = try input("m.lz4")
    let index = try #require(try PackIndex(packed))
    let part = ManifestPart(try #require(Shard(3, of: 8)), of: packed, index: index)
    // Jobs 375 ..< 500 are in frames 7, 8 and 9.
    #expect(part.firstJob == 350)
    #expect(part.bytes == index.frames[7].bytes.lowerBound..<index.frames[9].bytes.upperBound)
    // The rest of the file may be anything.
    var bytes = try readFile(folder.file("m.lz4"))
    let needed = try #require(part.bytes)
    for place in 0..<index.frames[19].bytes.upperBound where !needed.contains(place) { bytes[place] = 0xaa }
    _ = try folder.write(bytes, as: "holes.lz4")
    #expect(try text("holes.lz4", .shard(try #require(Shard(3, of: 8)))) == (375..<500).map(line))
    var reader = try ManifestReader(ManifestLines(packed, part), PathRules(root: .workingFolder))
    let entry = try reader.next()
    guard case .job(let job) = entry else {
      Issue.record("there is no job")
      return
    }
    #expect(job.line == 376)
  }

  @Test func `lines are printed by their numbers`() throws {
    let lines = (0..<100).map(line)
    _ = try pack(lines, jobsPerFrame: 10)
    for name in ["m.jsonl", "m.lz4"] {
      #expect(try text(name, .lines(0..<1)) == [lines[0]])
      #expect(try text(name, .lines(35..<52)) == Array(lines[35..<52]))
      #expect(try text(name, .lines(99..<500)) == [lines[99]])
      #expect(throws: Failure.self) { try text(name, .lines(100..<101)) }
    }
    // Lines without a job have numbers too, as in errors.
    _ = try folder.write(Array("\n\(lines[0])\n\n\(lines[1])\n".utf8), as: "gaps.jsonl")
    #expect(try text("gaps.jsonl", .lines(1..<3)) == [lines[0]])
    #expect(try text("gaps.jsonl", .lines(3..<4)) == [lines[1]])
  }

  @Test func `jobs of one source are put together in their order`() throws {
    let lines = (0..<500).map(line)
    _ = try pack(lines, jobsPerFrame: 100, bySource: true)
    let sorted = try text("m.lz4", .shard(.whole))
    #expect(sorted.sorted() == lines.sorted())
    let sources = sorted.map { $0.firstMatch(of: /"source":"(\d)/).map { String($0.1) } ?? "" }
    // In the order in which they come first, wherever the manifest lies.
    let changes = zip(sources, sources.dropFirst()).filter { $0 != $1 }.map { $1 }
    #expect([sources.first ?? ""] + changes == ["0", "2", "4", "1", "3"])
    let numbers = sorted.compactMap { $0.firstMatch(of: /"id":"(\d+)"/).flatMap { Int($0.1) } }
    #expect(zip(numbers, numbers.dropFirst()).filter { $0 > $1 }.count == 4)
    #expect(
      try ManifestDigest.value(of: input("m.jsonl"), index: nil)
        == ManifestDigest.value(of: input("m.lz4"), index: PackIndex(input("m.lz4"))))
  }

  @Test func `lines without a job do not change a manifest`() throws {
    _ = try pack([line(1), line(2)], jobsPerFrame: 10)
    let digest = try ManifestDigest.value(of: input("m.lz4"), index: PackIndex(input("m.lz4")))
    for text in [
      " \n\(line(1))\n\t\r\n\(line(2))\n  ", "\u{feff}\n\(line(2))\n\n\(line(1))",
      "\u{feff}\(line(1))\n\(line(2))",
    ] {
      _ = try folder.write(Array(text.utf8), as: "gaps.jsonl")
      #expect(try ManifestDigest.value(of: input("gaps.jsonl"), index: nil) == digest)
    }
  }

  @Test func `ids and outputs that are not unique are found, and nothing is written`() throws {
    _ = try folder.write(
      Array(
        """
        {"id":"a","source":"s","output":"a.mp4"}
        {"id":"b","source":"s","output":"./x//a.mp4"}
        {"id":"a","source":"s","output":"c.mp4"}
        {"id":"d","source":"s","output":"x/./a.mp4"}
        {"id":"e"}
        {"id":"f","source":"s","output":"f.mp4"}
        """.utf8), as: "m.jsonl")
    var faults: [String] = []
    let report = try ManifestPacker(rules: try PathRules(root: .workingFolder)).pack(
      try input("m.jsonl"), to: path("m.lz4"), options: OutputOptions()
    ) { fault in
      guard case .failed(let failure) = fault.ending else { return }
      faults.append("\(fault.line) \(failure.code.rawValue)")
    }
    #expect(faults == ["3 job.duplicate", "4 job.duplicate", "5 job.invalid"])
    #expect(report.faultCount == 3)
    #expect(folder.names == ["m.jsonl"])
  }

  @Test func `a damaged index is an error, a missing one is none`() throws {
    _ = try pack((0..<100).map(line), jobsPerFrame: 10)
    let bytes = try readFile(folder.file("m.lz4"))
    let index = try #require(try PackIndex(input("m.lz4")))
    let text = index.frames[9].bytes.upperBound
    for place in text..<bytes.count {
      var damaged = bytes
      damaged[place] ^= UInt8(1) << UInt8(place % 8)
      _ = try folder.write(damaged, as: "damaged.lz4")
      if place >= bytes.count - 8 {
        #expect(try PackIndex(input("damaged.lz4")) == nil, "without its mark it is none")
      } else {
        #expect(throws: Failure.self, "\(place)") { try PackIndex(input("damaged.lz4")) }
      }
    }
    _ = try folder.write(bytes.dropLast(8) + Array("KERFPACK".utf8), as: "former.lz4")
    let error = #expect(throws: Failure.self) { try PackIndex(input("former.lz4")) }
    #expect(error?.description.contains("pack the manifest again") ?? false)
    _ = try folder.write(Array(bytes.dropLast(1)), as: "cut.lz4")
    #expect(try PackIndex(input("cut.lz4")) == nil)
    _ = try folder.write(Array(bytes[..<text]), as: "frames.lz4")
    #expect(try PackIndex(input("frames.lz4")) == nil)
    #expect(try self.text("frames.lz4", .shard(try #require(Shard(1, of: 2)))).count == 50)
    // Something in front of it moves all frames.
    _ = try folder.write(bytes + bytes, as: "twice.lz4")
    #expect(throws: Failure.self) { try PackIndex(input("twice.lz4")) }
  }

  /// An index that is whole, and wrong.
  @Test func `frames that are not as the index says are errors of the whole`() throws {
    _ = try pack((0..<100).map(line), jobsPerFrame: 10)
    let right = try #require(try PackIndex(input("m.lz4")))
    let frames = try readFile(folder.file("m.lz4")).prefix(right.frames[9].bytes.upperBound)
    /// Writes the frames with an index in which one of them has another number of jobs and bytes.
    func write(jobs: Int, bytes: Int) throws {
      var index = PackIndex()
      for (number, frame) in right.frames.enumerated() {
        let start = (index.frames.last?.bytes.upperBound ?? 0, index.jobCount)
        let end = number == 3 ? frame.bytes.upperBound + bytes : frame.bytes.upperBound
        let count = number == 3 ? 10 + jobs : 10
        index.frames.append(.init(bytes: start.0..<end, jobs: start.1..<start.1 + count))
      }
      _ = try folder.write(frames + index.bytes, as: "m.lz4")
    }
    let half = try #require(Shard(0, of: 2))
    for (jobs, bytes) in [(-5, 0), (5, 0), (0, -1), (0, 1)] {
      try write(jobs: jobs, bytes: bytes)
      for choice in [.shard(.whole), .shard(half), .lines(30..<31)] as [ManifestPrinter.Choice] {
        let error = #expect(throws: Failure.self) { try text("m.lz4", choice) }
        #expect(error?.code == .manifestMalformed && error?.offset != nil)
      }
      #expect(try text("m.lz4", .lines(0..<30)) == (0..<30).map(line))
    }
    try write(jobs: 0, bytes: -1)
    #expect(throws: Failure.self) { try text("m.lz4", .lines(40..<41)) }
    try write(jobs: 0, bytes: 0)
    #expect(try text("m.lz4", .shard(half)) == (0..<50).map(line))
  }
}
