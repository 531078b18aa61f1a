import ByteParsing
import TestSupport
import Testing

struct RawSpanBigEndianTests {
  @Test(arguments: 0...7) func `a number is loaded from any offset`(offset: Int) {
    let bytes = hex("00010203 04050607 08090a0b 0c0d0e0f")
    let long = bytes.rawBytes.bigEndian(UInt64.self, at: offset)
    let word = bytes.rawBytes.bigEndian(UInt32.self, at: offset)
    let short = bytes.rawBytes.bigEndian(UInt16.self, at: offset)
    let byte = bytes.rawBytes.byte(at: offset)
    func expected(_ count: Int) -> UInt64 {
      bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
    #expect(long == expected(8))
    #expect(UInt64(word) == expected(4))
    #expect(UInt64(short) == expected(2))
    #expect(UInt64(byte) == expected(1))
  }

  @Test func `a copy holds the bytes of its part`() {
    let bytes = hex("00 01 02 03 04")
    let part = bytes.rawBytes.extracting(1..<4).copied()
    let none = bytes.rawBytes.extracting(2..<2).copied()
    #expect(part == [1, 2, 3])
    #expect(none.isEmpty)
  }

  @Test(arguments: [
    ("", "", true), ("0102", "0102", true), ("0102", "0103", false), ("0102", "01", false), ("", "00", false),
  ])
  func `two runs are equal when their lengths and bytes are`(mine: String, theirs: String, isEqual: Bool) {
    let (first, second) = (hex(mine), hex(theirs))
    let found = first.rawBytes.isEqual(to: second.rawBytes)
    #expect(found == isEqual)
  }
}
