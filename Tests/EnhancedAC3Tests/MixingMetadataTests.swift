import ByteParsing
import TestSupport
import Testing

@testable import EnhancedAC3

/// Mixing metadata (ATSC A/52, Table E1.2, `mixmdate`): nothing is kept, all has to be passed over.
struct MixingMetadataTests {
  /// What one frame's mixing metadata are to hold.
  private struct Shape {
    var mixdef = 0
    var mixdeflen = 0
    /// Whether optional fields are there.
    var isFull = false
    /// The bit that fills all values.
    var fill = 0

    func bits(for frame: EnhancedFrame) -> Bits {
      let mode = frame.codingMode
      var bits = Bits()
      func ones(_ width: Int) -> Int { fill * ((1 << width) - 1) }
      func put(_ width: Int) { bits.put(ones(width), width) }
      func putOptional(_ width: Int) { bits.putFlagged(isFull ? ones(width) : nil, width) }
      if mode > 2 { put(2) }  // dmixmod
      if mode & 1 == 1, mode > 2 { put(3 + 3) }  // ltrtcmixlev, lorocmixlev
      if mode & 4 == 4 { put(3 + 3) }  // ltrtsurmixlev, lorosurmixlev
      if frame.hasLFE { putOptional(5) }  // lfemixlevcod
      guard frame.streamType == 0 else { return bits }
      putOptional(6)  // pgmscl
      if mode == 0 { putOptional(6) }  // pgmscl2
      putOptional(6)  // extpgmscl
      bits.put(mixdef, 2)
      switch mixdef {
      case 1: put(1 + 1 + 3)  // premixcmpsel, drcsrc, premixcmpscl
      case 2: put(12)
      case 3:
        bits.put(mixdeflen, 5)
        for _ in 0..<mixdeflen + 2 { put(8) }
      default: break
      }
      if mode < 2 { putOptional(8 + 6) }  // panmean, paninfo
      if mode == 0 { putOptional(8 + 6) }  // panmean2, paninfo2
      bits.put(isFull ? 1 : 0, 1)  // frmmixcfginfoe
      guard isFull else { return bits }
      if !frame.hasSixBlocks, frame.secondCode == 0 {
        put(5)
      } else {
        let blocks = frame.hasSixBlocks ? 6 : [1, 2, 3][frame.secondCode]
        for block in 0..<blocks { bits.putFlagged(block % 2 == fill ? ones(5) : nil, 5) }
      }
      return bits
    }
  }

  private func expectPassedOver(_ frame: EnhancedFrame, _ shape: Shape) throws {
    var whole = frame
    whole.byteCount = 160
    whole.mixing = shape.bits(for: frame)
    whole.information = Bits((5, 3), (0, 2))
    whole.information?.put(
      frame.codingMode == 2 ? Bits((0, 4)) : frame.codingMode >= 6 ? Bits((0, 2)) : Bits())
    whole.information?.put(frame.codingMode == 0 ? Bits((0, 2)) : Bits((0, 1)))
    if frame.rateCode < 3 { whole.information?.put(0, 1) }
    whole.additional = [0x01, 0x0c]
    let bytes = whole.bytes
    let parsed = try SyncFrame(parsing: bytes.rawBytes, origin: 0)
    let comment: Comment = "\(frame) \(shape)"
    #expect(parsed.bitstreamMode == 5, comment)
    #expect(parsed.additional.byteCount == 2, comment)
    #expect(parsed.additional.objectComplexity?.index == 12, comment)
  }

  @Test(arguments: 0...7, 0...3) func `every mixdef is passed over for every acmod`(mode: Int, mixdef: Int)
    throws
  {
    for (isFull, fill) in [(false, 0), (false, 1), (true, 0), (true, 1)] {
      for hasLFE in [false, true] {
        for type in [0, 1, 2] {
          let frame = EnhancedFrame.with {
            $0.codingMode = mode
            $0.hasLFE = hasLFE
            $0.streamType = type
          }
          try expectPassedOver(frame, Shape(mixdef: mixdef, mixdeflen: 3, isFull: isFull, fill: fill))
        }
      }
    }
  }

  @Test(arguments: 0...31) func `mixdef 3 is as long as it says`(length: Int) throws {
    for fill in [0, 1] {
      try expectPassedOver(EnhancedFrame(), Shape(mixdef: 3, mixdeflen: length, isFull: false, fill: fill))
    }
  }

  @Test(arguments: [(0, 0), (0, 1), (0, 2), (0, 3), (3, 0), (3, 2)])
  func `the configuration of each block is passed over`(rateCode: Int, secondCode: Int) throws {
    for fill in [0, 1] {
      let frame = EnhancedFrame.with {
        $0.rateCode = rateCode
        $0.secondCode = secondCode
      }
      try expectPassedOver(frame, Shape(isFull: true, fill: fill))
    }
  }

  /// The same by hand: 5.1, dmixmod 01, four levels of 3 bits, no LFE level, no scales, mixdef 1, no block.
  @Test func `a header of 5.1 with mixdef 1 is read bit by bit`() throws {
    var bits = Bits(
      (0x0b77, 16), (0b00_000_000_0010_1111, 16), (0b00_11_111_1, 8), (0b10000_11011, 10), (0, 1), (1, 1),
      (0b01, 2), (0b100_101, 6), (0b011_010, 6), (0, 1), (0, 1), (0, 1), (0b01, 2), (0b10101, 5), (0, 1))
    bits.put(Bits((0, 1), (1, 1), (1, 6), (0x010c, 16)))
    let bytes = bits.bytes(96)
    let frame = try SyncFrame(parsing: bytes.rawBytes, origin: 0)
    #expect(frame.outline.byteCount == 96)
    #expect(frame.additional.objectComplexity?.index == 12)
  }
}
