import ByteParsing
import TestSupport
import Testing

@testable import EnhancedAC3

/// A row of ATSC A/52, Table 5.18: words of a frame for two frame size codes.
struct AC3SizeRow: Sendable, CustomTestStringConvertible {
  let row: Int
  let bitRate: Int
  let words48: Int
  /// For the even and the odd code.
  let words44: (even: Int, odd: Int)
  let words32: Int

  var testDescription: String { "\(bitRate) kbit/s" }

  /// Frame size code, sample rate code, words.
  var cases: [(Int, Int, Int)] {
    [
      (2 * row, 0, words48), (2 * row + 1, 0, words48), (2 * row, 1, words44.even),
      (2 * row + 1, 1, words44.odd),
      (2 * row, 2, words32), (2 * row + 1, 2, words32),
    ]
  }

  static let all = [
    (32, 64, 69, 70, 96), (40, 80, 87, 88, 120), (48, 96, 104, 105, 144), (56, 112, 121, 122, 168),
    (64, 128, 139, 140, 192), (80, 160, 174, 175, 240), (96, 192, 208, 209, 288), (112, 224, 243, 244, 336),
    (128, 256, 278, 279, 384), (160, 320, 348, 349, 480), (192, 384, 417, 418, 576),
    (224, 448, 487, 488, 672),
    (256, 512, 557, 558, 768), (320, 640, 696, 697, 960), (384, 768, 835, 836, 1152),
    (448, 896, 975, 976, 1344),
    (512, 1024, 1114, 1115, 1536), (576, 1152, 1253, 1254, 1728), (640, 1280, 1393, 1394, 1920),
  ].enumerated().map { index, row in
    AC3SizeRow(row: index, bitRate: row.0, words48: row.1, words44: (row.2, row.3), words32: row.4)
  }
}

struct SyncFrameOutlineTests {
  private func parse(_ bytes: [UInt8], origin: Int = 0) throws -> SyncFrameOutline {
    try SyncFrameOutline(parsing: bytes.rawBytes, origin: origin)
  }

  @Test func `the header of 5.1 at 448 kbit/s is read`() throws {
    // 00 000 01101111111, 00 11 111 1, 10000 110
    let outline = try parse(hex("0b77 037f 3f 86"))
    #expect(outline.codec == .enhancedAC3)
    #expect(outline.streamType == .independent)
    #expect(outline.substreamID == 0)
    #expect(outline.byteCount == 1792)
    #expect(outline.sampleRate == 48000)
    #expect(outline.sampleRateCode == 0)
    #expect(outline.blocks == 6)
    #expect(outline.bitstreamID == 16)
    #expect(outline.ac3SizeCode == nil)
  }

  @Test(arguments: [
    ("0b77 037f 3f 86", StreamType.independent, 0), ("0b77 3b7f 3f 86", .independent, 7),
    ("0b77 437f 3f 86", .dependent, 0), ("0b77 537f 3f 86", .dependent, 2),
    ("0b77 837f 3f 86", .converted, 0),
    ("0b77 bb7f 3f 86", .converted, 7),
  ])
  func `stream types and substreams are told`(bytes: String, type: StreamType, substreamID: Int) throws {
    let outline = try parse(hex(bytes))
    #expect(outline.streamType == type)
    #expect(outline.substreamID == substreamID)
    #expect(outline.byteCount == 1792)
    #expect(outline.streamType.isIndependent == (type != .dependent))
  }

  /// fscod, then numblkscod or fscod2.
  @Test(arguments: [
    (0, 0, 48000, 1), (0, 1, 48000, 2), (0, 2, 48000, 3), (0, 3, 48000, 6), (1, 0, 44100, 1),
    (1, 3, 44100, 6),
    (2, 1, 32000, 2), (2, 3, 32000, 6), (3, 0, 24000, 6), (3, 1, 22050, 6), (3, 2, 16000, 6),
  ])
  func `sample rates and blocks are told`(rateCode: Int, second: Int, rate: Int, blocks: Int) throws {
    let outline = try parse(hex("0b77 037f") + [UInt8(rateCode << 6 | second << 4 | 0xf), 0x86])
    #expect(outline.sampleRate == rate)
    #expect(outline.sampleRateCode == rateCode)
    #expect(outline.blocks == blocks)
  }

  @Test(arguments: [(3, 8), (4, 10), (895, 1792), (2047, 4096)])
  func `a frame has two bytes more than twice frmsiz`(
    code: Int, byteCount: Int
  ) throws {
    #expect(
      try parse(hex("0b77") + [UInt8(code >> 8), UInt8(code & 0xff)] + hex("3f 86")).byteCount == byteCount)
  }

  @Test(arguments: 0...2) func `a frame that is shorter than its fixed part is refused`(code: UInt8) {
    let error = #expect(throws: ParsingError.self) {
      try parse(hex("0b77 00") + [code] + hex("3f 86"), origin: 50)
    }
    #expect(error?.offset == 52)
  }

  @Test(arguments: 0...31) func `bsid tells the codec`(bsid: Int) {
    let bytes = hex("0b77 037f 1e") + [UInt8(bsid << 3)]
    let outline = try? parse(bytes)
    switch bsid {
    case 0...10: #expect(outline?.codec == .ac3)
    case 11...16: #expect(outline?.codec == .enhancedAC3)
    default: #expect(outline == nil)
    }
    #expect(outline == nil || outline?.bitstreamID == bsid)
  }

  @Test func `what cannot be is refused where it stands`() throws {
    for (bytes, offset, kind) in [
      ("0b76 037f 3f 86", 50, ParsingError.Kind.malformed), ("770b 7f03 863f", 50, .malformed),
      ("0000 037f 3f 86", 50, .malformed),
      // strmtyp 3
      ("0b77 c37f 3f 86", 52, .malformed),
      // fscod 3 with fscod2 3
      ("0b77 037f ff 86", 54, .malformed),
      // AC-3 with fscod 3, and with frame size codes 38 and 63
      ("0b77 0000 c0 40", 54, .malformed), ("0b77 0000 26 40", 54, .malformed),
      ("0b77 0000 3f 40", 54, .malformed),
      // bsid 17 and 31
      ("0b77 037f 3f 88", 55, .unsupported), ("0b77 037f 3f f8", 55, .unsupported),
    ] {
      let error = #expect(throws: ParsingError.self) { try parse(hex(bytes), origin: 50) }
      #expect(error?.offset == offset, "\(bytes)")
      #expect(error?.kind == kind, "\(bytes)")
    }
  }

  @Test(arguments: 0...5) func `fewer than six bytes are refused`(count: Int) {
    let error = #expect(throws: ParsingError.self) {
      try parse(Array(hex("0b77 037f 3f 86")[..<count]), origin: 50)
    }
    #expect(error?.offset == 50)
  }

  @Test(arguments: AC3SizeRow.all) func `sizes of AC-3 frames are those of the table`(row: AC3SizeRow) throws
  {
    for (sizeCode, rateCode, words) in row.cases {
      let outline = try parse(hex("0b77 abcd") + [UInt8(rateCode << 6 | sizeCode), 0x40])
      #expect(outline.byteCount == 2 * words, "code \(sizeCode), rate code \(rateCode)")
      #expect(outline.sampleRate == [48000, 44100, 32000][rateCode])
      #expect(outline.ac3SizeCode == sizeCode)
      #expect(outline.blocks == 6)
      #expect(outline.codec == .ac3)
      #expect(outline.streamType == .independent)
      #expect(outline.substreamID == 0)
    }
    #expect(AC3FrameSize.bitRates[row.row] == row.bitRate)
  }

  @Test func `the table of AC-3 ends with 640 kbit/s`() {
    #expect(AC3SizeRow.all.count == AC3FrameSize.bitRates.count)
  }

  @Test(arguments: [(8, 48000), (6, 48000), (0, 48000), (9, 24000), (10, 12000)])
  func `bsid 9 and 10 divide the sample rate`(bsid: Int, rate: Int) throws {
    #expect(try parse(hex("0b77 0000 1e") + [UInt8(bsid << 3)]).sampleRate == rate)
  }
}
