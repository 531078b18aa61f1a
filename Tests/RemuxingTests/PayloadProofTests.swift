import SystemIO
import TestSupport
import Testing

@testable import Remuxing

/// Outputs against the ranges that they were made of.
@Suite struct PayloadProofTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  private func verify(
    _ plan: Plan, _ segments: [SegmentRequest], _ change: (inout PayloadExpectation) -> Void = { _ in }
  ) throws -> FileVerification {
    try verify(plan.bytes, segments, change)
  }

  private func verify(
    _ bytes: [UInt8], _ segments: [SegmentRequest], _ change: (inout PayloadExpectation) -> Void = { _ in }
  ) throws -> FileVerification {
    var expectation = PayloadExpectation(segments: segments)
    change(&expectation)
    let path = try #require(FilePath(try bench.folder.write(bytes, as: "output")))
    return try FileVerification(path, expecting: expectation)
  }

  @Test(arguments: [
    "joc-base.mp4", "ddp20-44k1.mp4", "ddp-vbr.ec3", "ac3-51-swapped.ac3", "frag.mp4", "av-joc.mp4",
  ])
  func `a frame cut is proven`(name: String) throws {
    let source = try Workbench.fixture(name)
    let segment = SegmentRequest(source: source, range: try range("2au", "9au"))
    for planner in [OutputPlanner.iso(), .elementary] {
      let found = try verify(try planner.plan([segment]).plan, [segment])
      #expect(found.verdict == .right)
      let proof = try #require(found.proof)
      #expect(proof.isEqual)
      #expect(proof.segments[0].accessUnits == 2..<9)
      #expect(proof.equalByteCount == found.checkedByteCount)
    }
  }

  @Test(arguments: [nil, 0, 1, 3])
  func `an exact cut is proven with its pre-roll and what it presents`(preRoll: Int?) throws {
    let segment = SegmentRequest(
      source: try Workbench.fixture("joc-edit-priming.mp4"), range: try range("10000smp", "30001smp"))
    let planner = OutputPlanner.iso {
      $0.mode = .exact
      $0.preRoll = preRoll
    }
    let proof = try #require(try verify(try planner.plan([segment]).plan, [segment]).proof)
    #expect(proof.isEqual)
    #expect(proof.mode == .exact)
    #expect(proof.preRoll == preRoll ?? 2)
    #expect(proof.presentsRange == true)
  }

  @Test func `a join of several sources is proven in their order`() throws {
    let first = SegmentRequest(source: try Workbench.fixture("joc-base.mp4"), range: try range("0.1", "0.3"))
    let second = SegmentRequest(source: try Workbench.fixture("joc51.ec3"), range: try range("0.05", "0.2"))
    for mode in CutMode.allCases {
      let plan = try OutputPlanner.iso { $0.mode = mode }.plan([first, second, first]).plan
      #expect(try verify(plan, [first, second, first]).proof?.isEqual == true)
      #expect(try verify(plan, [second, first, first]).proof?.isEqual == false)
      #expect(try verify(plan, [first, second]).findings.map(\.finding.code).contains(.sourceCount))
    }
  }

  @Test func `the first byte that differs is told with its place in both files`() throws {
    let source = try Workbench.fixture("joc-base.mp4")
    let segment = SegmentRequest(source: source, range: try range("4au", "20au"))
    var bytes = try OutputPlanner.iso().plan([segment]).plan.bytes
    let payload = try bytes.payload(of: "mdat")
    bytes[payload + 5 * 320 + 17] ^= 0x40
    bytes[payload + 9 * 320] ^= 0x40
    let proof = try #require(try verify(bytes, [segment]).proof)
    let difference = try #require(proof.difference)
    #expect(difference.accessUnit == 5)
    #expect(difference.offset == payload + 5 * 320 + 17)
    #expect(difference.sourceAccessUnit == 9)
    let sourcePayload = try Media.bytes("joc-base.mp4").payload(of: "mdat")
    #expect(difference.sourceOffset == sourcePayload + 9 * 320 + 17)
    #expect(proof.equalByteCount == 5 * 320)
  }

  @Test func `what is presented must be what was asked, to the sample`() throws {
    let source = try Workbench.fixture("joc-base.mp4")
    let made = SegmentRequest(source: source, range: try range("10000smp", "30000smp"))
    let plan = try OutputPlanner.iso { $0.mode = .exact }.plan([made]).plan
    for (start, end) in [("10000smp", "30001smp"), ("10000smp", "29999smp"), ("10001smp", "30000smp")] {
      let asked = SegmentRequest(source: source, range: try range(start, end))
      let found = try verify(plan, [asked])
      #expect(found.verdict == .wrong)
      #expect(found.findings.map(\.finding.code).contains(.sourcePresentation))
    }
    // As whole access units the payload alone counts.
    let whole = SegmentRequest(source: source, range: try range("4au", "20au"))
    let found = try verify(plan, [whole]) { $0.isModeGiven = true }
    #expect(found.proof?.presentsRange == nil)
    #expect(found.proof?.isEqual == true)
  }

  @Test func `a range that the source does not have is a failure, not a verdict`() throws {
    let source = try Workbench.fixture("joc-base.mp4")
    let plan = try OutputPlanner.iso().plan(source).plan
    let beyond = SegmentRequest(source: source, range: try range("0", "100"))
    #expect(failure { try verify(plan, [beyond]) }?.code == .rangeInvalid)
  }
}
