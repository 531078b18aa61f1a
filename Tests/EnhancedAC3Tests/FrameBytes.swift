@testable import EnhancedAC3

/// An E-AC-3 syncframe field by field (ATSC A/52, Tables E1.1 and E1.2); its audio is filler.
struct EnhancedFrame: Sendable {
  var streamType = 0
  var substreamID = 0
  var byteCount = 96
  /// `fscod`.
  var rateCode = 0
  /// `fscod2` where `fscod` is 3, else `numblkscod`.
  var secondCode = 3
  /// `acmod`.
  var codingMode = 7
  var hasLFE = true
  var bitstreamID = 16
  var dialnorm = 27
  var compr: Int?
  var dialnorm2 = 21
  var compr2: Int?
  /// `chanmap` of a dependent.
  var channelMap: Int?
  /// What follows `mixmdate` where it is 1.
  var mixing: Bits?
  /// What follows `infomdate` where it is 1.
  var information: Bits?
  /// `convsync` where the frame has one.
  var convsync = 1
  /// `blkid` where the frame has one, and then `frmsizecod`.
  var blkid = 1
  /// The bytes of `addbsi`.
  var additional: [UInt8] = []

  static func with(_ change: (inout EnhancedFrame) -> Void) -> EnhancedFrame {
    var frame = EnhancedFrame()
    change(&frame)
    return frame
  }

  /// Whether the frame has the six blocks that `numblkscod` 3 says or `fscod` 3 implies.
  var hasSixBlocks: Bool { rateCode == 3 || secondCode == 3 }

  /// The header up to and including `addbsi`.
  var header: Bits {
    var bits = Bits(
      (0x0b77, 16), (streamType, 2), (substreamID, 3), (byteCount / 2 - 1, 11), (rateCode, 2),
      (secondCode, 2),
      (codingMode, 3), (hasLFE ? 1 : 0, 1), (bitstreamID, 5), (dialnorm, 5))
    bits.putFlagged(compr, 8)
    if codingMode == 0 {
      bits.put(dialnorm2, 5)
      bits.putFlagged(compr2, 8)
    }
    if streamType == 1 { bits.putFlagged(channelMap, 16) }
    bits.put(mixing == nil ? 0 : 1, 1)
    bits.put(mixing ?? Bits())
    bits.put(information == nil ? 0 : 1, 1)
    bits.put(information ?? Bits())
    if streamType == 0, !hasSixBlocks { bits.put(convsync, 1) }
    if streamType == 2 {
      if !hasSixBlocks { bits.put(blkid, 1) }
      if hasSixBlocks || blkid == 1 { bits.put(0b101010, 6) }
    }
    bits.put(additional.isEmpty ? 0 : 1, 1)
    if !additional.isEmpty {
      bits.put(additional.count - 1, 6)
      bits.put(bytes: additional)
    }
    return bits
  }

  /// The whole frame with its checksum.
  var bytes: [UInt8] { withSecondChecksum(header.bytes(byteCount)) }
}

/// An AC-3 syncframe field by field (ATSC A/52, 5.3.1 and 5.3.2); its audio is filler.
struct PlainFrame: Sendable {
  /// `fscod`.
  var rateCode = 0
  /// `frmsizecod`.
  var sizeCode = 10
  /// Bytes of the frame, as Table 5.18 has them for the codes.
  var byteCount = 320
  var bitstreamID = 8
  var bsmod = 0
  /// `acmod`.
  var codingMode = 7
  var hasLFE = true
  var dialnorm = 27
  var compr: Int?
  var langcod: Int?
  /// `mixlevel` and `roomtyp`.
  var production: Int?
  var dialnorm2 = 21
  /// `timecod1`, or `xbsi1` in the alternate syntax of `bsid` 6.
  var first: Int?
  var second: Int?
  var additional: [UInt8] = []

  static func with(_ change: (inout PlainFrame) -> Void) -> PlainFrame {
    var frame = PlainFrame()
    change(&frame)
    return frame
  }

  var header: Bits {
    var bits = Bits(
      (0x0b77, 16), (0, 16), (rateCode, 2), (sizeCode, 6), (bitstreamID, 5), (bsmod, 3), (codingMode, 3))
    if codingMode & 1 == 1, codingMode != 1 { bits.put(0b10, 2) }  // cmixlev
    if codingMode & 4 == 4 { bits.put(0b01, 2) }  // surmixlev
    if codingMode == 2 { bits.put(0b11, 2) }  // dsurmod
    bits.put(hasLFE ? 1 : 0, 1)
    for number in codingMode == 0 ? [dialnorm, dialnorm2] : [dialnorm] {
      bits.put(number, 5)
      bits.putFlagged(compr, 8)
      bits.putFlagged(langcod, 8)
      bits.putFlagged(production, 7)
    }
    bits.put(0b01, 2)  // copyrightb, origbs
    bits.putFlagged(first, 14)
    bits.putFlagged(second, 14)
    bits.put(additional.isEmpty ? 0 : 1, 1)
    if !additional.isEmpty {
      bits.put(additional.count - 1, 6)
      bits.put(bytes: additional)
    }
    return bits
  }

  /// The whole frame with both checksums.
  var bytes: [UInt8] { withSecondChecksum(withFirstChecksum(header.bytes(byteCount))) }
}

/// Puts a number's two bytes at an offset.
private func put(_ number: UInt16, at offset: Int, of frame: [UInt8]) -> [UInt8] {
  var changed = frame
  changed[offset] = UInt8(number >> 8)
  changed[offset + 1] = UInt8(number & 0xff)
  return changed
}

/// The last two bytes are the checksum of all others but the sync word (ATSC A/52, 7.10.1).
func withSecondChecksum(_ frame: [UInt8]) -> [UInt8] {
  put(CRC16.plain(Array(frame[2..<frame.count - 2])), at: frame.count - 2, of: frame)
}

/// `crc1` stands in front of the data that it covers, so it is their checksum divided by x once for each bit of
/// both.
func withFirstChecksum(_ frame: [UInt8]) -> [UInt8] {
  let words = frame.count / 2
  let end = 2 * (words / 2 + words / 8)
  var number = UInt32(CRC16.plain(Array(frame[4..<end])))
  for _ in 0..<8 * (end - 2) {
    if number & 1 == 1 { number ^= 0x1_8005 }
    number >>= 1
  }
  return put(UInt16(number), at: 2, of: frame)
}
