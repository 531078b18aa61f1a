import EnhancedAC3
import TestSupport
import Testing

@testable import Remuxing

/// DESIGN.md, 5.3: joint object coding (JOC) that changes inside a range.
///
/// joc-stops.mp4 has it in access units 0 to 15.
@Suite struct RangeFormatTests {
  let bench: Workbench
  private static let mixing = OutputPlanner.iso { $0.allowsMixedObjects = true }

  init() throws {
    bench = try Workbench()
  }

  @Test(arguments: [("", ""), ("0au", "17au"), ("15au", "17au"), ("15au", "32au")])
  func `JOC that stops in a range is refused with the access unit where it does`(start: String, end: String)
    throws
  {
    let source = try Workbench.fixture("joc-stops.mp4")
    let failure = failure { try OutputPlanner.iso().plan(source, range(start, end)) }
    #expect(failure?.code == .inputIncompatible)
    #expect(failure?.code.exitStatus.rawValue == 65)
    #expect(failure?.message.contains("access unit 16") == true)
    #expect(failure?.advice?.contains("--allow-mixed-joc") == true)
  }

  @Test func `on either side of the change nothing is lost and nothing invented`() throws {
    let source = try Workbench.fixture("joc-stops.mp4")
    let before = try OutputPlanner.iso().plan(source, range("0au", "16au"))
    #expect(before.report.complexity?.index == 3)
    #expect(try bench.reopened(before.plan, as: "before").onlyTrack.configuration == hex("0280 200f00 0103"))
    let after = try OutputPlanner.iso().plan(source, range("16au", "32au"))
    #expect(after.report.complexity == nil)
    #expect(after.report.findings.contains { $0.code == .dec3ObjectsFalse })
    #expect(try bench.reopened(after.plan, as: "after").onlyTrack.configuration == hex("0280 200f00"))
  }

  @Test(arguments: [("", "", 16, 32), ("10au", "20au", 6, 10), ("15au", "17au", 1, 2)])
  func `allowed, it is signalled and told how many of how many have it`(
    start: String, end: String, found: Int, of: Int
  )
    throws
  {
    let planned = try Self.mixing.plan(try Workbench.fixture("joc-stops.mp4"), range(start, end))
    #expect(planned.report.complexity?.index == 3)
    #expect(planned.report.coverage == ObjectCoverage(found: found, examined: of, total: of))
    let finding = planned.report.findings.first { $0.code == .objectsMixed }
    #expect(finding?.severity == .warning)
    #expect(finding?.message.contains("\(found) of \(of)") == true)
    #expect(try bench.reopened(planned.plan).onlyTrack.configuration == hex("0280 200f00 0103"))
  }

  @Test(arguments: [
    ([3, 3, 16, 5], "complexity 3 to complexity 16", 2), ([nil, nil, nil, 1], "none to complexity 1", 3),
  ])
  func `a change of complexity is refused, and the largest is signalled where it is allowed`(
    complexities: [Int?], change: String, unit: Int
  ) throws {
    let frames = complexities.map {
      FrameSketch(byteCount: 64, audioCodingMode: 7, hasLFE: true, complexity: $0).bytes
    }
    let source = try bench.source(frames.flatMap { $0 })
    let failure = failure { try OutputPlanner.iso().plan(source) }
    #expect(failure?.message.contains("access unit \(unit) (\(change))") == true)
    #expect(try Self.mixing.plan(source).report.complexity?.index == complexities.compactMap { $0 }.max())
  }

  @Test func `what the report was told from is the first and the last access unit where they agree`() throws {
    let base = try Workbench.fixture("joc-base.mp4")
    #expect(
      try OutputPlanner.iso().plan(base).report.coverage == ObjectCoverage(found: 2, examined: 2, total: 32))
    let one = try OutputPlanner.iso().plan(base, range("4au", "5au")).report
    #expect(one.coverage == ObjectCoverage(found: 1, examined: 1, total: 1))
    let plain = try OutputPlanner.iso().plan(try Workbench.fixture("ddp51.mp4")).report
    #expect(plain.coverage == ObjectCoverage(found: 0, examined: 2, total: 94))
  }

  @Test(arguments: [
    (FrameSketch(audioCodingMode: 7), "acmod of I0 goes from 2 to 7"),
    (FrameSketch(hasLFE: true), "lfeon of I0 goes from 0 to 1"),
    (FrameSketch(bitstreamID: 15), "bsid of I0 goes from 16 to 15"),
    (FrameSketch(sampleRateCode: 2), "sample rate goes from 48000 Hz to 32000 Hz"),
  ])
  func `a structure that changes in a range is refused with the access unit, the field and both values`(
    other: FrameSketch, says: String
  ) throws {
    let frames = FrameSketch().repeated(5) + other.repeated(3)
    let source = try bench.source(frames.flatMap { $0 })
    for planner in [OutputPlanner.iso(), Self.mixing] {
      let failure = failure { try planner.plan(source) }
      #expect(failure?.code == .inputIncompatible)
      #expect(failure?.message.contains("access unit 5") == true)
      #expect(failure?.message.contains(says) == true)
    }
    #expect(try OutputPlanner.iso().plan(source, range("0au", "5au")).report.accessUnitCount == 5)
    #expect(try OutputPlanner.iso().plan(source, range("5au", "8au")).report.accessUnitCount == 3)
  }

  @Test(arguments: [0, 17, 255])
  func `a complexity that cannot be is not signalled and said so`(index: Int) throws {
    let frame = FrameSketch(byteCount: 64, audioCodingMode: 7, hasLFE: true, complexity: index)
    let planned = try OutputPlanner.iso().plan(try bench.source(frame.repeated(4).flatMap { $0 }))
    #expect(planned.report.complexity == nil)
    #expect(planned.report.findings.contains { $0.code == .objectsInvalid })
  }
}
