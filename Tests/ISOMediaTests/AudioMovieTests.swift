import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

struct AudioMovieTests {
  private func movie(
    sizes: AudioMovie.Sizes = .constant(320), width: ChunkOffsets.Width = .bits32, sampleCount: UInt32 = 7
  ) -> AudioMovie {
    AudioMovie(
      provenance: AudioMovie.Provenance(), sampleRate: 48000, sampleCount: sampleCount, sampleDelta: 1536,
      sizes: sizes,
      chunkRuns: [
        SampleToChunk.Run(firstChunk: 0, samplesPerChunk: 3),
        SampleToChunk.Run(firstChunk: 2, samplesPerChunk: 1),
      ], chunkOffsets: [1000, 3000, 5000], offsetWidth: width)
  }

  private func write(_ movie: AudioMovie) -> [UInt8] {
    var boxes = BoxWriter()
    movie.write(to: &boxes) { $0.writer.put(bytes: soundEntry(dec3)) }
    return boxes.writer.bytes
  }

  private func parse(_ bytes: [UInt8]) throws -> Movie {
    let movie = try Movie(parsing: try onlyBox(in: bytes), in: bytes.rawBytes)
    #expect(movie.brokenTracks.isEmpty)
    return movie
  }

  /// Everything byte by byte, as ISO/IEC 14496-12 has it.
  @Test func `moov is written as the standard has it`() {
    let stbl = box(
      "stbl", fullBox("stsd", words(1), soundEntry(dec3)), tableBox("stts", [[7, 1536]]),
      tableBox("stsc", [[1, 3, 1], [3, 1, 1]]), fullBox("stsz", words(320, 7)),
      tableBox("stco", [[1000], [3000], [5000]]))
    let dinf = box("dinf", fullBox("dref", words(1), fullBox("url ", flags: 1)))
    let mdia = box(
      "mdia", fullBox("mdhd", words(0, 0, 48000, 10752), hex("55c4 0000")),
      fullBox("hdlr", zeros(4), Array("soun".utf8), zeros(12), Array("SoundHandler".utf8), [0]),
      box("minf", fullBox("smhd", zeros(4)), dinf, stbl))
    let tkhd = fullBox(
      "tkhd", flags: 3, words(0, 0, 1, 0, 10752), zeros(12), hex("0100 0000"), unityMatrix, zeros(8))
    let mvhd = fullBox(
      "mvhd", words(0, 0, 48000, 10752, 0x1_0000), hex("0100"), zeros(10), unityMatrix, zeros(24), words(2))
    #expect(write(movie()) == box("moov", mvhd, box("trak", tkhd, mdia)))
  }

  @Test func `all durations are those of the samples`() throws {
    let parsed = try parse(write(movie()))
    let track = try #require(parsed.tracks.first)
    #expect(parsed.header.timescale == 48000)
    #expect(track.mediaHeader.timescale == 48000)
    #expect(
      [parsed.header.duration, track.header.duration, track.mediaHeader.duration] == [10752, 10752, 10752])
    #expect(parsed.header.nextTrackID > track.header.trackID)
    #expect(track.header.isEnabled)
    #expect(track.editList == nil)
  }

  @Test func `samples are found where they were put`() throws {
    let bytes = write(movie()) + zeros(6000)
    let moov = try #require(offset(of: "moov", in: bytes))
    var cursor = bytes.rawBytes.cursor(moov..<bytes.count)
    let box = try BoxHeader(parsing: &cursor).box(endingBefore: bytes.count)
    let table = try #require(try Movie(parsing: box, in: bytes.rawBytes).tracks.first).sampleTable
    #expect(
      try table.extents(of: 0..<7, in: bytes.rawBytes) == [
        SampleExtent(offset: 1000, byteCount: 960, sampleCount: 3),
        SampleExtent(offset: 3000, byteCount: 960, sampleCount: 3),
        SampleExtent(offset: 5000, byteCount: 320, sampleCount: 1),
      ])
  }

  @Test func `sizes that differ are written as a table`() throws {
    let bytes = write(movie(sizes: .table(words(320, 322, 324, 326, 328, 330, 332))))
    let sizes = try #require(try parse(bytes).tracks.first).sampleTable.sizes
    #expect(sizes.constantSize == nil)
    #expect((0..<7).map { sizes.size(of: $0, in: bytes.rawBytes) } == [320, 322, 324, 326, 328, 330, 332])
  }

  @Test func `offsets may be of 64 bits`() throws {
    var wide = movie(width: .bits64)
    wide.chunkOffsets = [0x1_0000_0000, 0x1_0000_1000, 0x1_0000_2000]
    let bytes = write(wide)
    let offsets = try #require(try parse(bytes).tracks.first).sampleTable.chunkOffsets
    #expect(offsets.width == .bits64)
    #expect(
      try (0..<3).map { try offsets.offset(ofChunk: $0, in: bytes.rawBytes) } == wide.chunkOffsets)
  }

  @Test func `what the source said of itself is carried over`() throws {
    var named = movie()
    named.provenance.movieTimes = MovieTimes(creation: 3_786_912_060, modification: 1)
    named.provenance.trackTimes = MovieTimes(creation: 3_786_912_000, modification: 2)
    named.provenance.mediaTimes = MovieTimes(creation: 0x1_0000_0000, modification: 3)
    named.provenance.language = Language(packed: 0x10b5)
    named.provenance.handlerName = Array("Kerfless test".utf8)
    named.provenance.extendedLanguage = fullBox("elng", Array("de-CH".utf8), [0])
    let bytes = write(named)
    let parsed = try parse(bytes)
    let track = try #require(parsed.tracks.first)
    #expect(parsed.header.times == named.provenance.movieTimes)
    #expect(track.header.times == named.provenance.trackTimes)
    #expect(track.mediaHeader.times == named.provenance.mediaTimes)
    #expect(track.mediaHeader.language.code == "deu")
    #expect(track.handler.name == named.provenance.handlerName)
    let elng = try #require(track.extendedLanguage)
    #expect(Array(bytes[elng.offset..<elng.payload.upperBound]) == named.provenance.extendedLanguage)
  }

  @Test func `a track of more than 32 bits of PCM samples has long headers`() throws {
    // 40 days at 48 kHz
    let parsed = try parse(write(movie(sampleCount: 108_000_000)).replacingSampleCount())
    let track = try #require(parsed.tracks.first)
    #expect(parsed.header.duration == 165_888_000_000)
    #expect(track.header.duration == 165_888_000_000)
    #expect(track.mediaHeader.duration == 165_888_000_000)
  }
}

extension [UInt8] {
  /// The count in `stsz` set to what the three chunks of the test hold.
  fileprivate func replacingSampleCount() -> [UInt8] {
    guard let stsz = offset(of: "stsz", in: self) else { return self }
    var changed = self
    changed.replaceSubrange(stsz + 16..<stsz + 20, with: words(7))
    return changed
  }
}
