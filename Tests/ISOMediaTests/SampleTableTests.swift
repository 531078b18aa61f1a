import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

struct SampleTableTests {
  private func parse(_ track: TrackBytes, fileByteCount: Int = 4000) throws -> (
    table: SampleTable, file: [UInt8]
  ) {
    let stbl = track.stbl
    let file = stbl + zeros(max(0, fileByteCount - stbl.count))
    let box = Box(type: "stbl", offset: 0, payload: 8..<stbl.count)
    return (try SampleTable(parsing: box, in: file.rawBytes), file)
  }

  private func extents(_ track: TrackBytes, _ samples: Range<Int>) throws -> [SampleExtent] {
    let (table, file) = try parse(track)
    return try table.extents(of: samples, in: file.rawBytes)
  }

  @Test func `the boxes of stbl may stand in any order`() throws {
    let track = TrackBytes()
    let stbl = box("stbl", track.stco, track.stsz, box("free"), track.stsc, track.stts, track.stsd)
    let table = try SampleTable(
      parsing: Box(type: "stbl", offset: 0, payload: 8..<stbl.count), in: stbl.rawBytes)
    #expect(table.sampleCount == 4)
    #expect(table.chunkOffsets.table.count == 2)
    #expect(table.sampleEntries(of: 0..<4, in: stbl.rawBytes).map(\.index) == [1])
  }

  @Test func `samples of a chunk are one extent`() throws {
    #expect(
      try extents(TrackBytes(), 0..<4) == [
        SampleExtent(offset: 1000, byteCount: 200, sampleCount: 2),
        SampleExtent(offset: 2000, byteCount: 200, sampleCount: 2),
      ])
  }

  @Test func `a range may start and end inside chunks`() throws {
    #expect(
      try extents(TrackBytes(), 1..<3) == [
        SampleExtent(offset: 1100, byteCount: 100, sampleCount: 1),
        SampleExtent(offset: 2000, byteCount: 100, sampleCount: 1),
      ])
    #expect(try extents(TrackBytes(), 3..<4) == [SampleExtent(offset: 2100, byteCount: 100, sampleCount: 1)])
    #expect(try extents(TrackBytes(), 2..<2) == [])
  }

  @Test func `chunks that touch are one extent`() throws {
    let track = TrackBytes.with { $0.stco = tableBox("stco", [[1000], [1200]]) }
    #expect(try extents(track, 1..<4) == [SampleExtent(offset: 1100, byteCount: 300, sampleCount: 3)])
  }

  @Test func `chunks may go backwards and overlap`() throws {
    let track = TrackBytes.with { $0.stco = tableBox("stco", [[1100], [1000]]) }
    #expect(try extents(track, 0..<4).map(\.offset) == [1100, 1000])
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>, [ChunkOffsets.Width.bits32, .bits64])
  func `extents are those of the samples one by one`(seed: UInt64, width: ChunkOffsets.Width) throws {
    var random = SeededGenerator(seed: seed)
    let chunkCount = Int.random(in: 1...12, using: &random)
    let size = Bool.random(using: &random) ? Int.random(in: 1...9, using: &random) : nil
    var runs: [[UInt32]] = []
    for chunk in 1...chunkCount where chunk == 1 || Int.random(in: 0..<4, using: &random) == 0 {
      runs.append([UInt32(chunk), UInt32.random(in: 1...3, using: &random), 1])
    }
    // Chunks that touch, leave a gap, or lie somewhere else.
    var places: [Range<Int>] = []
    var offsets: [Int] = []
    var end = 1000
    for chunk in 1...chunkCount {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: end += 1
      case 1: end = Int.random(in: 900...1100, using: &random)
      default: break
      }
      offsets.append(end)
      for _ in 0..<(runs.last { $0[0] <= UInt32(chunk) }?[1] ?? 0) {
        let next = end + (size ?? Int.random(in: 1...9, using: &random))
        places.append(end..<next)
        end = next
      }
    }
    // The last chunk need not be full.
    places.removeLast(Int(UInt32.random(in: 0..<(runs.last?[1] ?? 1), using: &random)))
    let track = TrackBytes.with {
      $0.stts = tableBox("stts", [[UInt32(places.count), 1536]])
      $0.stsc = tableBox("stsc", runs)
      $0.stsz = fullBox(
        "stsz",
        size.map { words(UInt32($0), UInt32(places.count)) }
          ?? words(0, UInt32(places.count)) + places.flatMap { words(UInt32($0.count)) })
      $0.stco =
        width == .bits32
        ? tableBox("stco", offsets.map { [UInt32($0)] })
        : fullBox("co64", words(UInt32(chunkCount)), offsets.flatMap { bigEndian(UInt64($0)) })
    }
    let (table, file) = try parse(track, fileByteCount: places.map(\.upperBound).max() ?? 0)
    for start in places.indices {
      for end in start + 1...places.count {
        var expected: [SampleExtent] = []
        for place in places[start..<end] {
          expected.append(
            merging: SampleExtent(offset: place.lowerBound, byteCount: place.count, sampleCount: 1))
        }
        #expect(try table.extents(of: start..<end, in: file.rawBytes) == expected)
      }
    }
  }

  @Test func `a file that ends inside a sample is refused at the chunk's offset`() throws {
    let track = TrackBytes()
    let (table, file) = try parse(track, fileByteCount: 2199)
    #expect(try table.extents(of: 0..<3, in: file.rawBytes).count == 2)
    let error = #expect(throws: ParsingError.self) { try table.extents(of: 0..<4, in: file.rawBytes) }
    let stco = try #require(offset(of: "stco", in: file))
    #expect(error?.offset == stco + 16 + 4)
    #expect(error?.message == "samples 2 ..< 4 lie at byte 2000 and need 200 bytes; the file ends at 2199")
  }

  @Test func `a 64-bit offset that overflows with its sizes is refused`() throws {
    let track = TrackBytes.with {
      $0.stco = fullBox(
        "co64", words(2), bigEndian(UInt64(Int.max - 50)), bigEndian(0xffff_ffff_ffff_ffff as UInt64))
    }
    #expect(throws: ParsingError.self) { try extents(track, 0..<1) }
    #expect(throws: ParsingError.self) { try extents(track, 1..<2) }
    #expect(throws: ParsingError.self) { try extents(track, 2..<3) }
  }

  @Test func `the entry that all samples use is named once`() throws {
    let track = TrackBytes.with {
      $0.stsd = fullBox("stsd", words(2), soundEntry(type: "ac-3"), soundEntry())
      $0.stsc = tableBox("stsc", [[1, 2, 2]])
    }
    let (table, file) = try parse(track)
    #expect(
      table.sampleEntries(of: 1..<3, in: file.rawBytes) == [SampleEntryUse(index: 2, firstSample: 1)])
  }

  @Test func `entries that follow each other are named with their first samples`() throws {
    let track = TrackBytes.with {
      $0.stsd = fullBox("stsd", words(3), soundEntry(type: "ac-3"), soundEntry(), soundEntry())
      $0.stsc = tableBox("stsc", [[1, 2, 3], [2, 2, 2]])
    }
    let (table, file) = try parse(track)
    let uses = [SampleEntryUse(index: 3, firstSample: 0), SampleEntryUse(index: 2, firstSample: 2)]
    #expect(table.sampleEntries(of: 0..<4, in: file.rawBytes) == uses)
    #expect(table.sampleEntries(of: 0..<2, in: file.rawBytes) == Array(uses.prefix(1)))
    #expect(table.sampleEntries(of: 3..<4, in: file.rawBytes) == [SampleEntryUse(index: 2, firstSample: 3)])
  }

  @Test func `a track of no samples, as fragmented files have it, is legal`() throws {
    let track = TrackBytes.with {
      $0.stts = tableBox("stts", [])
      $0.stsc = tableBox("stsc", [])
      $0.stsz = fullBox("stsz", words(0, 0))
      $0.stco = tableBox("stco", [])
    }
    let (table, file) = try parse(track)
    #expect(table.sampleCount == 0)
    #expect(table.sampleEntries(of: 0..<0, in: file.rawBytes) == [])
    #expect(try table.extents(of: 0..<0, in: file.rawBytes) == [])
  }

  @Test func `chunks may hold more samples than have a size`() throws {
    let track = TrackBytes.with { $0.stsz = fullBox("stsz", words(100, 3)) }
    #expect(try parse(track).table.sampleCount == 3)
    #expect(
      try extents(track, 2..<3) == [SampleExtent(offset: 2000, byteCount: 100, sampleCount: 1)])
  }
}
