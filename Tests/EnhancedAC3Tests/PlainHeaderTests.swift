import ByteParsing
import TestSupport
import Testing

@testable import EnhancedAC3

/// Headers of AC-3 (ATSC A/52, 5.3.2 and Annex D).
struct PlainHeaderTests {
  private func parse(_ bytes: [UInt8]) throws -> SyncFrame {
    try SyncFrame(parsing: bytes.rawBytes, origin: 0)
  }

  /// Where dialnorm stands: two bits further for each of cmixlev, surmixlev and dsurmod.
  @Test(arguments: [(0, 52), (1, 52), (2, 54), (3, 54), (4, 54), (5, 56), (6, 54), (7, 56)])
  func `dialnorm follows the fields that acmod asks for`(mode: Int, position: Int) throws {
    for dialnorm in [1, 10, 21, 31] {
      for lfeon in [0, 1] {
        // 160 kbit/s at 48 kHz, bsid 8, bsmod 0; whatever stands between acmod and lfeon is ones.
        var bits = Bits((0x0b77, 16), (0, 16), (0, 2), (18, 6), (8, 5), (0, 3), (mode, 3))
        let gap = position - 1 - 51
        bits.put((1 << gap) - 1, gap)
        bits.put(lfeon, 1)
        bits.put(dialnorm, 5)
        let bytes = bits.digits + [UInt8](repeating: 0, count: 640 * 8 - bits.digits.count)
        let frame = try parse(
          (0..<640).map { byte in bytes[byte * 8..<byte * 8 + 8].reduce(0) { $0 << 1 | $1 } })
        #expect(frame.dialogueNormalization == dialnorm)
        #expect(frame.hasLFE == (lfeon == 1))
        #expect(frame.audioCodingMode == mode)
      }
    }
  }

  @Test(arguments: 0...7) func `bsmod and acmod are read`(number: Int) throws {
    let frame = try parse(
      PlainFrame.with {
        $0.bsmod = number
        $0.codingMode = number
      }.bytes)
    #expect(frame.bitstreamMode == number)
    #expect(frame.audioCodingMode == number)
    #expect(frame.outline.codec == .ac3)
    #expect(frame.convertsFromHere == nil)
    #expect(frame.channelMap == nil)
  }

  @Test(arguments: 0...7) func `everything in front of addbsi is passed over`(mode: Int) throws {
    for (compr, langcod, production) in [
      (nil, nil, nil), (0xff, nil, nil), (nil, 0, nil), (nil, nil, 0x7f), (0, 0xff, 0),
    ] as [(Int?, Int?, Int?)] {
      for (first, second) in [(nil, nil), (0x3fff, nil), (nil, 0), (0x1555, 0x3fff)] as [(Int?, Int?)] {
        for bitstreamID in [8, 6] {
          let frame = try parse(
            PlainFrame.with {
              $0.bitstreamID = bitstreamID
              $0.codingMode = mode
              $0.compr = compr
              $0.langcod = langcod
              $0.production = production
              $0.first = first
              $0.second = second
              $0.additional = [0x5a, 0xc3, 0x99]
            }.bytes)
          #expect(frame.additional.byteCount == 3)
          #expect(frame.dialogueNormalization == 27)
          #expect(frame.dialogueNormalization2 == (mode == 0 ? 21 : nil))
          #expect(frame.outline.bitstreamID == bitstreamID)
        }
      }
    }
  }

  @Test(arguments: [1, 2, 63, 64]) func `addbsi is 1 to 64 bytes`(count: Int) throws {
    let frame = try parse(PlainFrame.with { $0.additional = [UInt8](repeating: 0xff, count: count) }.bytes)
    #expect(frame.additional.byteCount == count)
  }

  @Test func `a frame that ends inside its header is refused`() {
    let frame = PlainFrame.with { $0.additional = [1, 2, 3] }
    let bytes = frame.bytes
    for count in 0..<frame.header.digits.count / 8 {
      #expect(throws: ParsingError.self, "\(count) bytes") { try parse(Array(bytes[..<count])) }
    }
  }

  /// 5.1 at 96 kbit/s, as `Tests/Media/INDEX.tsv` says: dac3 10 3C C0.
  @Test func `a frame of another program's is read`() throws {
    let frame = try parse(try Media.bytes("ac3-51.ac3"))
    #expect(frame.outline.byteCount == 384)
    #expect(frame.outline.ac3SizeCode.map { $0 >> 1 } == 6)
    #expect(frame.channelCount == 6)
  }
}
