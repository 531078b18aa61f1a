import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

/// Sizes by ISO/IEC 14496-12, 8.6 and 8.7.
struct TableShapeTests {
  @Test(arguments: [
    (tableBox("stts", [[4, 1536], [1, 640]]), 2, 24), (tableBox("ctts", [[1, 2]]), 1, 16),
    (tableBox("stsc", [[1, 2, 1]]), 1, 20), (tableBox("stss", [[1], [5], [9]]), 3, 20),
    (tableBox("stco", [[1000], [2000]]), 2, 16), (fullBox("co64", words(1, 0, 1000)), 1, 16),
    (fullBox("stsz", words(100, 4)), 4, 12), (fullBox("stsz", words(0, 2, 10, 20)), 2, 20),
    (fullBox("stz2", words(16, 3), zeros(6)), 3, 18), (fullBox("stz2", words(4, 3), zeros(2)), 3, 14),
    (fullBox("elst", words(1, 10, 0, 0x1_0000)), 1, 20),
    (fullBox("elst", version: 1, words(1, 0, 10, 0, 0, 0x1_0000)), 1, 28),
  ])
  func `a table needs room for what it counts`(bytes: [UInt8], count: Int, byteCount: Int) throws {
    let shape = try #require(TableShape(of: try onlyBox(in: bytes), in: bytes.rawBytes))
    #expect(shape.count == count)
    #expect(shape.byteCount == byteCount)
    #expect(shape.byteCount == bytes.count - 8)
  }

  @Test func `what is no table has no shape`() throws {
    for bytes in [box("free", zeros(20)), box("stts", zeros(7)), fullBox("stsz", words(0))] {
      #expect(TableShape(of: try onlyBox(in: bytes), in: bytes.rawBytes) == nil)
    }
  }

  @Test(arguments: [(UInt8(0), 16, 4), (1, 24, 8)])
  func `the duration of a header stands where its version puts it`(version: UInt8, distance: Int, width: Int)
    throws
  {
    for type in ["mvhd", "mdhd"] {
      let bytes = fullBox(type, version: version, zeros(40))
      let place = try onlyBox(in: bytes).durationPlace(in: bytes.rawBytes)
      #expect(place == NumberPlace(offset: 8 + distance, byteCount: width))
    }
    let track = fullBox("tkhd", version: version, zeros(40))
    let place = try onlyBox(in: track).durationPlace(in: track.rawBytes)
    #expect(place == NumberPlace(offset: 8 + distance + 4, byteCount: width))
    let short = fullBox("mdhd", version: version, zeros(distance - 8))
    #expect(try onlyBox(in: short).durationPlace(in: short.rawBytes) == nil)
  }

  @Test func `a number is written where it fits`() {
    #expect(NumberPlace(offset: 0, byteCount: 4).bytes(for: 0x0102_0304) == hex("01020304"))
    #expect(NumberPlace(offset: 0, byteCount: 4).bytes(for: 1 << 32) == nil)
    #expect(NumberPlace(offset: 0, byteCount: 4).bytes(for: -1) == nil)
    #expect(NumberPlace(offset: 0, byteCount: 8).bytes(for: 1 << 32) == hex("0000000100000000"))
  }

  @Test func `chunks come one by one with their samples`() throws {
    let track = TrackBytes.with {
      $0.stsc = tableBox("stsc", [[1, 3, 1], [2, 2, 1]])
      $0.stsz = fullBox("stsz", words(0, 6, 10, 20, 30, 40, 50, 60))
      $0.stts = tableBox("stts", [[6, 1536]])
      $0.stco = tableBox("stco", [[1000], [2000], [3000]])
    }
    let table = try SampleTable(parsing: try onlyBox(in: track.stbl), in: track.stbl.rawBytes)
    var chunks: [Chunk] = []
    try table.forEachChunk(in: track.stbl.rawBytes) { chunks.append($0) }
    #expect(
      chunks == [
        Chunk(index: 0, offset: 1000, byteCount: 60, samples: 0..<3),
        Chunk(index: 1, offset: 2000, byteCount: 90, samples: 3..<5),
        Chunk(index: 2, offset: 3000, byteCount: 60, samples: 5..<6),
      ])
  }
}
