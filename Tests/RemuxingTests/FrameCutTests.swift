import EnhancedAC3
import TestSupport
import Testing

@testable import Remuxing

/// DESIGN.md, 5.2: `--cut frame`.
@Suite struct FrameCutTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  @Test func `5 s to 10 s at 48 kHz are access units 156 to 312`() throws {
    let source = try bench.source(MovieSketch(400).bytes)
    let report = try OutputPlanner.iso().plan(source, range("5", "10")).report
    #expect(report.segments[0].accessUnits == 156..<312)
    #expect(report.segments[0].requested == 240_000..<480_000)
    #expect(report.segments[0].presented == 239_616..<479_232)
    #expect(report.accessUnitCount == 156)
    #expect(report.presentedSamples == 156 * 1536)
    #expect(report.sampleRate == 48000)
  }

  @Test(arguments: [
    (Snap.floor, "0.04", "0.056", 1..<1), (.nearest, "0.04", "0.056", 1..<2), (.ceil, "0.04", "0.056", 2..<2),
    (.floor, "0.016", "0.08", 0..<2), (.nearest, "0.016", "0.08", 1..<3), (.ceil, "0.016", "0.08", 1..<3),
    (.floor, "0.015", "0.079", 0..<2), (.nearest, "0.015", "0.079", 0..<2), (.ceil, "0.015", "0.079", 1..<3),
    (.floor, "0.032", "0.064", 1..<2), (.nearest, "0.032", "0.064", 1..<2), (.ceil, "0.032", "0.064", 1..<2),
  ])
  func `both ends move the same way`(snap: Snap, start: String, end: String, units: Range<Int>) throws {
    let source = try bench.source(MovieSketch(100).bytes)
    let planner = OutputPlanner.iso { $0.snap = snap }
    if units.isEmpty {
      #expect(failure { try planner.plan(source, range(start, end)) }?.code == .rangeInvalid)
    } else {
      #expect(try planner.plan(source, range(start, end)).report.segments[0].accessUnits == units)
    }
  }

  /// What is cut, from which elementary stream its access units must be, and which of them.
  @Test(arguments: [
    ("joc-base.mp4", "joc51.ec3", "0.5", "1", 15..<31), ("joc-base.mp4", "joc51.ec3", "", "", 0..<32),
    ("joc-stsz-table.mp4", "joc51.ec3", "3au", "9au", 3..<9),
    ("joc-stz2-16.mp4", "joc51.ec3", "3au", "9au", 3..<9),
    ("joc-co64.mp4", "joc51.ec3", "7au", "25au", 7..<25),
    ("joc-mdats.mp4", "joc51.ec3", "7au", "25au", 7..<25),
    ("joc-gaps.mp4", "joc51.ec3", "7au", "25au", 7..<25),
    ("joc-mdat-to-end.mp4", "joc51.ec3", "7au", "", 7..<32),
    ("joc-one-chunk.mp4", "joc51.ec3", "1", "", 31..<32), ("joc-qt-v1.mov", "joc51.ec3", "0.5", "1", 15..<31),
    ("joc-ts600.mp4", "joc51.ec3", "0.5", "1", 15..<31), ("joc-ts1000.mp4", "joc51.ec3", "0.5", "1", 15..<31),
    ("joc-ts90k.mp4", "joc51.ec3", "0.5", "1", 15..<31),
    ("joc-unknown-boxes.mp4", "joc51.ec3", "0.5", "1", 15..<31),
    ("joc-v1-headers.mp4", "joc51.ec3", "0.5", "1", 15..<31),
    ("joc-last-short.mp4", "joc51.ec3", "30au", "", 30..<32),
    ("joc51.ec3", "joc51.ec3", "1", "2", 31..<62), ("ddp51.mp4", "ddp51.ec3", "1", "2", 31..<62),
    ("ddp51-faststart.mp4", "ddp51.ec3", "1", "2", 31..<62), ("ddp51.mov", "ddp51.ec3", "1", "2", 31..<62),
    ("av-joc.mp4", "joc51.ec3", "0.25", "2", 7..<62), ("av-ddp51.mp4", "ddp51.ec3", "0.25", "2", 7..<62),
    ("ddp20-44k1.mp4", "ddp20-44k1.ec3", "1", "2", 28..<57),
    ("ddp20-stz2-8.mp4", "ddp20-44k1.ec3", "1", "", 28..<32),
    ("ddp20-44k1.ec3", "ddp20-44k1.ec3", "1", "2", 28..<57),
    ("ddp-vbr.ec3", "ddp-vbr.ec3", "0.1", "0.9", 3..<28),
    ("ddp71.mp4", "ddp71.ec3", "0.1", "0.5", 3..<15), ("ddp2ind.mp4", "ddp2ind.ec3", "0.1", "0.5", 3..<15),
    ("ddp-3blk.mp4", "ddp-3blk.ec3", "0.1", "0.5", 3..<15),
    ("ddp-1blk.mp4", "ddp-1blk.ec3", "0.1", "0.3", 3..<9),
    ("ddp20-24k.ec3", "ddp20-24k.ec3", "0.1", "0.5", 1..<7), ("ac3.mp4", "ac3-51.ac3", "0.5", "1", 15..<31),
    ("ac3-51.ac3", "ac3-51.ac3", "0.5", "1", 15..<31),
    ("ac3-51-swapped.ac3", "ac3-51.ac3", "0.25", "0.5", 7..<15),
    ("ddp51-torn.ec3", "ddp51.ec3", "", "", 0..<23),
    // Priming of 256 PCM samples moves every time that much further into the media.
    ("joc-edit-priming.mp4", "joc51.ec3", "0.475", "0.95", 15..<29),
    ("ddp51-edit-short.mp4", "ddp51-edit-short.mp4", "0.475", "0.95", 15..<29),
    // 0.5 s of silence moves it that much less far.
    ("joc-edit-empty.mp4", "joc51.ec3", "0.75", "1.25", 7..<23),
    ("joc-edit-empty.mp4", "joc51.ec3", "0.25", "1.25", 0..<23),
  ])
  func `a range of a fixture holds the very access units of its stream`(
    name: String, stream: String, start: String, end: String, expected: Range<Int>
  ) throws {
    let source = try Workbench.fixture(name)
    let right =
      name == stream && name.hasSuffix("mp4")
      ? try source.onlyTrack.unitBytes : try RemuxingTests.units(of: stream)
    let asked = try range(start, end)
    let planned = try OutputPlanner.iso().plan(source, asked)
    #expect(planned.report.segments[0].accessUnits == expected)
    #expect(try bench.reopened(planned.plan).onlyTrack.unitBytes == Array(right[expected]))
    let elementary = try OutputPlanner.elementary.plan(source, asked)
    #expect(elementary.plan.bytes == right[expected].flatMap { $0 })
    #expect(elementary.plan.made == [])
  }

  @Test func `priming is counted: presentation time 0 lies 256 samples into the first access unit`() throws {
    let report = try OutputPlanner.iso().plan(
      Workbench.fixture("joc-edit-priming.mp4"), range("0", "0.5")
    ).report
    #expect(report.segments[0].accessUnits == 0..<15)
    #expect(report.segments[0].requested == 0..<24000)
    #expect(report.segments[0].presented == -256..<15 * 1536 - 256)
  }

  @Test(arguments: ["", "0", "0.25", "0.499"])
  func `leading silence is dropped with a warning, and what was asked is told`(start: String) throws {
    let report = try OutputPlanner.iso().plan(Workbench.fixture("joc-edit-empty.mp4"), range(start, "1.25"))
      .report
    #expect(report.segments[0].accessUnits == 0..<23)
    #expect(report.findings.contains { $0.code == .editsLeadingEmpty && $0.severity == .warning })
    // Without a start the first presented sample is meant.
    let asked = ["": 24000, "0": 0, "0.25": 12000, "0.499": 23952][start]
    #expect(report.segments[0].requested == (asked ?? -1)..<60000)
    #expect(report.segments[0].presented == 24000..<24000 + 23 * 1536)
  }

  @Test func `no silence is dropped behind it`() throws {
    let report = try OutputPlanner.iso().plan(Workbench.fixture("joc-edit-empty.mp4"), range("0.6", "1.25"))
      .report
    #expect(!report.findings.contains { $0.code == .editsLeadingEmpty })
  }

  @Test func `a duration that starts in leading silence counts the silence`() throws {
    let source = try Workbench.fixture("joc-edit-empty.mp4")
    let asked = TimeRange(start: try time("0.25"), end: .after(try time("1")))
    #expect(try OutputPlanner.iso().plan(source, asked).report.segments[0].accessUnits == 0..<23)
  }

  @Test func `a range inside leading silence holds no access unit`() throws {
    let source = try Workbench.fixture("joc-edit-empty.mp4")
    #expect(failure { try OutputPlanner.iso().plan(source, range("0.1", "0.4")) }?.code == .rangeInvalid)
  }

  @Test func `without bounds every access unit is taken, presented or not`() throws {
    for name in ["joc-edit-priming.mp4", "joc-edit-empty.mp4", "ddp51-edit-short.mp4"] {
      let report = try OutputPlanner.iso().plan(Workbench.fixture(name)).report
      #expect(report.segments[0].accessUnits == 0..<32)
    }
  }

  @Test func `a gap in the source's times is refused inside a range and at no border of it`() throws {
    let source = try Workbench.fixture("joc-stts-gap.mp4")
    let failure = failure { try OutputPlanner.iso().plan(source, range("10au", "20au")) }
    #expect(failure?.code.exitStatus.rawValue == 65)
    #expect(failure?.message.contains("access unit 16") == true)
    #expect(try OutputPlanner.iso().plan(source, range("0au", "16au")).report.accessUnitCount == 16)
    #expect(try OutputPlanner.iso().plan(source, range("16au", "32au")).report.accessUnitCount == 16)
    #expect(try source.onlyTrack.findings.contains { $0.code == .timesGap })
  }

  @Test(arguments: ["joc-ts600.mp4", "ddp20-ts1000.mp4", "joc-last-short.mp4", "ddp20-44k1.mp4"])
  func `irregular times are a finding and are not followed`(name: String) throws {
    let planned = try OutputPlanner.iso().plan(Workbench.fixture(name))
    #expect(planned.report.findings.contains { $0.code == .timesIrregular })
  }
}
