import EnhancedAC3
import SystemIO
import TestSupport
import Testing

@testable import Remuxing

/// What a verification finds, on fixtures and on files bent byte by byte.
@Suite struct VerificationTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  private func verify(fixture name: String) throws -> FileVerification {
    try FileVerification(try #require(FilePath(Media.path(name))))
  }

  static let wrong: [String: [String]] = [
    "ddp71-ffmpeg-dec3.mp4": ["dec3.chan-loc", "dec3.data-rate"], "joc-flag-lost.mp4": ["dec3.joc-missing"],
    "joc-wrong-complexity.mp4": ["dec3.joc-complexity"], "joc-last-short.mp4": ["stts.last-short"],
    "joc-stops.mp4": ["joc.mixed"], "joc-stts-gap.mp4": ["stts.gap"], "ddp51-torn.ec3": ["stream.torn-tail"],
  ]

  @Test(arguments: Media.ownIndex.compactMap { $0["file"] })
  func `of the fixtures only those are wrong that are made so`(name: String) throws {
    let verification = try verify(fixture: name)
    #expect(verification.faultCodes == Self.wrong[name] ?? [])
    let isUnchecked = ["ac4.mp4", "joc-enca.mp4"].contains(name)
    #expect(verification.verdict == (isUnchecked ? .unchecked : Self.wrong[name] == nil ? .right : .wrong))
  }

  @Test(arguments: [
    ("joc-flag-lost.mp4", "dec3.joc-missing", "FFmpeg before 8"),
    ("ddp71-ffmpeg-dec3.mp4", "dec3.chan-loc", "FFmpeg"),
    ("ddp71-ffmpeg-dec3.mp4", "dec3.data-rate", "FFmpeg"),
    ("joc-last-short.mp4", "stts.last-short", "FFmpeg or GPAC"),
  ])
  func `a defect of another program is named`(file: String, code: String, writer: String) throws {
    let finding = try #require(try verify(fixture: file).findings.first { $0.finding.code.rawValue == code })
    #expect(finding.writer == writer)
    #expect(finding.finding.message.hasSuffix("as \(writer) writes it"))
  }

  @Test func `every byte of every access unit is looked at`() throws {
    let verification = try verify(fixture: "joc-base.mp4")
    #expect(verification.accessUnitCount == 32)
    #expect(verification.checkedByteCount == 32 * 320)
    var bytes = try Media.bytes("joc-base.mp4")
    let payload = try bytes.payload(of: "mdat")
    for place in [payload + 7 * 320 + 319, payload + 7 * 320 + 100] {
      bytes[place] ^= 1
      let found = try bench.verify(bytes)
      bytes[place] ^= 1
      let finding = try #require(found.findings.first { $0.finding.code == .unitChecksum })
      #expect(finding.place.accessUnit == 7)
      #expect(finding.place.offset == payload + 7 * 320)
      #expect(finding.place.trackID == 1)
    }
  }

  /// Offsets in boxes by ISO/IEC 14496-12: mvhd duration 16, tkhd 20, mdhd 16, stts count 8, stsz count 8, stsc 12.
  @Test(
    arguments: [
      ("mvhd", 16, "0000c100", ["mvhd.duration"]), ("tkhd", 20, "0000bfff", ["tkhd.duration"]),
      ("tkhd", 20, "0000c001", ["tkhd.duration"]), ("mdhd", 16, "0000bfff", ["mdhd.duration"]),
      ("mdhd", 16, "ffffffff", []),
      ("stts", 8, "0000001f", ["stts.count"]), ("stsz", 8, "0000001f", ["stts.count", "stsc.count"]),
      ("stco", 8, "00000010", ["chunk.outside-mdat", "au.invalid", "chunk.sync-word"]),
      ("tkhd", 12, "00000000", ["track.id"]), ("stsd", 4, "00000002", ["track.broken"]),
    ] as [(String, Int, String, [String])])
  func `numbers that contradict each other are found`(type: String, at: Int, bytes: String, codes: [String])
    throws
  {
    let base = try Media.bytes("joc-base.mp4")
    let found = Set(try bench.verify(try base.patched(type, at: at, hex(bytes))).faultCodes)
    #expect(found.isSuperset(of: codes))
    #expect(codes.isEmpty == found.isEmpty)
  }

  @Test func `chunks that lie twice overlap`() throws {
    let base = try Media.bytes("joc-base.mp4")
    let stco = try base.payload(of: "stco")
    let second = Array(base[stco + 8..<stco + 12])
    let found = try bench.verify(try base.patched("stco", at: 12, second))
    #expect(found.faultCodes == ["chunk.overlap"])
    #expect(found.findings.first?.place.offset == second.reduce(0) { $0 << 8 | Int($1) })
  }

  @Test func `an offset that lost its upper half is named`() throws {
    let base = try Media.bytes("joc-base.mp4")
    let found = try bench.verify(try base.patched("stco", at: 16, hex("00000004")))
    #expect(found.faultCodes.contains("chunk.outside-mdat"))
  }

  @Test func `a chunk that starts inside an access unit is named`() throws {
    let base = try Media.bytes("joc-base.mp4")
    let stco = try base.payload(of: "stco") + 12
    let offset = base[stco..<stco + 4].reduce(0) { $0 << 8 | Int($1) }
    let found = try bench.verify(try base.patched("stco", at: 12, bigEndian(UInt32(offset + 2))))
    let finding = try #require(found.findings.first { $0.finding.code == .chunkSyncWord })
    #expect(finding.place.offset == offset + 2)
    #expect(finding.place.accessUnit == 8)
  }

  @Test func `files that are no movies have a name for it`() throws {
    let base = try Media.bytes("joc-base.mp4")
    #expect(
      try bench.verify(try base.patched("moov", at: -4, Array("free".utf8))).faultCodes == ["file.no-moov"])
    #expect(try bench.verify(Array(base.dropLast(100))).faultCodes.contains("file.truncated"))
    #expect(try bench.verify([]).faultCodes == ["file.malformed"])
    #expect(try bench.verify(base + hex("00000003 61626364 00")).faultCodes.contains("file.foreign-tail"))
    #expect(try bench.verify(base + box("moov", [])).faultCodes == ["file.second-moov"])
    let fragments = try Media.bytes("frag-hybrid.mp4")
    let start = try fragments.payload(of: "moof") - 8
    #expect(try bench.verify(Array(fragments[start...])).faultCodes == ["file.no-moov"])
  }

  @Test func `two of a box are told`() throws {
    var sketch = MovieSketch(try units(of: "joc51.ec3"), dec3: hex("0280 200f00 0103"))
    sketch.mediaChildren = [box("hdlr", [UInt8](repeating: 0, count: 24) + [0])]
    #expect(try bench.verify(sketch.bytes).faultCodes.contains("box.duplicate"))
  }

  @Test func `a short access unit where a file was joined is named`() throws {
    var sketch = MovieSketch(try units(of: "joc51.ec3"), dec3: hex("0280 200f00 0103"))
    sketch.times = [(20, 1536), (1, 1152), (43, 1536)]
    let finding = try #require(
      try bench.verify(sketch.bytes).findings.first { $0.finding.code == .timesJointShort })
    #expect(finding.place.accessUnit == 20)
    #expect(finding.writer == "FFmpeg or GPAC")
  }

  @Test func `a rounded or a longer last access unit of a coarse clock is no defect`() throws {
    for name in ["joc-ts600.mp4", "ddp20-ts1000.mp4", "ddp20-44k1.mp4"] {
      #expect(try verify(fixture: name).verdict == .right)
    }
  }

  @Test func `an edit that presents more than there is, is found`() throws {
    var sketch = MovieSketch(try units(of: "joc51.ec3"), dec3: hex("0280 200f00 0103"))
    sketch.edits = [MovieSketch.Edit(duration: 64 * 1536, mediaTime: 256)]
    #expect(try bench.verify(sketch.bytes).faultCodes.contains("elst.beyond-media"))
    sketch.edits = [MovieSketch.Edit(duration: 64 * 1536 - 256, mediaTime: 256)]
    // tkhd still states the media's length, as FFmpeg leaves it, and mvhd what tkhd does.
    let found = try bench.verify(sketch.bytes).findings.filter(\.finding.severity.isFault)
    #expect(found.map(\.finding.code) == [.trackDuration])
    #expect(found.first?.writer == "FFmpeg")
  }

  @Test func `runs of fragments must lie in media data`() throws {
    let base = try Media.bytes("frag.mp4")
    #expect(try bench.verify(base).verdict == .right)
    // data_offset stands behind version, flags and sample_count.
    let found = try bench.verify(try base.patched("trun", at: 8, hex("00000010"))).faultCodes
    #expect(found.contains("trun.outside-mdat"))
    // sequence_number of the second fragment.
    #expect(
      try bench.verify(try base.patched("mfhd", 1, at: 4, hex("00000001"))).faultCodes == ["mfhd.sequence"])
  }

  @Test func `only the first few findings of a kind are listed`() throws {
    let frames = try units(of: "joc51.ec3")
    var sketch = MovieSketch(frames, dec3: hex("0280 200f00 0103"))
    sketch.unitsPerChunk = 1
    var bytes = sketch.bytes
    for chunk in 0..<64 { try bytes.patch("stco", at: 8 + 4 * chunk, bigEndian(UInt32(8))) }
    let found = try bench.verify(bytes).findings.filter { $0.finding.code == .chunkOutside }
    #expect(found.count == 17)
    #expect(found.last?.finding.message.contains("48 more") ?? false)
  }
}
