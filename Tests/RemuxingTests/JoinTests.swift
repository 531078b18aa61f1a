import ISOMedia
import SystemIO
import TestSupport
import Testing

@testable import Remuxing

/// DESIGN.md, 5.4: which segments can be joined, and what comes of it.
@Suite struct JoinTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  private static let surround = FrameSketch(byteCount: 320, audioCodingMode: 7, hasLFE: true)

  private func source(_ frames: [FrameSketch], _ name: String) throws -> Source {
    try bench.source(frames.flatMap(\.bytes), as: name)
  }

  private func join(_ sources: [Source], _ planner: OutputPlanner = .iso()) throws -> PlannedOutput {
    try planner.plan(sources.map { SegmentRequest(source: $0) })
  }

  private func expectMismatch(
    _ first: Source, _ second: Source, _ field: String, _ mine: String, _ theirs: String
  ) {
    let failure = failure { try join([first, second]) }
    #expect(failure?.code == .inputIncompatible)
    #expect(failure?.code.exitStatus.rawValue == 65)
    let message = failure?.message ?? ""
    #expect(message.contains("\(field) is \(mine) in \(first.file.path)"))
    #expect(message.contains("and \(theirs) in \(second.file.path)"))
    #expect(failure?.path == second.file.path)
  }

  @Test(arguments: [
    (
      surround, FrameSketch(byteCount: 320, sampleRateCode: 1, audioCodingMode: 7, hasLFE: true),
      "sample rate", "48000 Hz", "44100 Hz"
    ),
    (
      surround, FrameSketch(byteCount: 640, audioCodingMode: 7, hasLFE: true), "bit rate",
      "80 kbit/s (320 bytes an access unit)",
      "160 kbit/s (640 bytes an access unit)"
    ),
    (surround, FrameSketch(byteCount: 320, audioCodingMode: 6, hasLFE: true), "acmod of I0", "7", "6"),
    (surround, FrameSketch(byteCount: 320, audioCodingMode: 7), "lfeon of I0", "1", "0"),
    (
      surround, FrameSketch(byteCount: 320, audioCodingMode: 7, hasLFE: true, bitstreamID: 15), "bsid of I0",
      "16", "15"
    ),
    (
      surround, FrameSketch(byteCount: 320, audioCodingMode: 7, hasLFE: true, complexity: 3),
      "joint object coding complexity",
      "none", "3"
    ),
    (
      FrameSketch(byteCount: 320, audioCodingMode: 7, hasLFE: true, complexity: 16),
      FrameSketch(byteCount: 320, audioCodingMode: 7, hasLFE: true, complexity: 3),
      "joint object coding complexity", "16", "3"
    ),
  ])
  func `a difference names the field, both values and both files`(
    first: FrameSketch, second: FrameSketch, field: String, mine: String, theirs: String
  ) throws {
    let one = try source([first, first], "first")
    let other = try source([second, second], "second")
    expectMismatch(one, other, field, mine, theirs)
    expectMismatch(other, one, field, theirs, mine)
  }

  @Test(arguments: [
    ("ac3-51.ac3", "ddp51.ec3", "codec", "ac-3", "ec-3"), ("ac3.mp4", "ddp51.mp4", "codec", "ac-3", "ec-3"),
    ("ddp71.ec3", "ddp51.ec3", "substreams", "I0+D0", "I0"),
    ("ddp2ind.mp4", "ddp51.mp4", "substreams", "I0+I1", "I0"),
    ("ddp71.ec3", "ddp2ind.ec3", "substreams", "I0+D0", "I0+I1"),
    ("joc-base.mp4", "ddp51.mp4", "joint object coding complexity", "3", "none"),
    ("ddp20-24k.ec3", "ddp20-44k1.ec3", "sample rate", "24000 Hz", "44100 Hz"),
    ("ddp-3blk.mp4", "ddp51.mp4", "blocks per syncframe", "3", "6"),
  ])
  func `fixtures that differ are not joined`(
    first: String, second: String, field: String, mine: String, theirs: String
  ) throws {
    expectMismatch(try Workbench.fixture(first), try Workbench.fixture(second), field, mine, theirs)
  }

  @Test func `a difference in the channels of a dependent substream is one`() throws {
    let sources = try [0x1a00, 0x0010].map { map in
      try source([Self.surround, FrameSketch(byteCount: 64, channelMap: map)], "map \(map as Int)")
    }
    expectMismatch(sources[0], sources[1], "chanmap of D0", "0x1a00", "0x10")
  }

  @Test func `the third segment is compared as well`() throws {
    let base = try Workbench.fixture("joc-base.mp4")
    #expect(
      failure { try join([base, base, try Workbench.fixture("ddp51.mp4")]) }?.code == .inputIncompatible)
  }

  // MARK: Rates

  private func variable(_ name: String, kbps: Int) throws -> Source {
    let units = [64, 72, 64, 56].map { FrameSketch(byteCount: $0).bytes }
    return try bench.source(MovieSketch(units, dec3: FrameSketch(byteCount: kbps * 4).dec3).bytes, as: name)
  }

  @Test(arguments: [(18, 18, true), (18, 19, true), (18, 20, false), (20, 18, false)])
  func `variable sizes are compared by the declared rates, give or take one`(
    first: Int, second: Int, isJoinable: Bool
  )
    throws
  {
    let one = try variable("first", kbps: first)
    let other = try variable("second", kbps: second)
    if isJoinable {
      #expect(try join([one, other]).report.accessUnitCount == 8)
    } else {
      expectMismatch(one, other, "declared bit rate", "\(first) kbit/s", "\(second) kbit/s")
    }
  }

  @Test func `a constant size against a variable one is compared by the declared rates`() throws {
    let constant = try bench.source(MovieSketch(4, of: FrameSketch(byteCount: 64)).bytes, as: "constant")
    #expect(try join([constant, try variable("same", kbps: 16)]).report.accessUnitCount == 8)
    expectMismatch(constant, try variable("more", kbps: 18), "declared bit rate", "16 kbit/s", "18 kbit/s")
  }

  @Test func `the largest rate of variable segments is declared, wherever it is`() throws {
    let source = try source([256, 640, 384].map { FrameSketch(byteCount: $0) }, "source")
    for order in [[0, 1], [1, 0], [2, 1, 0], [0, 2]] {
      let requests = try order.map {
        SegmentRequest(source: source, range: try range("\($0)au", "\($0 + 1)au"))
      }
      let largest = try #require(order.map { [256, 640, 384][$0] }.max())
      let output = try bench.reopened(try OutputPlanner.iso().plan(requests).plan).onlyTrack
      #expect(try output.configuration == FrameSketch(byteCount: largest).dec3)
    }
  }

  // MARK: What comes out

  @Test func `dialnorm that differs is a warning that names both values and both files`() throws {
    var quiet = Self.surround
    quiet.dialogueNormalization = 20
    let sources = [try source([Self.surround], "loud"), try source([quiet], "quiet")]
    let findings = try join(sources).report.findings
    let finding = findings.first { $0.code == .dialogueNormalization }
    #expect(finding?.severity == .warning)
    for text in ["-27", "-20", "\(sources[0].file.path)", "\(sources[1].file.path)"] {
      #expect(finding?.message.contains(text) == true)
    }
  }

  @Test func `segments of several files follow each other in order, on one clock`() throws {
    let sources = try ["joc-base.mp4", "joc51.ec3", "joc-gaps.mp4"].map(Workbench.fixture)
    let planned = try OutputPlanner.iso().plan([
      SegmentRequest(source: sources[0], range: range("0.5", "1")),
      SegmentRequest(source: sources[1], range: range("60au")),
      SegmentRequest(source: sources[2], range: range("", "3au")),
      SegmentRequest(source: sources[0], range: range("2au", "3au")),
    ])
    let stream = try units(of: "joc51.ec3")
    let expected = Array(stream[15..<31] + stream[60..<64] + stream[0..<3] + stream[2..<3])
    let track = try bench.reopened(planned.plan).onlyTrack
    #expect(try track.unitBytes == expected)
    #expect(track.containerFacts?.media.duration == UInt64(expected.count * 1536))
    #expect(planned.report.segments.map(\.accessUnits) == [15..<31, 60..<64, 0..<3, 2..<3])
    #expect(planned.report.accessUnitCount == expected.count)
    #expect(planned.plan.sources.count == 3)
  }

  @Test func `sizes that differ from segment to segment are written one by one`() throws {
    let source = try source([64, 64, 72, 72].map { FrameSketch(byteCount: $0) }, "source")
    let planned = try OutputPlanner.iso().plan([
      SegmentRequest(source: source, range: range("0au", "2au")),
      SegmentRequest(source: source, range: range("3au", "4au")),
    ])
    #expect(try bench.reopened(planned.plan).onlyTrack.unitBytes.map(\.count) == [64, 64, 72])
  }

  @Test(arguments: [
    "joc-base.mp4", "ddp51.mp4", "ddp51.ec3", "ddp20-44k1.mp4", "ddp-vbr.ec3", "av-joc.mp4", "joc-gaps.mp4",
    "ac3-51-swapped.ac3",
  ])
  func `contiguous ranges of one source come to one cut, byte for byte`(name: String) throws {
    let source = try Workbench.fixture(name)
    let count = try source.onlyTrack.index.count
    var generator = SeededGenerator(seed: 11)
    for planner in [OutputPlanner.iso(), .elementary] {
      let whole = try planner.plan(source, range("1au", "\(count - 1)au")).plan
      for _ in 0..<5 {
        let inner = Set((0..<4).map { _ in Int.random(in: 2..<count - 1, using: &generator) }).sorted()
        let borders = [1] + inner + [count - 1]
        let requests = try zip(borders, borders.dropFirst()).map {
          SegmentRequest(source: source, range: try range("\($0)au", "\($1)au"))
        }
        let joined = try planner.plan(requests)
        #expect(joined.plan.bytes == whole.bytes, "\(borders) of seed 11")
        #expect(joined.plan.pieces == whole.pieces)
      }
    }
  }

  @Test func `contiguous times come to one cut as well`() throws {
    let source = try Workbench.fixture("ddp51.mp4")
    let requests = try [("0.5", "1.2345"), ("1.2345", "1.9"), ("1.9", "2.5")].map {
      SegmentRequest(source: source, range: try range($0, $1))
    }
    #expect(
      try OutputPlanner.iso().plan(requests).plan.bytes
        == OutputPlanner.iso().plan(source, range("0.5", "2.5")).plan.bytes)
  }

  @Test func `no segments at all are an error of usage`() {
    #expect(failure { try OutputPlanner.iso().plan([]) }?.code == .usage)
  }
}
