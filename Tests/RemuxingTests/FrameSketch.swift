import TestSupport

/// An E-AC-3 syncframe of six blocks with a header as ETSI TS 102 366, E.1.2 has it, and filler behind it.
///
/// Its checksum is not right: nothing that cuts looks at it.
struct FrameSketch {
  /// Bytes, even, 8 to 4,096.
  var byteCount = 16
  /// `fscod`: 0 is 48 kHz, 1 is 44.1 kHz, 2 is 32 kHz, 3 is half of the rate that `halfRateCode` names.
  var sampleRateCode = 0
  /// `fscod2`.
  var halfRateCode = 0
  /// `acmod`.
  var audioCodingMode = 2
  /// `lfeon`.
  var hasLFE = false
  /// `bsid`.
  var bitstreamID = 16
  /// `dialnorm`.
  var dialogueNormalization = 27
  /// Complexity of joint object coding, in `addbsi`.
  var complexity: Int?
  /// `chanmap`; the frame is then one of dependent substream 0.
  var channelMap: Int?
  /// What the bytes behind the header are.
  var filler: UInt8 = 0xa5

  /// The whole frame.
  var bytes: [UInt8] {
    var bits = BitString()
    bits.put(0x0b77, 16)
    bits.put(channelMap == nil ? 0 : 1, 2)  // strmtyp
    bits.put(0, 3)  // substreamid
    bits.put(byteCount / 2 - 1, 11)
    bits.put(sampleRateCode, 2)
    bits.put(sampleRateCode == 3 ? halfRateCode : 3, 2)  // fscod2, or numblkscod: six blocks
    bits.put(audioCodingMode, 3)
    bits.put(hasLFE ? 1 : 0, 1)
    bits.put(bitstreamID, 5)
    bits.put(dialogueNormalization, 5)
    bits.put(0, 1)  // compre
    if let channelMap {
      bits.put(1, 1)  // chanmape
      bits.put(channelMap, 16)
    }
    bits.put(0, 2)  // mixmdate, infomdate
    if let complexity {
      bits.put(1, 1)  // addbsie
      bits.put(1, 6)  // addbsil: two bytes
      bits.put(1, 8)
      bits.put(complexity, 8)
    } else {
      bits.put(0, 1)
    }
    let header = bits.bytes
    return header + [UInt8](repeating: filler, count: byteCount - header.count)
  }

  /// PCM samples a second.
  var sampleRate: Int {
    let rates = [48000, 44100, 32000]
    return sampleRateCode == 3 ? rates[halfRateCode] / 2 : rates[sampleRateCode]
  }

  /// The payload of the `dec3` that describes a track of such frames (ETSI TS 102 366, F.6; TS 103 420, E.4).
  var dec3: [UInt8] {
    var bits = BitString()
    bits.put((byteCount * 8 * sampleRate + 768_000) / 1_536_000, 13)  // data_rate, kbit/s to the nearest
    bits.put(0, 3)  // num_ind_sub
    bits.put(sampleRateCode, 2)
    bits.put(bitstreamID, 5)
    bits.put(0, 5)  // reserved, asvc, bsmod
    bits.put(audioCodingMode, 3)
    bits.put(hasLFE ? 1 : 0, 1)
    bits.put(0, 8)  // reserved, num_dep_sub, reserved
    if let complexity {
      bits.put(1, 8)
      bits.put(complexity, 8)
    }
    return bits.bytes
  }

  /// `count` equal frames.
  func repeated(_ count: Int) -> [[UInt8]] {
    Array(repeating: bytes, count: count)
  }
}

/// Bits one after the other, as text, which is slow and plain.
struct BitString {
  private var text = ""

  mutating func put(_ value: Int, _ width: Int) {
    let digits = String(value, radix: 2)
    text += String(repeating: "0", count: width - digits.count) + digits
  }

  /// Padded with zeros to whole bytes.
  var bytes: [UInt8] {
    let padded = text + String(repeating: "0", count: (8 - text.count % 8) % 8)
    return stride(from: 0, to: padded.count, by: 8).map { offset in
      let start = padded.index(padded.startIndex, offsetBy: offset)
      return UInt8(padded[start..<padded.index(start, offsetBy: 8)], radix: 2) ?? 0
    }
  }
}
