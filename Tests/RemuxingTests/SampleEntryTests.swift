import ByteParsing
import ISOMedia
import SystemIO
import TestSupport
import Testing

@testable import Remuxing

/// DESIGN.md, 5.3: every other child of the sample entry is kept.
@Suite struct SampleEntryTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  private func entry(_ source: Source, _ planner: OutputPlanner = .iso()) throws -> (
    entry: AudioSampleEntry, children: [[UInt8]]
  ) {
    let track = try bench.reopened(try planner.plan(source).plan).onlyTrack
    let entry = try #require(track.containerFacts).entry
    let children = entry.children.map {
      track.file.bytes.extracting($0.offset..<$0.payload.upperBound).copied()
    }
    return (entry, children)
  }

  @Test func `children are kept byte for byte and in order`() throws {
    let unknown = box("kfta", Array("nobody knows this".utf8))
    let rates = box("btrt", bigEndian(UInt32(320)) + bigEndian(UInt32(80000)) + bigEndian(UInt32(80000)))
    let children = try entry(try Workbench.fixture("joc-entry-boxes.mp4")).children
    #expect(children == [rates, box("dec3", hex("0280 200f00 0103")), unknown])
  }

  @Test(arguments: ["0280 200f00", "0280 200f00 0110", "0280", "0290 200d00 0103"])
  func `a dec3 that is made anew takes the place of the old one`(dec3: String) throws {
    let (first, last) = (box("kft1", [1]), box("uuid", [UInt8](0..<20)))
    let sketch = MovieSketch(try units(of: "joc51.ec3"), children: [first, box("dec3", hex(dec3)), last])
    let children = try entry(try bench.source(sketch.bytes)).children
    #expect(children == [first, box("dec3", hex("0280 200f00 0103")), last])
  }

  @Test func `a dec3 that was missing comes last`() throws {
    let unknown = box("kft1", [1])
    let sketch = MovieSketch(try units(of: "joc51.ec3"), children: [unknown])
    #expect(
      try entry(try bench.source(sketch.bytes)).children == [unknown, box("dec3", hex("0280 200f00 0103"))])
  }

  @Test func `a second dec3 is left out`() throws {
    let good = box("dec3", hex("0280 200f00 0103"))
    let sketch = MovieSketch(try units(of: "joc51.ec3"), children: [good, box("dec3", hex("0280 200f00"))])
    #expect(try entry(try bench.source(sketch.bytes)).children == [good])
  }

  @Test(arguments: [("joc-qt-v1.mov", "0280 200f00 0103"), ("ddp51.mov", "0280 200f00")])
  func `a QuickTime entry becomes an ISO one`(name: String, dec3: String) throws {
    let (entry, children) = try entry(try Workbench.fixture(name))
    #expect(entry.layout == .version0)
    #expect(entry.box.type == "ec-3")
    #expect(entry.channelCount == 6)
    #expect(entry.sampleSize == 16)
    #expect(entry.sampleRate == 48000 << 16)
    #expect(entry.dataReferenceIndex == 1)
    // Neither wave with what is in it nor chan.
    #expect(children == [box("dec3", hex(dec3))])
    #expect(entry.box.payload.count == 28 + children[0].count)
  }

  @Test(arguments: [1, 2, 6, 8, 3000] as [UInt16])
  func `the channel count is the source's`(count: UInt16) throws {
    var sketch = MovieSketch(4)
    sketch.channelCount = count
    #expect(try entry(try bench.source(sketch.bytes)).entry.channelCount == count)
  }

  @Test(arguments: ["joc51.ec3", "ddp71.ec3", "ac3-51.ac3"])
  func `the channel count is 2 where there was none`(name: String) throws {
    #expect(try entry(try Workbench.fixture(name)).entry.channelCount == 2)
  }

  @Test(
    arguments: [
      ("ac3.mp4", "ac-3", 48000), ("ac3-51.ac3", "ac-3", 48000), ("ddp20-44k1.ec3", "ec-3", 44100),
      ("ddp20-24k.ec3", "ec-3", 24000), ("ddp71.mp4", "ec-3", 48000),
    ] as [(String, FourCC, UInt32)])
  func `codec and rate are the bitstream's`(name: String, type: FourCC, rate: UInt32) throws {
    let entry = try entry(try Workbench.fixture(name)).entry
    #expect(entry.box.type == type)
    #expect(entry.sampleRate == rate << 16)
  }

  @Test func `a rate that contradicts the bitstream is put right and said so`() throws {
    var sketch = MovieSketch(40)
    sketch.entryRate = 44100
    let source = try bench.source(sketch.bytes)
    #expect(try entry(source).entry.sampleRate == 48000 << 16)
    #expect(try OutputPlanner.iso().plan(source).report.findings.contains { $0.code == .entrySampleRate })
  }

  @Test func `the first segment gives the entry of a join`() throws {
    let named = try Workbench.fixture("joc-named.mp4")
    let boxes = try Workbench.fixture("joc-entry-boxes.mp4")
    let plan = try OutputPlanner.iso().plan([SegmentRequest(source: boxes), SegmentRequest(source: named)])
      .plan
    let track = try bench.reopened(plan).onlyTrack
    #expect(track.containerFacts?.entry.children.map(\.type) == ["btrt", "dec3", "kfta"])
    #expect(track.containerFacts?.media.language.code == "und")
  }
}
