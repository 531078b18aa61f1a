import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

struct BoxWriterTests {
  @Test func `a box gets its size when it ends`() {
    var boxes = BoxWriter()
    boxes.box("free") { $0.put(bytes: [1, 2, 3]) }
    boxes.box("skip") { _ in }
    #expect(boxes.writer.bytes == hex("0000000b 66726565 010203 00000008 736b6970"))
  }

  @Test func `a full box starts with its version and flags`() {
    var boxes = BoxWriter()
    boxes.fullBox("url ", flags: 1) { _ in }
    boxes.fullBox("elst", version: 1, flags: 0xabcdef) { $0.put(UInt8(7)) }
    #expect(boxes.writer.bytes == hex("0000000c 75726c20 00000001 0000000d 656c7374 01abcdef 07"))
  }

  @Test func `containers nest`() {
    var boxes = BoxWriter()
    boxes.container("moov") { moov in
      moov.container("trak") { $0.box("free") { $0.putZeros(2) } }
      moov.box("skip") { _ in }
    }
    #expect(boxes.writer.bytes == box("moov", box("trak", box("free", [0, 0])), box("skip")))
  }
}

struct FileTypeTests {
  @Test func `ftyp is written and read back`() throws {
    try expectRoundTrip(
      FileType(majorBrand: "mp42", compatibleBrands: ["mp42", "isom", "iso2", "dby1"]),
      as: hex("00000020 66747970 6d703432 00000000 6d703432 69736f6d 69736f32 64627931"),
      write: FileType.write, parsing: FileType.init(parsing:))
  }

  @Test func `the minor version is kept`() throws {
    try expectRoundTrip(
      FileType(majorBrand: "qt  ", minorVersion: 0x200, compatibleBrands: ["qt  "]),
      as: hex("00000014 66747970 71742020 00000200 71742020"),
      write: FileType.write, parsing: FileType.init(parsing:))
  }

  @Test func `a list of no brands is legal`() throws {
    try expectRoundTrip(
      FileType(majorBrand: "isom", minorVersion: 1, compatibleBrands: []),
      as: hex("00000010 66747970 69736f6d 00000001"), write: FileType.write, parsing: FileType.init(parsing:))
  }

  @Test func `brands beyond the 64th are left out`() throws {
    let brands = (0..<100).flatMap { bigEndian(0x6162_6300 + UInt32($0)) }
    let parsed = try parse(box("ftyp", Array("isom".utf8), zeros(4), brands), FileType.init(parsing:))
    #expect(parsed.compatibleBrands == (0..<64).map { FourCC(rawValue: 0x6162_6300 + UInt32($0)) })
  }

  @Test func `bytes that are no whole brand are passed over`() throws {
    let parsed = try parse(
      box("ftyp", Array("isom".utf8), zeros(4), Array("mp42is".utf8)), FileType.init(parsing:))
    #expect(parsed.compatibleBrands == ["mp42"])
  }

  @Test(arguments: 0..<8) func `an ftyp without its fixed part is refused`(count: Int) {
    let error = errorParsing(box("ftyp", zeros(count)), FileType.init(parsing:))
    #expect(error?.kind == .malformed)
  }
}
