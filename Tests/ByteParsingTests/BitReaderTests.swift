import ByteParsing
import TestSupport
import Testing

struct BitReaderTests {
  /// The value of `count` bits from bit `start` on, one bit at a time.
  static func reference(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
    (start..<start + count).reduce(0) { $0 << 1 | Int(bytes[$1 / 8] >> (7 - $1 % 8) & 1) }
  }

  @Test func `the most significant bit comes first`() throws {
    let bytes = hex("0b77 a5")
    var bits = BitReader(bytes.rawBytes, origin: 0)
    let word = try bits.read(16)
    let three = try bits.read(3)
    let flag = try bits.readFlag()
    let rest = try bits.read(4)
    #expect(word == 0x0b77)
    #expect(three == 0b101)
    #expect(!flag)
    #expect(rest == 0b0101)
  }

  @Test(arguments: 0...32) func `every width is read at every alignment`(width: Int) throws {
    var random = SeededGenerator(seed: UInt64(width))
    // From shorter than one 64-bit window to longer than two.
    for byteCount in [4, 5, 7, 8, 9, 15, 16, 17] {
      let bytes = (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
      for start in 0...(8 * byteCount - width) {
        var bits = BitReader(bytes.rawBytes, origin: 0)
        try bits.skip(start)
        let value = try bits.read(width)
        let position = bits.position
        #expect(value == Self.reference(bytes, start, width), "seed \(width), bit \(start) of \(bytes)")
        #expect(position == start + width)
      }
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a random run of fields equals the slow reading`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
    var bits = BitReader(bytes.rawBytes, origin: 0)
    var position = 0
    while position + 32 <= bytes.count * 8 {
      let width = Int.random(in: 0...32, using: &random)
      let value = try bits.read(width)
      #expect(value == Self.reference(bytes, position, width), "seed \(seed), bit \(position)")
      position += width
    }
    let remaining = bits.remaining
    #expect(remaining == bytes.count * 8 - position)
  }

  @Test(arguments: [(0, 100), (7, 100), (8, 101), (15, 101), (16, 102)])
  func `the offset is that of the byte with the next bit`(bit: Int, offset: Int) throws {
    let bytes = hex("000000")
    var bits = BitReader(bytes.rawBytes, origin: 100)
    try bits.skip(bit)
    let found = bits.offset
    #expect(found == offset)
  }

  @Test func `reading past the end is an error at the byte of the first missing field`() {
    let bytes = hex("ffff")
    let error = #expect(throws: ParsingError.self) {
      var bits = BitReader(bytes.rawBytes, origin: 10)
      try bits.skip(9)
      _ = try bits.read(8)
    }
    #expect(error == .malformed("the header needs 8 more bits and 7 are left", at: 11))
  }

  @Test func `passing over too much is an error and moves nothing`() throws {
    let bytes = hex("c0")
    var bits = BitReader(bytes.rawBytes, origin: 0)
    let before = bits.position
    let isRefused: Bool
    do {
      try bits.skip(9)
      isRefused = false
    } catch {
      isRefused = error == .malformed("the header needs 9 more bits and 8 are left", at: 0)
    }
    let after = bits.position
    #expect(isRefused)
    #expect(before == after)
  }

  @Test(arguments: [(true, 6), (false, 1)])
  func `an optional field is passed over only where its flag is set`(flag: Bool, position: Int) throws {
    let bytes: [UInt8] = [flag ? 0xff : 0x7f]
    var bits = BitReader(bytes.rawBytes, origin: 0)
    try bits.skipIfFlagged(5)
    let found = bits.position
    #expect(found == position)
  }

  @Test func `an optional field that is cut off is an error`() {
    let bytes = hex("80")
    #expect(throws: ParsingError.self) {
      var bits = BitReader(bytes.rawBytes, origin: 0)
      try bits.skipIfFlagged(8)
    }
  }
}
