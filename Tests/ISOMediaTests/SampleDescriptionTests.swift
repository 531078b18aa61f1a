import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

struct SampleDescriptionTests {
  private func parse(_ bytes: [UInt8]) throws -> SampleDescription {
    try SampleDescription(parsing: try onlyBox(in: bytes).payload, in: bytes.rawBytes)
  }

  @Test func `sample entries are found in order and stay unread`() throws {
    let bytes = fullBox("stsd", words(2), box("ec-3", [1]), box("ac-3", [2, 3]))
    #expect(
      try parse(bytes).entries == [
        Box(type: "ec-3", offset: 16, payload: 24..<25), Box(type: "ac-3", offset: 25, payload: 33..<35),
      ])
  }

  @Test func `entries beyond the count are passed over`() throws {
    let bytes = fullBox("stsd", words(1), box("ec-3"), box("ac-3"))
    #expect(try parse(bytes).entries.map(\.type) == ["ec-3"])
  }

  @Test func `1,024 entries are supported`() throws {
    let bytes = fullBox("stsd", words(1024), (0..<1024).flatMap { _ in box("ec-3") })
    #expect(try parse(bytes).entries.count == 1024)
  }

  @Test(arguments: [0 as UInt32, 1025, 0x8000_0000, 0xffff_ffff])
  func `a count of none or too many is refused`(count: UInt32) {
    let bytes = fullBox("stsd", words(count), box("ec-3"))
    let error = #expect(throws: ParsingError.self) { try parse(bytes) }
    #expect(error?.offset == 12)
    #expect(error?.message.contains("stsd counts \(count) sample entries") == true)
  }

  @Test func `a count of more than there are is refused`() {
    let bytes = fullBox("stsd", words(3), box("ec-3"), box("ec-3"))
    let error = #expect(throws: ParsingError.self) { try parse(bytes) }
    #expect(error == .malformed("stsd counts 3 sample entries and holds 2", at: 12))
  }

  @Test(arguments: ["00000007 65632d33", "00000000 65632d33", "00000009 65632d33"])
  func `an entry whose size is wrong is refused`(entry: String) {
    let bytes = fullBox("stsd", words(1), hex(entry))
    let error = #expect(throws: ParsingError.self) { try parse(bytes) }
    #expect(error?.offset == 16)
  }
}

struct DataReferenceTests {
  private func parse(_ box: Box, _ bytes: [UInt8]) throws -> DataReference {
    try DataReference(parsing: box.payload, in: bytes.rawBytes)
  }

  @Test func `a reference to this file is written and read back`() throws {
    try expectRoundTrip(
      DataReference(), as: box("dinf", fullBox("dref", words(1), fullBox("url ", flags: 1))),
      write: DataReference.write, parse: { try parse(try onlyBox(in: $1, inside: "dref"), $1) })
  }

  @Test func `an entry without flag 1 lies in another file`() throws {
    let bytes = fullBox(
      "dref", words(4), fullBox("url ", flags: 1), fullBox("url ", Array("file:///x".utf8) + [0]),
      fullBox("alis", flags: 1), fullBox("urn ", flags: 2))
    let reference = try parse(try onlyBox(in: bytes), bytes)
    #expect(reference.isSelfContained == [true, false, true, false])
    #expect([1, 2, 3, 4].map(reference.isExternal) == [false, true, false, true])
  }

  @Test func `a reference to another file is written as such`() throws {
    let bytes = box("dinf", fullBox("dref", words(2), fullBox("url ", flags: 1), fullBox("url ")))
    let reference = try parse(try onlyBox(in: bytes, inside: "dref"), bytes)
    try expectRoundTrip(
      reference, as: bytes, write: DataReference.write,
      parse: { try parse(try onlyBox(in: $1, inside: "dref"), $1) })
  }

  @Test(arguments: [0 as UInt16, 2, UInt16.max])
  func `an index without an entry is not external`(index: UInt16) throws {
    #expect(!DataReference().isExternal(index))
  }

  @Test func `entries beyond the 64th are left out`() throws {
    let bytes = fullBox("dref", words(100), (0..<100).flatMap { _ in fullBox("url ", flags: 1) })
    #expect(try parse(try onlyBox(in: bytes), bytes).isSelfContained.count == 64)
  }

  @Test func `an entry without version and flags is refused`() {
    let bytes = fullBox("dref", words(1), box("url ", zeros(3)))
    let error = #expect(throws: ParsingError.self) { try parse(try onlyBox(in: bytes), bytes) }
    #expect(error?.path == ["url "])
    #expect(error?.offset == 24)
  }
}
