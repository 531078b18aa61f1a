import ByteParsing
import EnhancedAC3
import TestSupport
import Testing

@testable import Remuxing

/// Configurations that other programs wrote of known streams.
@Suite struct KnownWriterTests {
  private func box(_ text: String) throws -> EC3SpecificBox {
    let bytes = hex(text)
    return try EC3SpecificBox(parsing: bytes.rawBytes, origin: 0)
  }

  private func name(_ code: Finding.Code, _ own: String, of stream: String, _ right: String) throws -> String?
  {
    let bytes = try units(of: stream)[0]
    let unit = try AccessUnit(parsing: bytes.rawBytes, origin: 0)
    return KnownWriter(own: try box(own), stream: try box(right), unit: unit).name(for: code)
  }

  /// The 7.1 stream has chanmap 1A00, 320 bytes of I0 and 256 of D0.
  @Test(
    arguments: [
      ("0480 200f0210", "FFmpeg"), ("0480 200f0280", "L-SMASH or GPAC 0.4"), ("0480 200f0240", nil),
    ] as [(String, String?)])
  func `a wrong chan_loc`(own: String, writer: String?) throws {
    #expect(try name(.dec3ChannelLocations, own, of: "ddp71.ec3", "0480 200f0202") == writer)
  }

  @Test(
    arguments: [("0280 200f0202", "FFmpeg"), ("0500 200f0202", nil)] as [(String, String?)])
  func `a rate of the first substream only`(own: String, writer: String?) throws {
    #expect(try name(.dec3DataRate, own, of: "ddp71.ec3", "0480 200f0202") == writer)
  }

  @Test func `a quarter of the access unit's size where that is not the rate`() throws {
    // 256 bytes at 24 kHz are 32 kbit/s, a quarter of them 64.
    #expect(try name(.dec3DataRate, "0200 e00400", of: "ddp20-24k.ec3", "0100 e00400") == "Bento4")
  }

  @Test func `substreams that are none, and one too few`() throws {
    #expect(
      try name(.dec3Substreams, "0401 200f00 200f00", of: "ddp-3blk.ec3", "0400 200f00") == "GPAC")
    #expect(
      try name(.dec3Substreams, "0380 200f00", of: "ddp2ind.ec3", "0381 200f00 200400") == "L-SMASH")
  }

  /// Bento4 makes each syncframe an MP4 sample of 1,536 PCM samples, however few blocks it has.
  @Test(arguments: ["ddp-1blk.ec3", "ddp-3blk.ec3"]) func `short syncframes as samples`(_ stream: String)
    throws
  {
    var rest = try Media.bytes(stream)[...]
    var frames: [[UInt8]] = []
    while !rest.isEmpty {
      let words = Int(rest[rest.startIndex + 2] & 7) << 8 | Int(rest[rest.startIndex + 3])
      frames.append(Array(rest.prefix((words + 1) * 2)))
      rest = rest.dropFirst((words + 1) * 2)
    }
    let bench = try Workbench()
    let path = try bench.path(MovieSketch(frames, dec3: hex("0400 200f00")).bytes, as: "source")
    let advice = failure { try OutputPlanner.iso().plan(try Source(opening: path), .all) }?.advice
    #expect(advice?.contains("kerfless mux") == true)
    #expect(failure { try Repair(path) }?.advice == advice)
  }

  @Test func `a lost tail`() throws {
    #expect(
      try name(.dec3ObjectsMissing, "0280 200f00", of: "joc51.ec3", "0280 200f00 0103") == "FFmpeg before 8")
    let bed = FrameSketch(byteCount: 64, audioCodingMode: 7, hasLFE: true).bytes
    let dependent = FrameSketch(byteCount: 64, audioCodingMode: 6, complexity: 12, channelMap: 0x1a00).bytes
    let bytes = bed + dependent
    let unit = try AccessUnit(parsing: bytes.rawBytes, origin: 0)
    let any = try box("0100 200f0202")
    #expect(
      KnownWriter(own: any, stream: any, unit: unit).name(for: .dec3ObjectsMissing) == "FFmpeg or Bento4")
  }
}
