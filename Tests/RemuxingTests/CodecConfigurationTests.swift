import TestSupport
import Testing

@testable import Remuxing

/// DESIGN.md, 5.3: dec3 and dac3.
///
/// Payloads are written as ETSI TS 102 366, F.4 and F.6 and TS 103 420, E.4 lay them out.
@Suite struct CodecConfigurationTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  /// The configuration of an output and the findings about the source's.
  private func output(of source: Source) throws -> (payload: [UInt8], codes: [Finding.Code]) {
    let planned = try OutputPlanner.iso().plan(source)
    let codes = planned.report.findings.map(\.code).filter { "\($0.rawValue)".contains(/^d[ea]c3/) }
    return (try bench.reopened(planned.plan).onlyTrack.configuration, codes)
  }

  @Test(arguments: [
    // joc51.ec3: 80 kbit/s, bsid 16, acmod 7, LFE, complexity 3: 0280 200f00 0103.
    ("joc51.ec3", "0280 200f00 0103"), ("joc51.ec3", "0288 200f00 0103"), ("joc51.ec3", "0278 200f00 0103"),
    ("joc51.ec3", "0280 208f00 0103"), ("joc51.ec3", "0280 201f00 0103"),
    ("joc51.ec3", "0280 200f00 0103 beef"),
    ("ddp51.ec3", "0280 200f00"), ("ddp51.ec3", "0280 200f00 00"), ("ddp51.ec3", "0280 200f00 0003"),
    ("ddp71.ec3", "0480 200f0202"), ("ddp2ind.ec3", "0381 200f00 200400"), ("ddp20-44k1.ec3", "0100 600400"),
    // Sizes vary, so the declared rate is a maximum that nobody can check.
    ("ddp20-44k1.ec3", "0800 600400"),
  ])
  func `a dec3 that agrees is carried byte for byte`(stream: String, dec3: String) throws {
    var sketch = MovieSketch(try units(of: stream), dec3: hex(dec3))
    if stream.contains("44k1") { sketch.mediaTimescale = 44100 }
    let (payload, codes) = try output(of: try bench.source(sketch.bytes))
    #expect(payload == hex(dec3))
    #expect(codes == [])
  }

  @Test(arguments: [
    ("joc51.ec3", "0290 200f00 0103", ["dec3.data-rate"], "0280 200f00 0103"),
    ("joc51.ec3", "0270 200f00 0103", ["dec3.data-rate"], "0280 200f00 0103"),
    ("joc51.ec3", "0280 200d00 0103", ["dec3.fields"], "0280 200f00 0103"),  // acmod 6
    ("joc51.ec3", "0280 200e00 0103", ["dec3.fields"], "0280 200f00 0103"),  // no LFE
    ("joc51.ec3", "0280 1e0f00 0103", ["dec3.fields"], "0280 200f00 0103"),  // bsid 15
    ("joc51.ec3", "0280 600f00 0103", ["dec3.fields"], "0280 200f00 0103"),  // 44.1 kHz
    ("joc51.ec3", "0280 200f00", ["dec3.joc-missing"], "0280 200f00 0103"),
    ("joc51.ec3", "0280 200f00 0003", ["dec3.joc-missing"], "0280 200f00 0103"),
    ("joc51.ec3", "0280 200f00 0100", ["dec3.joc-missing"], "0280 200f00 0103"),
    ("joc51.ec3", "0280 200f00 01", ["dec3.joc-missing"], "0280 200f00 0103"),
    ("joc51.ec3", "0280 200f00 0110", ["dec3.joc-complexity"], "0280 200f00 0103"),
    ("joc51.ec3", "0281 200f00 200400 0103", ["dec3.substreams"], "0280 200f00 0103"),
    ("joc51.ec3", "0280 200f0202 0103", ["dec3.substreams"], "0280 200f00 0103"),
    ("joc51.ec3", "0280 20", ["dec3.malformed"], "0280 200f00 0103"),
    ("joc51.ec3", "", ["dec3.malformed"], "0280 200f00 0103"),
    (
      "joc51.ec3", "0290 200d00 0110", ["dec3.fields", "dec3.data-rate", "dec3.joc-complexity"],
      "0280 200f00 0103"
    ),
    // asvc, which no bitstream tells, is kept.
    ("joc51.ec3", "0280 208f00", ["dec3.joc-missing"], "0280 208f00 0103"),
    ("ddp51.ec3", "0280 200f00 0103", ["dec3.joc-false"], "0280 200f00"),
    ("ddp71.ec3", "0480 200f00", ["dec3.substreams"], "0480 200f0202"),
    ("ddp71.ec3", "0480 200f0210", ["dec3.chan-loc"], "0480 200f0202"),
    ("ddp71.ec3", "0280 200f0202", ["dec3.data-rate"], "0480 200f0202"),
    ("ddp2ind.ec3", "0280 200f00", ["dec3.substreams", "dec3.data-rate"], "0381 200f00 200400"),
    ("ddp2ind.ec3", "0381 200f00 200200", ["dec3.fields"], "0381 200f00 200400"),  // I1 with acmod 1
  ])
  func `a dec3 that disagrees is made anew and said so`(
    stream: String, dec3: String, codes: [String], right: String
  ) throws {
    let source = try bench.source(MovieSketch(try units(of: stream), dec3: hex(dec3)).bytes)
    let (payload, found) = try output(of: source)
    #expect(payload == hex(right))
    #expect(Set(found.map(\.rawValue)) == Set(codes))
  }

  @Test(arguments: [
    ("joc-flag-lost.mp4", ["dec3.joc-missing"], "joc-base.mp4"),
    ("joc-wrong-complexity.mp4", ["dec3.joc-complexity"], "joc-base.mp4"),
    ("ddp71-ffmpeg-dec3.mp4", ["dec3.chan-loc", "dec3.data-rate"], "ddp71.mp4"),
  ])
  func `a fixture with a wrong dec3 comes out with the one of its sound twin`(
    name: String, codes: [String], twin: String
  ) throws {
    let source = try Workbench.fixture(name)
    let (payload, found) = try output(of: source)
    let right = try #require(Media.ownIndex.first { $0["file"] == twin }?["config"])
    #expect(payload == hex(right))
    #expect(Set(found.map(\.rawValue)) == Set(codes))
    // The source breaks the standard, the output does not: what was an error is a warning now.
    #expect(try OutputPlanner.iso().plan(source).report.findings.allSatisfy { $0.severity != .error })
  }

  @Test func `a missing dec3 is made and said so`() throws {
    let sketch = MovieSketch(try units(of: "joc51.ec3"), children: [box("kfta", [1, 2, 3])])
    let (payload, codes) = try output(of: try bench.source(sketch.bytes))
    #expect(payload == hex("0280 200f00 0103"))
    #expect(codes == [.dec3Missing])
  }

  /// 103cc0: 48 kHz, bsid 8, bsmod 0, acmod 7, LFE, bit rate code 6 (96 kbit/s).
  @Test(
    arguments: [
      ("103cc0", nil, "103cc0"), ("107cc0", nil, "107cc0"),  // bsmod 1 may change from frame to frame
      ("1034c0", "dac3.fields", "103cc0"),  // acmod 6
      ("1038c0", "dac3.fields", "103cc0"),  // no LFE
      ("103ce0", "dac3.fields", "103cc0"),  // bit rate code 7
      ("503cc0", "dac3.fields", "103cc0"),  // 44.1 kHz
      ("0c3cc0", "dac3.fields", "103cc0"),  // bsid 6
      ("10", "dac3.malformed", "103cc0"),
    ] as [(String, String?, String)])
  func `a dac3 follows the same rules`(dac3: String, code: String?, right: String) throws {
    var sketch = MovieSketch(try units(of: "ac3-51.ac3"), children: [box("dac3", hex(dac3))])
    sketch.entryType = "ac-3"
    let (payload, codes) = try output(of: try bench.source(sketch.bytes))
    #expect(payload == hex(right))
    #expect(codes.map(\.rawValue) == [code].compactMap { $0 })
  }

  @Test func `a missing dac3 is made and said so`() throws {
    var sketch = MovieSketch(try units(of: "ac3-51.ac3"), children: [])
    sketch.entryType = "ac-3"
    let (payload, codes) = try output(of: try bench.source(sketch.bytes))
    #expect(payload == hex("103cc0"))
    #expect(codes == [.dac3Missing])
  }

  /// The configuration of the MP4 that other programs made of the same stream.
  @Test(arguments: [
    ("joc51.ec3", "joc-base.mp4"), ("ddp51.ec3", "ddp51.mp4"), ("ddp71.ec3", "ddp71.mp4"),
    ("ddp2ind.ec3", "ddp2ind.mp4"), ("ddp-3blk.ec3", "ddp-3blk.mp4"), ("ddp-1blk.ec3", "ddp-1blk.mp4"),
    ("ddp20-44k1.ec3", "ddp20-44k1.mp4"), ("ac3-51.ac3", "ac3.mp4"), ("ac3-51-swapped.ac3", "ac3.mp4"),
    ("ddp51-torn.ec3", "ddp51.mp4"),
  ])
  func `an elementary stream gets the configuration of its MP4 twin`(stream: String, twin: String) throws {
    let right = try #require(Media.ownIndex.first { $0["file"] == twin }?["config"])
    let (payload, codes) = try output(of: try Workbench.fixture(stream))
    #expect(payload == hex(right))
    #expect(codes == [])
  }

  @Test func `a half sample rate is code 3 in a generated dec3`() throws {
    // 256 bytes at 24 kHz are 32 kbit/s; fscod 3, bsid 16, acmod 2.
    #expect(try output(of: try Workbench.fixture("ddp20-24k.ec3")).payload == hex("0100 e00400"))
  }

  @Test(arguments: [(16, 0, 4), (18, 0, 5), (20, 0, 5), (22, 0, 6), (138, 1, 32), (140, 1, 32), (110, 2, 18)])
  func `the rate of a generated dec3 is rounded to the nearest, halves up`(
    byteCount: Int, sampleRateCode: Int, kbps: Int
  ) throws {
    // 18 bytes at 48 kHz are 4.5 kbit/s, 138 at 44.1 kHz 31.7, 110 at 32 kHz 18.3.
    let frame = FrameSketch(byteCount: byteCount, sampleRateCode: sampleRateCode)
    let payload = try output(of: try bench.source(frame.repeated(3).flatMap { $0 })).payload
    #expect(Int(payload[0]) << 5 | Int(payload[1]) >> 3 == kbps)
  }

  @Test func `the rate of a generated dec3 is that of the largest access unit of the range`() throws {
    let sizes = [256, 640, 384, 512, 256, 320]
    let stream = sizes.flatMap { FrameSketch(byteCount: $0).bytes }
    let source = try bench.source(stream)
    // 640 bytes at 48 kHz are 160 kbit/s, 512 are 128.
    for (asked, size) in [
      (TimeRange.all, 640), (try range("2au", "5au"), 512), (try range("4au", "5au"), 256),
    ] {
      let planned = try OutputPlanner.iso().plan(source, asked)
      #expect(try bench.reopened(planned.plan).onlyTrack.configuration == FrameSketch(byteCount: size).dec3)
    }
  }

  @Test func `the largest access unit is told once for all sample entries`() throws {
    let stream = try units(of: "ddp-vbr.ec3")
    var sketch = MovieSketch(stream, dec3: hex("0280 200f00"))
    sketch.unitsPerChunk = 1
    let track = try bench.source(sketch.bytes).onlyTrack
    let scan = try TrackScan(track)
    #expect(scan.largestSize == stream.map(\.count).max())
    #expect(try TrackScan(try Workbench.fixture("joc-base.mp4").onlyTrack).largestSize == 320)
  }
}
