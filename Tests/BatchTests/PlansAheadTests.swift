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
    return PlansAhead.Element(output: PlannedOutput(plan: plan, [], nil, joining: []), nanoseconds: 0)
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
