import SystemIO
import Testing

@testable import Batch
@testable import Remuxing

/// Which jobs are planned before those in front of them are written.
struct PlansAheadTests {
  private func job(_ sources: [String]) throws -> Job {
    let segments = sources.map { #"{"source":"\#($0)"}"# }.joined(separator: ",")
    let line = Array(#"{"id":"1","segments":[\#(segments)],"output":"1.mp4"}"#.utf8)
    return try JobParser(try PathRules(root: .workingFolder)).job(line.span, number: 1)
  }

  private func element(pieces: Int, made: Int = 0) -> PlansAhead.Element {
    let extents = (0..<pieces).map { Piece.extent(Extent(source: 0, offset: 2 * $0, byteCount: 1)) }
    let plan = Plan(made: [UInt8](repeating: 0, count: made), pieces: extents, sources: [])
    return PlansAhead.Element(
      output: .success(PlannedOutput(plan: plan, [], nil, joining: [])), nanoseconds: 0)
  }

  @Test func `a large plan is the last one, be it of bytes or of pieces`() throws {
    let job = try job(["a"])
    for (large, hasRoom) in [
      (element(pieces: 2), true), (element(pieces: 20_000), false),
      (element(pieces: 2, made: 1 << 20), false),
    ] {
      var ahead = PlansAhead()
      ahead.begin(generation: 0)
      #expect(ahead.hasRoom(for: job))
      ahead.append(large, for: job)
      #expect(ahead.hasRoom(for: job) == hasRoom)
    }
  }

  @Test func `all plans are of the first one's sources`() throws {
    var ahead = PlansAhead()
    ahead.begin(generation: 0)
    ahead.append(element(pieces: 1), for: try job(["a", "b"]))
    #expect(ahead.hasRoom(for: try job(["b", "a", "a"])))
    #expect(!ahead.hasRoom(for: try job(["a", "c"])))
  }

  @Test func `plans of sources that were let go of are not used`() throws {
    var ahead = PlansAhead()
    ahead.begin(generation: 3)
    ahead.append(element(pieces: 1), for: try job(["a"]))
    ahead.requireCurrent(generation: 3)
    #expect(!ahead.isEmpty)
    ahead.requireCurrent(generation: 4)
    #expect(ahead.isEmpty)
  }
}
