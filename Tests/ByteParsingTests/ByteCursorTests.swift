import ByteParsing
import TestSupport
import Testing

struct ByteCursorTests {
  @Test func `numbers are read big-endian, one behind the other`() throws {
    let bytes = hex("01 0203 04050607 08090a0b0c0d0e0f ff fffe 65632d33")
    var cursor = ByteCursor(bytes.rawBytes, origin: 0)
    let byte: UInt8 = try cursor.read()
    let short = try cursor.read(UInt16.self)
    let word = try cursor.read(UInt32.self)
    let long = try cursor.read(UInt64.self)
    let negativeByte = try cursor.read(Int8.self)
    let negativeShort = try cursor.read(Int16.self)
    let code = try cursor.readFourCC()
    let left = cursor.remaining
    #expect(byte == 1)
    #expect(short == 0x0203)
    #expect(word == 0x0405_0607)
    #expect(long == 0x0809_0a0b_0c0d_0e0f)
    #expect(negativeByte == -1)
    #expect(negativeShort == -2)
    #expect(code == "ec-3")
    #expect(left == 0)
  }

  @Test func `bytes are read as they are and passed over`() throws {
    let bytes = hex("00 01 02 03 04 05")
    var cursor = ByteCursor(bytes.rawBytes, origin: 0)
    let first = try cursor.readBytes(2)
    try cursor.skip(1)
    let none = try cursor.readBytes(0)
    let rest = try cursor.readBytes(3)
    #expect(first == [0, 1])
    #expect(none.isEmpty)
    #expect(rest == [3, 4, 5])
  }

  @Test func `the offset is counted from the origin`() throws {
    let bytes = [UInt8](repeating: 0, count: 9)
    var cursor = ByteCursor(bytes.rawBytes, origin: 4000)
    let start = cursor.offset
    try cursor.skip(3)
    _ = try cursor.read(UInt32.self)
    let (offset, position, remaining) = (cursor.offset, cursor.position, cursor.remaining)
    #expect(start == 4000)
    #expect(offset == 4007)
    #expect(position == 7)
    #expect(remaining == 2)
  }

  @Test(arguments: 0...7) func `a number that is cut off is an error at its own offset`(available: Int) {
    let bytes = [UInt8](repeating: 0xff, count: 3 + available)
    let error = #expect(throws: ParsingError.self) {
      var cursor = ByteCursor(bytes.rawBytes, origin: 100)
      try cursor.skip(3)
      _ = try cursor.read(UInt64.self)
    }
    #expect(error == .malformed("8 bytes are needed and \(available) are left", at: 103))
  }

  @Test func `a failed read moves nothing, so a shorter one can follow`() throws {
    let bytes = hex("0102")
    var cursor = ByteCursor(bytes.rawBytes, origin: 0)
    let long = try? cursor.read(UInt32.self)
    let short = try cursor.read(UInt16.self)
    #expect(long == nil)
    #expect(short == 0x0102)
  }

  @Test(arguments: [-1, Int.min, 5, Int.max])
  func `a count that is negative or too large is an error`(count: Int) {
    let bytes: [UInt8] = [1, 2, 3, 4]
    let skipped = #expect(throws: ParsingError.self) {
      var cursor = ByteCursor(bytes.rawBytes, origin: 7)
      try cursor.skip(count)
    }
    let read = #expect(throws: ParsingError.self) {
      var cursor = ByteCursor(bytes.rawBytes, origin: 7)
      _ = try cursor.readBytes(count)
    }
    #expect(skipped?.offset == 7)
    #expect(read == skipped)
    #expect(read?.kind == .malformed)
  }

  @Test func `an empty run of bytes has nothing to read`() {
    let bytes: [UInt8] = []
    let error = #expect(throws: ParsingError.self) {
      var cursor = ByteCursor(bytes.rawBytes, origin: 12)
      _ = try cursor.read(UInt8.self)
    }
    #expect(error?.offset == 12)
  }
}
