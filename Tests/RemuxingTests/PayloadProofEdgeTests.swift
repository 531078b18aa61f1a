import SystemIO
import TestSupport
import Testing

@testable import Remuxing

/// What a proof must not pass over: times, and other tracks.
@Suite struct PayloadProofEdgeTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  /// Half an edit list is the clock that it counts on. A tick is a writer's rounding.
  @Test(arguments: [(1536, true), (1537, true), (1535, true), (1534, false), (1513, false), (0, false)])
  func `an exact cut has regular times`(delta: Int, isRight: Bool) throws {
    let segment = SegmentRequest(
      source: try Workbench.fixture("joc-base.mp4"), range: try range("20000smp", "30001smp"))
    let plan = try OutputPlanner.iso { $0.mode = .exact }.plan([segment]).plan
    let bytes = try plan.bytes.patched("stts", at: 12, bigEndian(UInt32(delta)))
    let path = try #require(FilePath(try bench.folder.write(bytes, as: "output")))
    let found = try FileVerification(path, expecting: PayloadExpectation(segments: [segment]))
    let proof = try #require(found.proof)
    #expect(proof.isPayloadEqual)
    #expect(proof.presentsRange == isRight)
    #expect(found.findings.contains { $0.finding.code == .sourcePresentation } == !isRight)
  }

  @Test(arguments: [nil, 1, 5] as [UInt32?])
  func `of several tracks the one that is not compared is told`(track: UInt32?) throws {
    let source = try Workbench.fixture("joc-2-tracks.mp4")
    let segment = SegmentRequest(source: source, range: .all, trackID: track)
    var expectation = PayloadExpectation(segments: [segment])
    expectation.trackID = track
    let path = try #require(FilePath(Media.path("joc-2-tracks.mp4")))
    let found = try FileVerification(path, expecting: expectation)
    #expect(found.proof?.isEqual == true)
    let faults = found.findings.filter(\.finding.severity.isFault).map(\.finding.code)
    #expect(faults == (track == nil ? [.trackChoice] : []))
  }
}
