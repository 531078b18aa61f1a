import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

struct MovieTests {
  private func parse(_ bytes: [UInt8]) throws -> Movie {
    try Movie(parsing: try onlyBox(in: bytes), in: bytes.rawBytes)
  }

  @Test func `a movie has its header and its tracks in order`() throws {
    let second = TrackBytes.with {
      $0.tkhd = fullBox("tkhd", flags: 6, words(0, 0, 5, 0, 6144), zeros(16), unityMatrix, zeros(8))
      $0.hdlr = fullBox("hdlr", zeros(4), Array("vide".utf8), zeros(12), [0])
    }
    let movie = try parse(movieBox(TrackBytes(), second))
    #expect(movie.header.timescale == 1000)
    #expect(movie.header.duration == 128)
    #expect(movie.tracks.map(\.header.trackID) == [1, 5])
    #expect(movie.tracks.map(\.header.isEnabled) == [true, false])
    #expect(movie.tracks.map(\.handler.type) == ["soun", "vide"])
    #expect(movie.brokenTracks.isEmpty)
    #expect(movie.extends == nil)
  }

  @Test func `a track has its boxes`() throws {
    let bytes = movieBox(
      .with {
        $0.edts = box("edts", fullBox("elst", words(1, 128, 256, 0x1_0000)))
        $0.elng = fullBox("elng", Array("de-CH".utf8), [0])
      })
    let track = try #require(try parse(bytes).tracks.first)
    #expect(track.mediaHeader.timescale == 48000)
    #expect(track.mediaHeader.language.code == "und")
    #expect(track.handler.name == Array("SoundHandler".utf8))
    #expect(track.editList?.entries == [EditList.Entry(segmentDuration: 128, mediaTime: 256)])
    #expect(track.dataReference?.isSelfContained == [true])
    #expect(track.sampleTable.sampleCount == 4)
    #expect(track.box.offset == offset(of: "trak", in: bytes))
    #expect(track.extendedLanguage?.offset == offset(of: "elng", in: bytes))
  }

  @Test func `edts, elng and dinf may be missing`() throws {
    let track = try #require(try parse(movieBox(.with { $0.dinf = [] })).tracks.first)
    #expect(track.editList == nil)
    #expect(track.dataReference == nil)
    #expect(track.extendedLanguage == nil)
    let empty = try #require(try parse(movieBox(.with { $0.edts = box("edts") })).tracks.first)
    #expect(empty.editList == nil)
  }

  @Test func `boxes that nobody knows are passed over in every container`() throws {
    let stray = box("kfta", [1, 2, 3]) + box("uuid", zeros(20)) + box("free") + box("udta", zeros(4))
    let bytes = movieBox(
      .with {
        $0.tkhd = stray + $0.tkhd
        $0.edts = box("edts", stray, fullBox("elst", words(0)), stray)
        $0.mdhd = stray + $0.mdhd
        $0.dinf = stray + box("dinf", stray, fullBox("dref", words(1), fullBox("url ", flags: 1)), stray)
        $0.stsd = stray + fullBox("stsd", words(1), soundEntry(stray, dec3))
        $0.stco = $0.stco + stray
      }, more: stray)
    let movie = try parse(bytes)
    #expect(movie.tracks.count == 1)
    #expect(movie.brokenTracks.isEmpty)
  }

  @Test func `mvex announces fragments`() throws {
    let movie = try parse(movieBox(TrackBytes(), more: box("mvex")))
    #expect(movie.extends == [])
  }

  @Test func `a movie without tracks is legal`() throws {
    #expect(try parse(movieBox()).tracks.isEmpty)
  }

  @Test func `a broken track does not keep the others from being used`() throws {
    let bytes = movieBox(
      .with {
        $0.tkhd = fullBox("tkhd", flags: 7, words(0, 0, 9, 0, 1), zeros(60))
        $0.mdhd = fullBox("mdhd", words(0, 0, 0, 6144), hex("55c4 0000"))
      }, TrackBytes(), .with { $0.tkhd = box("tkhd", zeros(3)) })
    let movie = try parse(bytes)
    #expect(movie.tracks.map(\.header.trackID) == [1])
    #expect(movie.brokenTracks.map(\.trackID) == [9, nil])
    let errors = movie.brokenTracks.map(\.error)
    #expect(errors.map(\.path) == [["moov", "trak", "mdia", "mdhd"], ["moov", "trak", "tkhd"]])
    let mdhd = try #require(offset(of: "mdhd", in: bytes))
    #expect(errors[0].offset == mdhd + 20)
  }

  @Test func `a track whose boxes do not fit still has a number where tkhd comes first`() throws {
    let broken = box("trak", TrackBytes().tkhd, hex("0000ffff 6d646961"))
    let movie = try parse(box("moov", movieHeaderBox(), broken))
    #expect(movie.tracks.isEmpty)
    #expect(movie.brokenTracks.map(\.trackID) == [1])
  }

  @Test func `1,024 tracks are supported and more are refused`() throws {
    let traks = (0..<1024).flatMap { _ in box("trak") }
    #expect(try parse(box("moov", movieHeaderBox(), traks)).brokenTracks.count == 1024)
    let error = #expect(throws: ParsingError.self) {
      try parse(box("moov", movieHeaderBox(), traks, box("trak")))
    }
    #expect(error?.kind == .unsupported)
    #expect(error?.path == ["moov", "trak"])
    #expect(error?.offset == 8 + 108 + 1024 * 8)
  }

  @Test(
    arguments: [
      (box("moov"), 0, ["moov"]), (box("moov", TrackBytes().trak), 0, ["moov"]),
      (box("moov", movieHeaderBox(timescale: 0)), 28, ["moov", "mvhd"]),
      (box("moov", box("mvhd", zeros(10))), 24, ["moov", "mvhd"]),
      (box("moov", movieHeaderBox(), hex("00000000 7472616b")), 116, ["moov"]),
      (box("moov", movieHeaderBox(), hex("00000007 7472616b")), 116, ["moov"]),
      (box("moov", movieHeaderBox(), hex("00000009 7472616b")), 116, ["moov"]),
      (box("moov", hex("00000001 7472616b 0000000000000008")), 8, ["moov"]),
      (box("moov", hex("00000001 7472616b ffffffffffffffff")), 16, ["moov"]),
    ] as [([UInt8], Int, [FourCC])])
  func `a movie without a right header or with wrong boxes is refused`(
    bytes: [UInt8], offset: Int, path: [FourCC]
  ) {
    let error = #expect(throws: ParsingError.self) { try parse(bytes) }
    #expect(error?.path == path)
    #expect(error?.offset == offset)
    #expect(error?.kind == .malformed)
  }
}
