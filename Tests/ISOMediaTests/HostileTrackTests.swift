import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

/// A track with one box that breaks the rules, and where the error has to lie.
struct HostileTrack: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Boxes around the error, inside `trak`.
  let path: [FourCC]
  /// The box from whose first byte `distance` is counted.
  let origin: String
  let distance: Int
  let track: TrackBytes

  private init(
    _ description: String, _ path: FourCC..., at origin: String, _ distance: Int,
    _ change: (inout TrackBytes) -> Void
  ) {
    testDescription = description
    self.path = path
    self.origin = origin
    self.distance = distance
    track = .with(change)
  }

  static let headers = [
    HostileTrack("tkhd is cut off", "tkhd", at: "tkhd", 28) { $0.tkhd = fullBox("tkhd", words(0, 0, 1, 0)) },
    HostileTrack("mdhd has a timescale of 0", "mdia", "mdhd", at: "mdhd", 20) {
      $0.mdhd = fullBox("mdhd", words(0, 0, 0, 1), hex("55c4 0000"))
    },
    HostileTrack("mdhd of version 1 is as short as version 0", "mdia", "mdhd", at: "mdhd", 28) {
      $0.mdhd = fullBox("mdhd", version: 1, words(0, 0, 48000, 1), hex("55c4"))
    },
    HostileTrack("hdlr is cut off", "mdia", "hdlr", at: "hdlr", 20) {
      $0.hdlr = fullBox("hdlr", zeros(4), Array("soun".utf8), zeros(11))
    },
    HostileTrack("elst counts more edits than it holds", "edts", "elst", at: "elst", 12) {
      $0.edts = box("edts", fullBox("elst", words(0xffff_ffff)))
    },
    HostileTrack("dref has an entry without flags", "mdia", "minf", "dinf", "dref", "url ", at: "url ", 8) {
      $0.dinf = box("dinf", fullBox("dref", words(1), box("url ", zeros(2))))
    },
    HostileTrack("a box inside dinf has size 0", "mdia", "minf", "dinf", at: "dref", 0) {
      $0.dinf = box("dinf", hex("00000000 64726566"))
    },
    HostileTrack("a box inside edts is smaller than its header", "edts", at: "elst", 0) {
      $0.edts = box("edts", hex("00000004 656c7374"))
    },
    HostileTrack("a box inside minf leaves it", "mdia", "minf", at: "smhd", 0) {
      $0.smhd = hex("7fffffff 736d6864")
    },
  ]

  static let descriptions = [
    HostileTrack("stsd counts no entry", "mdia", "minf", "stbl", "stsd", at: "stsd", 12) {
      $0.stsd = fullBox("stsd", words(0), soundEntry())
    },
    HostileTrack("stsd counts more entries than it holds", "mdia", "minf", "stbl", "stsd", at: "stsd", 12) {
      $0.stsd = fullBox("stsd", words(2), soundEntry())
    },
    HostileTrack("stsd counts 2^32 - 1 entries", "mdia", "minf", "stbl", "stsd", at: "stsd", 12) {
      $0.stsd = fullBox("stsd", words(0xffff_ffff), soundEntry())
    },
    HostileTrack("a sample entry leaves stsd", "mdia", "minf", "stbl", "stsd", at: "stsd", 16) {
      $0.stsd = fullBox("stsd", words(1), hex("000000ff 65632d33"))
    },
    HostileTrack("a sample entry has size 0", "mdia", "minf", "stbl", "stsd", at: "stsd", 16) {
      $0.stsd = fullBox("stsd", words(1), hex("00000000 65632d33"))
    },
    HostileTrack("stsc names an entry that stsd lacks", "mdia", "minf", "stbl", at: "stbl", 0) {
      $0.stsc = tableBox("stsc", [[1, 2, 2]])
    },
  ]

  static let tables = [
    HostileTrack("stts counts more runs than it holds", "mdia", "minf", "stbl", "stts", at: "stts", 12) {
      $0.stts = tableBox("stts", [[4, 1536]], count: 0xffff_ffff)
    },
    HostileTrack("stsz counts more sizes than it holds", "mdia", "minf", "stbl", "stsz", at: "stsz", 16) {
      $0.stsz = fullBox("stsz", words(0, 0xffff_ffff), zeros(64))
    },
    HostileTrack("stz2 has fields of 0 bits", "mdia", "minf", "stbl", "stz2", at: "stz2", 12) {
      $0.stsz = fullBox("stz2", words(0, 4), zeros(64))
    },
    HostileTrack("stz2 counts more half bytes than it holds", "mdia", "minf", "stbl", "stz2", at: "stz2", 16)
    {
      $0.stsz = fullBox("stz2", words(4, 0xffff_ffff), zeros(64))
    },
    HostileTrack("stco counts more than it holds", "mdia", "minf", "stbl", "stco", at: "stco", 12) {
      $0.stco = tableBox("stco", [[1000]], count: 0x4000_0001)
    },
    HostileTrack("co64 counts more than it holds", "mdia", "minf", "stbl", "co64", at: "co64", 12) {
      $0.stco = tableBox("co64", [[0, 1000]], count: 0x2000_0001)
    },
    HostileTrack("stsc counts more runs than it holds", "mdia", "minf", "stbl", "stsc", at: "stsc", 12) {
      $0.stsc = tableBox("stsc", [[1, 2, 1]], count: 0x1555_5556)
    },
    HostileTrack("stsc does not start with chunk 1", "mdia", "minf", "stbl", "stsc", at: "stsc", 16) {
      $0.stsc = tableBox("stsc", [[2, 2, 1]])
    },
    HostileTrack("stsc does not ascend", "mdia", "minf", "stbl", "stsc", at: "stsc", 28) {
      $0.stsc = tableBox("stsc", [[1, 2, 1], [1, 2, 1]])
    },
    HostileTrack("stsc has a run of no samples", "mdia", "minf", "stbl", "stsc", at: "stsc", 28) {
      $0.stsc = tableBox("stsc", [[1, 2, 1], [2, 0, 1]])
    },
    HostileTrack("stsc has a run behind the last chunk", "mdia", "minf", "stbl", "stsc", at: "stsc", 28) {
      $0.stsc = tableBox("stsc", [[1, 2, 1], [3, 2, 1]])
    },
    HostileTrack("the chunks hold fewer samples than have a size", "mdia", "minf", "stbl", at: "stbl", 0) {
      $0.stsz = fullBox("stsz", words(100, 5))
    },
    HostileTrack("2^32 - 1 samples of one size lie in two chunks", "mdia", "minf", "stbl", at: "stbl", 0) {
      $0.stsz = fullBox("stsz", words(1, 0xffff_ffff))
    },
    HostileTrack("samples lie in no run", "mdia", "minf", "stbl", at: "stbl", 0) {
      $0.stsc = tableBox("stsc", [])
    },
  ]

  static let missing = [
    HostileTrack("tkhd is missing", at: "trak", 0) { $0.tkhd = [] },
    HostileTrack("mdhd is missing", at: "trak", 0) { $0.mdhd = [] },
    HostileTrack("hdlr is missing", at: "trak", 0) { $0.hdlr = [] },
    HostileTrack("stsd is missing", "mdia", "minf", "stbl", at: "stbl", 0) { $0.stsd = [] },
    HostileTrack("stts is missing", "mdia", "minf", "stbl", at: "stbl", 0) { $0.stts = [] },
    HostileTrack("stsz is missing", "mdia", "minf", "stbl", at: "stbl", 0) { $0.stsz = [] },
    HostileTrack("stsc is missing", "mdia", "minf", "stbl", at: "stbl", 0) { $0.stsc = [] },
    HostileTrack("stco is missing", "mdia", "minf", "stbl", at: "stbl", 0) { $0.stco = [] },
  ]
}

struct HostileTrackTests {
  @Test(
    arguments: HostileTrack.headers + HostileTrack.descriptions + HostileTrack.tables + HostileTrack.missing)
  func `a track that breaks a rule is broken, at the byte that breaks it`(hostile: HostileTrack) throws {
    let bytes = movieBox(hostile.track)
    let movie = try Movie(parsing: try onlyBox(in: bytes), in: bytes.rawBytes)
    #expect(movie.tracks.isEmpty)
    let error = try #require(movie.brokenTracks.first).error
    #expect(error.kind == .malformed)
    #expect(error.path == ["moov", "trak"] + hostile.path)
    let origin = try #require(offset(of: hostile.origin, in: bytes))
    #expect(error.offset == origin + hostile.distance, "\(error.message)")
  }

  @Test(arguments: ["mdia", "minf", "stbl"]) func `a track without the boxes around its table is broken`(
    type: String
  ) throws {
    let whole = movieBox(TrackBytes())
    let start = try #require(offset(of: type, in: whole))
    var bytes = whole
    bytes.replaceSubrange(start + 4..<start + 8, with: Array("free".utf8))
    let movie = try Movie(parsing: try onlyBox(in: bytes), in: bytes.rawBytes)
    #expect(movie.tracks.isEmpty)
    let error = try #require(movie.brokenTracks.first).error
    #expect(error.offset == offset(of: "trak", in: bytes))
    #expect(error.message.hasPrefix("trak has no mdia"))
  }

  @Test func `boxes of eight zero bytes end a container instead of looping`() throws {
    let bytes = movieBox(.with { $0.smhd = zeros(8) + $0.smhd }, more: zeros(64))
    let movie = try Movie(parsing: try onlyBox(in: bytes), in: bytes.rawBytes)
    // Nothing behind the zeros is seen, stbl neither.
    #expect(movie.brokenTracks.map(\.error.message) == ["trak has no mdia/minf/stbl"])
  }

  @Test func `many boxes of no payload are walked once`() throws {
    let bytes = movieBox(TrackBytes(), more: (0..<20_000).flatMap { _ in box("free") })
    let movie = try Movie(parsing: try onlyBox(in: bytes), in: bytes.rawBytes)
    #expect(movie.tracks.count == 1)
  }
}
