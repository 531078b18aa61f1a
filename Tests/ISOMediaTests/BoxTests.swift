import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

struct BoxHeaderTests {
  private func header(_ bytes: [UInt8], at offset: Int = 0) throws -> BoxHeader {
    var cursor = ByteCursor(bytes.rawBytes, origin: offset)
    return try BoxHeader(parsing: &cursor)
  }

  @Test(arguments: [
    ("00000020 66747970", "ftyp" as FourCC, 8, 32 as Int?),
    ("00000008 66726565", "free", 8, 8),
    ("ffffffff 6d646174", "mdat", 8, 0xffff_ffff),
    // 64-bit size
    ("00000001 6d646174 0000000000000010", "mdat", 16, 16),
    ("00000001 6d646174 0000000123456789", "mdat", 16, 0x1_2345_6789),
    ("00000001 6d646174 7fffffffffffffff", "mdat", 16, Int.max),
    // To the end of the file
    ("00000000 6d646174", "mdat", 8, nil),
    // Extended types
    ("00000018 75756964 000102030405060708090a0b0c0d0e0f", "uuid", 24, 24),
    ("00000001 75756964 0000000000000020 000102030405060708090a0b0c0d0e0f", "uuid", 32, 32),
    ("00000000 75756964 000102030405060708090a0b0c0d0e0f", "uuid", 24, nil),
  ])
  func `a header states its type, its own length and the box's size`(
    bytes: String, type: FourCC, headerByteCount: Int, byteCount: Int?
  ) throws {
    let header = try header(hex(bytes), at: 500)
    #expect(header.type == type)
    #expect(header.offset == 500)
    #expect(header.headerByteCount == headerByteCount)
    #expect(header.byteCount == byteCount)
    #expect(headerByteCount <= BoxHeader.maximumByteCount)
  }

  @Test(arguments: [
    ("00000002 66726565", 2, 8), ("00000007 66726565", 7, 8),
    ("00000001 66726565 000000000000000f", 15, 16), ("00000001 66726565 0000000000000000", 0, 16),
    ("00000017 75756964 000102030405060708090a0b0c0d0e0f", 23, 24),
    ("00000001 75756964 000000000000001f 000102030405060708090a0b0c0d0e0f", 31, 32),
  ])
  func `a size below the header's own is refused`(bytes: String, size: Int, header: Int) throws {
    let error = #expect(throws: ParsingError.self) { try self.header(hex(bytes), at: 40) }
    #expect(error?.offset == 40)
    #expect(error?.message.contains("a size of \(size), less than its own header of \(header)") == true)
  }

  @Test func `a size of 64 bits is refused at its own offset`() {
    let bytes = hex("00000001 6d646174 8000000000000000")
    let error = #expect(throws: ParsingError.self) { try header(bytes, at: 40) }
    #expect(error?.offset == 48)
  }

  @Test(arguments: [
    "", "00", "00000008", "00000008 667265", "00000001 6d646174", "00000001 6d646174 00000000000000",
    "00000018 75756964 000102030405060708090a0b0c0d0e",
  ])
  func `a header that is cut off is refused`(bytes: String) {
    #expect(throws: ParsingError.self) { try header(hex(bytes)) }
  }

  @Test func `a box fits when it ends where its enclosure does`() throws {
    let header = try header(hex("00000020 66747970"), at: 100)
    #expect(try header.box(endingBefore: 132) == Box(type: "ftyp", offset: 100, payload: 108..<132))
    #expect(try header.box(endingBefore: 1000) == Box(type: "ftyp", offset: 100, payload: 108..<132))
    let error = #expect(throws: ParsingError.self) { try header.box(endingBefore: 131) }
    #expect(error?.offset == 100)
    #expect(error?.message == "box ftyp reaches to byte 132, beyond its enclosure's end at 131")
  }

  @Test func `a box of size 0 reaches to the end`() throws {
    let header = try header(hex("00000000 6d646174"), at: 100)
    #expect(try header.box(endingBefore: 5000).payload == 108..<5000)
    #expect(try header.box(endingBefore: 108).payload.isEmpty)
    #expect(throws: ParsingError.self) { try header.box(endingBefore: 107) }
  }

  @Test func `a box whose end exceeds 63 bits is refused`() throws {
    let header = try header(hex("00000001 6d646174 7fffffffffffffff"), at: 100)
    let error = #expect(throws: ParsingError.self) { try header.box(endingBefore: Int.max) }
    #expect(error?.offset == 100)
  }

  @Test func `version and flags share four bytes`() throws {
    let bytes = hex("01 abcdef")
    var cursor = ByteCursor(bytes.rawBytes, origin: 0)
    let full = try FullBoxHeader(parsing: &cursor)
    #expect(full.version == 1)
    #expect(full.flags == 0xabcdef)
  }
}

struct BoxWalkTests {
  private func types(_ bytes: [UInt8], in range: Range<Int>? = nil) throws -> [FourCC] {
    var found: [FourCC] = []
    try bytes.rawBytes.forEachBox(in: range ?? 0..<bytes.count) { found.append($0.type) }
    return found
  }

  @Test func `boxes are visited in order with their absolute places`() throws {
    let bytes =
      zeros(5) + box("free", [1, 2, 3]) + hex("00000001 6d646174 0000000000000012 aabb") + box("skip")
    var found: [Box] = []
    try bytes.rawBytes.forEachBox(in: 5..<bytes.count) { found.append($0) }
    #expect(
      found == [
        Box(type: "free", offset: 5, payload: 13..<16), Box(type: "mdat", offset: 16, payload: 32..<34),
        Box(type: "skip", offset: 34, payload: 42..<42),
      ])
  }

  @Test(arguments: 0...7) func `a tail shorter than a header is padding`(count: Int) throws {
    #expect(try types(box("free") + [UInt8](repeating: 0xff, count: count)) == ["free"])
  }

  @Test func `eight zero bytes end the walk`() throws {
    #expect(try types(box("free") + zeros(8) + hex("00000001")) == ["free"])
    #expect(try types(zeros(4000)) == [])
    #expect(try types([]) == [])
  }

  @Test func `a box of type 0 with a size does not end it`() throws {
    #expect(try types(hex("00000008 00000000") + box("free")) == [FourCC(rawValue: 0), "free"])
  }

  @Test func `a size of 0 is refused where boxes are enclosed`() throws {
    let bytes = box("free") + hex("00000000 66726565")
    let error = #expect(throws: ParsingError.self) { try types(bytes) }
    #expect(error?.offset == 8)
    #expect(error?.message.contains("has size 0") == true)
  }

  @Test(arguments: ["00000011 66726565 0000000000000000", "ffffffff 66726565", "00000009 66726565"])
  func `a box that leaves its enclosure is refused`(bytes: String) {
    let error = #expect(throws: ParsingError.self) { try types(hex(bytes)) }
    #expect(error?.offset == 0)
    #expect(error?.message.contains("beyond its enclosure's end") == true)
  }

  @Test func `the enclosure ends where the range does, not where the bytes do`() throws {
    let bytes = box("free", zeros(8)) + box("skip")
    #expect(throws: ParsingError.self) { try types(bytes, in: 0..<15) }
    #expect(try types(bytes, in: 0..<16) == ["free"])
  }

  @Test func `an error thrown in a box carries the box's type`() {
    let bytes = box("moov", box("trak"))
    let error = #expect(throws: ParsingError.self) {
      try bytes.rawBytes.forEachBox(in: 0..<bytes.count) { (outer) throws(ParsingError) in
        try bytes.rawBytes.forEachBox(in: outer.payload) { (inner) throws(ParsingError) in
          throw .malformed("m", at: inner.offset)
        }
      }
    }
    #expect(error?.path == ["moov", "trak"])
    #expect(error?.offset == 8)
  }
}
