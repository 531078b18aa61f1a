import SystemIO
import TestSupport
import Testing

@testable import Remuxing

@Suite struct PlanTests {
  static let fixtures = Media.ownIndex.compactMap { $0["file"] }.filter { name in
    // Not those that are fragmented, encrypted, AC-4, tagged, or have two entries, other edits or gaps.
    !name.hasPrefix("frag")
      && ![
        "joc-enca.mp4", "ac4.mp4", "joc-2-entries.mp4", "joc-edits-3.mp4", "joc-edit-rate2.mp4",
        "joc-stts-gap.mp4",
        "joc-stops.mp4", "ddp51-id3.ec3",
      ].contains(name)
  }

  @Test func `most fixtures can be cut`() {
    #expect(Self.fixtures.count > 40)
  }

  @Test(arguments: fixtures)
  func `the pieces of a plan add up and lie inside what they come from`(name: String) throws {
    let source = try Workbench.fixture(name)
    for planner in [OutputPlanner.iso(), .elementary] {
      for asked in [TimeRange.all, try range("2au", "9au")] {
        let plan = try planner.plan(source, asked).plan
        #expect(plan.byteCount == plan.bytes.count)
        #expect(plan.payloadByteCount == plan.byteCount - plan.made.count)
        var made = 0
        for piece in plan.pieces {
          switch piece {
          case .made(let range):
            #expect(range.lowerBound == made && !range.isEmpty)
            made = range.upperBound
          case .extent(let extent):
            #expect(extent.source == 0)
            #expect(extent.offset >= 0 && extent.byteCount > 0)
            #expect(extent.offset + extent.byteCount <= source.file.byteCount)
          }
        }
        #expect(made == plan.made.count)
      }
    }
  }

  @Test(arguments: fixtures)
  func `a plan made twice is the same, byte for byte`(name: String) throws {
    for planner in [OutputPlanner.iso(), .elementary] {
      let one = try planner.plan(try Workbench.fixture(name)).plan
      let other = try planner.plan(try Workbench.fixture(name)).plan
      #expect(one.made == other.made)
      #expect(one.pieces == other.pieces)
    }
  }

  @Test(arguments: fixtures)
  func `an output cut again with no bounds is itself`(name: String) throws {
    let bench = try Workbench()
    let first = try OutputPlanner.iso().plan(try Workbench.fixture(name))
    let second = try OutputPlanner.iso().plan(try bench.reopened(first.plan))
    #expect(second.plan.bytes == first.plan.bytes)
    #expect(
      !second.report.findings.contains { $0.code.rawValue.hasPrefix("dec3") || $0.code == .timesIrregular })
  }

  @Test(arguments: fixtures)
  func `a range is planned the same whatever was cut before`(name: String) throws {
    let used = try Workbench.fixture(name)
    for (start, end) in [("0au", "3au"), ("3au", "9au"), ("1au", "2au"), ("3au", "9au")] {
      let asked = TimeRange(
        start: TimeExpression(start), end: TimeExpression(end).map { .at($0) } ?? .trackEnd)
      let fresh = Result {
        try OutputPlanner.iso().plan([SegmentRequest(source: Workbench.fixture(name), range: asked)])
      }
      let again = Result { try OutputPlanner.iso().plan([SegmentRequest(source: used, range: asked)]) }
      #expect((try? again.get())?.plan.bytes == (try? fresh.get())?.plan.bytes)
      #expect((try? again.get())?.findings == (try? fresh.get())?.findings)
    }
  }

  @Test func `neighbouring bytes of our own are one piece, borrowed ones stay apart`() {
    var builder = PlanBuilder()
    builder.make([1, 2])
    builder.make([3])
    builder.borrow(Extent(source: 0, offset: 5, byteCount: 7))
    builder.borrow(Extent(source: 0, offset: 12, byteCount: 7))
    builder.make([4])
    let plan = builder.plan([])
    #expect(plan.made == [1, 2, 3, 4])
    #expect(
      plan.pieces == [
        .made(0..<3), .extent(Extent(source: 0, offset: 5, byteCount: 7)),
        .extent(Extent(source: 0, offset: 12, byteCount: 7)), .made(3..<4),
      ])
    #expect(plan.byteCount == 18)
    #expect(plan.payloadByteCount == 14)
  }

  @Test func `an output depends on the source's bytes, not on its place or name`() throws {
    let bench = try Workbench()
    let bytes = try Media.bytes("joc-gaps.mp4")
    let copies = try ["a", "another name"].map {
      try OutputPlanner.iso().plan(try bench.source(bytes, as: $0)).plan.bytes
    }
    #expect(copies[0] == copies[1])
    #expect(try copies[0] == OutputPlanner.iso().plan(try Workbench.fixture("joc-gaps.mp4")).plan.bytes)
  }

  @Test func `byte-swapped payload is marked to be swapped and said so`() throws {
    let planned = try OutputPlanner.elementary.plan(try Workbench.fixture("ac3-51-swapped.ac3"))
    #expect(planned.plan.bytes == Array(try Media.bytes("ac3-51.ac3").prefix(24 * 384)))
    #expect(planned.report.findings.contains { $0.code == .streamSwapped })
  }

  @Test func `a torn tail is left out and said so`() throws {
    let planned = try OutputPlanner.elementary.plan(try Workbench.fixture("ddp51-torn.ec3"))
    #expect(planned.plan.bytes == Array(try Media.bytes("ddp51.ec3").prefix(23 * 320)))
    #expect(planned.report.findings.contains { $0.code == .streamTorn && $0.message.contains("100 bytes") })
  }

  @Test func `an interleaved track takes one extent a chunk, and one chunk a second comes out`() throws {
    let source = try Workbench.fixture("av-joc.mp4")
    let plan = try OutputPlanner.iso().plan(source).plan
    #expect(plan.pieces.count > 10)
    #expect(try Workbench().reopened(plan).onlyTrack.containerFacts?.chunkCount == 3)
  }
}
