import ByteParsing
import TestSupport
import Testing

@testable import EnhancedAC3

struct AccessUnitWalkerTests {
  @Test func `the index lists streams`() {
    #expect(StreamFixture.all.count >= 12)
  }

  @Test(arguments: StreamFixture.all) func `streams have as many access units as the index says`(
    stream: StreamFixture
  ) throws {
    let bytes = try Media.bytes(stream.name)
    #expect(bytes.count == stream.fileByteCount)
    let (units, end) = try walk(bytes, from: stream.start, stream.byteOrder)
    #expect(units.count == stream.unitCount)
    let sizes = units.map(\.byteCount)
    let least = try #require(sizes.min())
    let most = try #require(sizes.max())
    #expect((least == most ? "\(least)" : "variable \(least)..\(most)") == stream.unitByteCounts)
    // Units follow each other without a gap.
    #expect(units.first?.offset == stream.start)
    for (unit, next) in zip(units, units.dropFirst()) { #expect(unit.offset + unit.byteCount == next.offset) }
    #expect(end == units.last.map { $0.offset + $0.byteCount })
    // 100 bytes of a torn unit are left over in one stream.
    #expect(bytes.count - end == (stream.name == "ddp51-torn.ec3" ? 100 : 0))
  }

  @Test(arguments: StreamFixture.all) func `every access unit that is found parses`(stream: StreamFixture)
    throws
  {
    let bytes = try Media.bytes(stream.name)
    for unit in try stream.units() {
      let own = Array(bytes[unit.offset..<unit.offset + unit.byteCount])
      let ordered = stream.byteOrder == .bigEndian ? own : own.rawBytes.swappingPairs()
      let parsed = try AccessUnit(parsing: ordered.rawBytes, origin: unit.offset)
      #expect(parsed.syncFrameCount == unit.syncFrameCount)
      #expect(parsed.format.sampleRate == stream.sampleRate)
    }
  }

  @Test(arguments: [
    "joc51.ec3", "ddp20-44k1.ec3", "ddp71.ec3", "ddp2ind.ec3", "ddp-3blk.ec3", "ddp-1blk.ec3", "ac3-51.ac3",
  ])
  func `a tail that is torn anywhere is left over`(name: String) throws {
    let stream = try #require(StreamFixture.all.first { $0.name == name })
    let bytes = try Media.bytes(name)
    let units = try stream.units()
    // The last two of four units are torn at every byte.
    let whole = Array(units[..<4])
    for end in whole[2].offset..<whole[3].offset + whole[3].byteCount {
      let (found, position) = try walk(Array(bytes[..<end]))
      let expected = whole.filter { $0.offset + $0.byteCount <= end }
      #expect(found == expected, "\(end) bytes")
      #expect(position == expected.last.map { $0.offset + $0.byteCount }, "\(end) bytes")
    }
  }

  @Test func `sizes and frames may change from unit to unit`() throws {
    let short = frames("I0") { $0.byteCount = 64 }
    let long = frames("I0") { $0.byteCount = 200 }
    let parts = frames("I0 I0") { $0.secondCode = 2 }
    let (units, end) = try walk((short + long + parts + short + parts).flatMap { $0 })
    #expect(units.map(\.byteCount) == [64, 200, 192, 64, 192])
    #expect(units.map(\.syncFrameCount) == [1, 1, 2, 1, 2])
    #expect(end == 64 + 200 + 192 + 64 + 192)
  }

  @Test func `dependents and further programmes belong to the unit in front of them`() throws {
    let (units, _) = try walk(frames("I0 D0 D1 I1 D0 I0 D0 D1 I1 D0").flatMap { $0 })
    #expect(units.map(\.syncFrameCount) == [5, 5])
    #expect(units.map(\.byteCount) == [2 * 96 + 3 * 64, 2 * 96 + 3 * 64])
  }

  @Test func `a unit with less frames than the one before is torn at the end of the file`() throws {
    let (units, end) = try walk(frames("I0 D0 I0 D0 I0").flatMap { $0 })
    #expect(units.count == 2)
    #expect(end == 2 * 160)
  }

  @Test func `no bytes are no units`() throws {
    for bytes in [[], [0x0b], hex("0b77 037f 3f"), hex("0b77 037f 3f 86 c0 00")] {
      let (units, end) = try walk(bytes)
      #expect(units.isEmpty)
      #expect(end == 0)
    }
    #expect(try walk([0x0b], from: 5).units.isEmpty)
  }

  @Test func `a walk may start anywhere`() throws {
    let bytes = try Media.bytes("joc51.ec3")
    let (units, _) = try walk(bytes, from: 63 * 320)
    #expect(units.map(\.offset) == [63 * 320])
    #expect(units.map(\.byteCount) == [320])
    #expect(units.map(\.syncFrameCount) == [1])
  }

  @Test(arguments: [1, 7, 8, 100, 319, 320, 321]) func `garbage between units is refused where it starts`(
    count: Int
  ) throws {
    let unit = Array(try Media.bytes("joc51.ec3")[..<320])
    let garbage = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 1) }
    let error = #expect(throws: ParsingError.self) { try walk(unit + unit + garbage + unit) }
    #expect(error?.offset == 640)
    #expect(error?.kind == .malformed)
  }

  @Test func `garbage inside a unit is refused where the next frame should start`() throws {
    var bytes = frames("I0 D0 I0 D0").flatMap { $0 }
    bytes[96] = 0x55
    let error = #expect(throws: ParsingError.self) { try walk(bytes) }
    #expect(error?.offset == 96)
  }

  @Test func `a stream that does not start with I0 is refused`() {
    for names in ["D0 I0", "I1 I0"] {
      let bytes = [UInt8](repeating: 9, count: 50) + frames(names).flatMap { $0 }
      let error = #expect(throws: ParsingError.self) { try walk(bytes, from: 50) }
      #expect(error?.offset == 50)
    }
  }

  @Test func `a swapped stream is the plain one with pairs exchanged`() throws {
    let bytes = try Media.bytes("joc51.ec3")
    let swapped = bytes.rawBytes.swappingPairs()
    #expect(swapped.prefix(2) == [0x77, 0x0b])
    #expect(try walk(swapped, .littleEndian).units == walk(bytes).units)
    #expect(throws: ParsingError.self) { try walk(swapped) }
    #expect(throws: ParsingError.self) { try walk(bytes, .littleEndian) }
    #expect(swapped.rawBytes.swappingPairs() == bytes)
  }

  @Test func `zeros behind a unit are whole words where words are swapped`() throws {
    let unit = Array(try Media.bytes("joc51.ec3")[..<320])
    let swapped = unit.rawBytes.swappingPairs()
    for count in [2, 4, 34] {
      let zeros = [UInt8](repeating: 0, count: count)
      let (units, _) = try walk(swapped + zeros + swapped, .littleEndian)
      #expect(units.map(\.byteCount) == [320 + count, 320])
    }
    // One byte more would put all that follows beside its words.
    for count in [1, 3, 35] {
      let zeros = [UInt8](repeating: 0, count: count)
      #expect(try walk(unit + zeros + unit).units.map(\.byteCount) == [320 + count, 320])
      let error = #expect(throws: ParsingError.self) { try walk(swapped + zeros + swapped, .littleEndian) }
      #expect(error?.offset == 320 + count - 1)
    }
  }

  @Test(arguments: [("", ""), ("01", "01"), ("0102", "0201"), ("010203", "020103"), ("01020304", "02010403")])
  func `pairs are exchanged and an odd last byte stays`(bytes: String, swapped: String) {
    let bytes = hex(bytes)
    let found = bytes.rawBytes.swappingPairs()
    #expect(found == hex(swapped))
  }
}
