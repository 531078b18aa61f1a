import TestSupport
import Testing

@testable import Remuxing

/// DESIGN.md, 5.2 and 5.4: what exact cuts and joins refuse.
@Suite struct ExactJoinTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  private let planner = OutputPlanner.iso { $0.mode = .exact }

  private func join(_ source: Source, _ ranges: [TimeRange]) throws -> PlannedOutput {
    try planner.plan(ranges.map { SegmentRequest(source: source, range: $0) })
  }

  @Test func `a first segment to which only pre-roll would fall is refused`() throws {
    let source = try bench.source(MovieSketch(8).bytes)
    let rest = try range("5000smp", "9000smp")
    // 10 samples into access unit 1: with the pre-roll 1,546 lie in front of what is asked.
    let short = failure { try join(source, [try range("1546smp", "1646smp"), rest]) }
    #expect(short?.code == .rangeInvalid)
    #expect(short?.message.contains("segment 0") == true)
    // From 758 samples on the nearest joint lies behind access unit 1.
    #expect(failure { try join(source, [try range("1546smp", "2303smp"), rest]) } != nil)
    let planned = try join(source, [try range("1546smp", "2304smp"), rest])
    #expect(planned.report.segments[0].accessUnits == 0..<2)
    #expect(planned.report.presentedSamples == 758 + 4000)
    #expect(planned.report.hidden.start == 1546)
  }

  @Test func `access units behind the end of an edit list hold nothing to present`() throws {
    var sketch = MovieSketch(8)
    sketch.edits = [MovieSketch.Edit(duration: 3000, mediaTime: 0)]
    let source = try bench.source(sketch.bytes)
    for (start, end) in [("2au", "4au"), ("5au", "6au"), ("2au", "")] {
      #expect(failure { try planner.plan(source, try range(start, end)) }?.code == .rangeInvalid)
    }
    #expect(try planner.plan(source, range("1au", "4au")).report.presentedSamples == 3000 - 1536)
  }

  @Test func `a length of less than half a sample at the end of the track is no range`() throws {
    let source = try bench.source(MovieSketch(2).bytes)
    // 3,072 samples are 64 ms: the start rounds to the end.
    #expect(failure { try planner.plan(source, try range("0.06399999", "")) }?.code == .rangeInvalid)
    #expect(failure { try planner.plan(source, try range("0.06399999", "2au")) }?.code == .rangeInvalid)
  }
}
