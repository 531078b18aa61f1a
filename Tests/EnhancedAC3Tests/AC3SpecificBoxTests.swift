import ByteParsing
import TestSupport
import Testing

@testable import EnhancedAC3

struct AC3SpecificBoxTests {
  private func parse(_ bytes: [UInt8]) throws -> AC3SpecificBox {
    try AC3SpecificBox(parsing: bytes.rawBytes, origin: 0)
  }

  @Test func `every field has its place`() throws {
    // fscod 2, bsid 6, bsmod 5, acmod 3, lfeon 1, bit_rate_code 18
    let bytes = Bits((2, 2), (6, 5), (5, 3), (3, 3), (1, 1), (18, 5), (0, 5)).bytes(3)
    let box = try parse(bytes)
    #expect(box.sampleRateCode == 2)
    #expect(box.bitstreamID == 6)
    #expect(box.bitstreamMode == 5)
    #expect(box.audioCodingMode == 3)
    #expect(box.hasLFE)
    #expect(box.bitRateCode == 18)
    #expect(box.dataRate == 640)
    #expect(box.bytes == bytes)
  }

  /// `Tests/Media/INDEX.tsv`: 5.1 at 48 kHz, 384 bytes a frame.
  @Test func `a box that describes a stream is the right one`() throws {
    let unit = try parseUnit([Array(try Media.bytes("ac3-51.ac3")[..<384])])
    let box = AC3SpecificBox(describing: unit)
    #expect(box.bytes == hex("103cc0"))
    #expect(box.dataRate == 96)
    #expect(try parse(hex("103cc0")) == box)
  }

  @Test(arguments: AC3SizeRow.all) func `bit_rate_code names the rate of the table`(row: AC3SizeRow) throws {
    let unit = try parseUnit([
      PlainFrame.with {
        $0.sizeCode = 2 * row.row + 1
        $0.byteCount = 2 * row.words48
      }.bytes
    ])
    let box = AC3SpecificBox(describing: unit)
    #expect(box.bitRateCode == row.row)
    #expect(box.dataRate == row.bitRate)
  }

  @Test(arguments: 19...31) func `a reserved bit_rate_code names no rate`(code: Int) throws {
    let box = try parse(Bits((0, 2), (8, 5), (0, 3), (7, 3), (1, 1), (code, 5), (0, 5)).bytes(3))
    #expect(box.bitRateCode == code)
    #expect(box.dataRate == nil)
  }

  @Test func `bytes behind the third and reserved bits are read over`() throws {
    #expect(try parse(hex("103cdf ffff")).bytes == hex("103cc0"))
  }

  @Test(arguments: 0...2) func `fewer than three bytes are refused`(count: Int) {
    #expect(throws: ParsingError.self) { try parse(Array(hex("103cc0")[..<count])) }
  }
}
