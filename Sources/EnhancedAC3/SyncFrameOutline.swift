public import ByteParsing

/// The coding of a syncframe, told by its bsid.
public enum Codec: String, Equatable, Sendable {
  /// bsid 0 to 10.
  case ac3 = "ac-3"
  /// bsid 11 to 16.
  case enhancedAC3 = "ec-3"
}

/// What a substream carries (`strmtyp`; ETSI TS 102 366, E.1.3.1.1).
public enum StreamType: Int, Equatable, Sendable {
  case independent = 0
  case dependent = 1
  /// Independent, converted from AC-3.
  case converted = 2

  /// Whether the substream can be decoded alone.
  public var isIndependent: Bool { self != .dependent }
}

/// The fixed part of a syncframe's header: enough to find the next frame and to group frames to access units.
///
/// Sources: ATSC A/52, 5.3.1 and 5.4.1 (AC-3); ETSI TS 102 366, E.1.2.1 and E.1.3.1 (E-AC-3).
public struct SyncFrameOutline: Equatable, Sendable {
  /// AC-3 or E-AC-3.
  public let codec: Codec
  /// Independent for AC-3.
  public let streamType: StreamType
  /// 0 to 7, counted apart for each stream type; 0 for AC-3.
  public let substreamID: Int
  /// Bytes of the whole frame.
  public let byteCount: Int
  /// `fscod`: 0 is 48 kHz, 1 is 44.1 kHz, 2 is 32 kHz, 3 is half of the rate that `fscod2` names.
  public let sampleRateCode: Int
  /// PCM samples a second.
  public let sampleRate: Int
  /// Blocks of 256 PCM samples: 1, 2, 3 or 6.
  public let blocks: Int
  /// `frmsizecod` of an AC-3 frame.
  public let ac3SizeCode: Int?
  /// `bsid`.
  public let bitstreamID: Int

  /// The sync word that starts each frame.
  public static let syncWord: UInt16 = 0x0b77
  /// The sync word of a stream whose 16-bit words are stored least significant byte first.
  public static let swappedSyncWord: UInt16 = 0x770b
  /// Bytes that parsing takes.
  public static let byteCount = 6

  private static let sampleRates = [48000, 44100, 32000]

  /// Parses the first six bytes of a frame at `origin` in the file.
  ///
  /// Throws when they are no legal header.
  public init(parsing bytes: RawSpan, origin: Int) throws(ParsingError) {
    guard bytes.byteCount >= Self.byteCount else {
      throw .malformed(
        "a syncframe needs \(Self.byteCount) bytes and \(bytes.byteCount) are left", at: origin)
    }
    guard bytes.bigEndian(UInt16.self, at: 0) == Self.syncWord else {
      throw .malformed("no sync word 0x0B77 where a syncframe should start", at: origin)
    }
    let word = bytes.bigEndian(UInt32.self, at: 2)
    let id = Int(bytes.byte(at: 5) >> 3)
    switch id {
    case 0...10: self = try Self.ac3(fields: Int(word & 0xffff) >> 8, bitstreamID: id, origin: origin)
    case 11...16: self = try Self.enhanced(fields: word, bitstreamID: id, origin: origin)
    default: throw .unsupported("bitstream identification \(id) is neither AC-3 nor E-AC-3", at: origin + 5)
    }
  }

  private init(
    codec: Codec, streamType: StreamType, substreamID: Int, byteCount: Int, sampleRateCode: Int,
    sampleRate: Int,
    blocks: Int, ac3SizeCode: Int?, bitstreamID: Int
  ) {
    self.codec = codec
    self.streamType = streamType
    self.substreamID = substreamID
    self.byteCount = byteCount
    self.sampleRateCode = sampleRateCode
    self.sampleRate = sampleRate
    self.blocks = blocks
    self.ac3SizeCode = ac3SizeCode
    self.bitstreamID = bitstreamID
  }

  /// The fields of an AC-3 frame behind crc1: fscod and frmsizecod.
  private static func ac3(fields: Int, bitstreamID: Int, origin: Int) throws(ParsingError) -> SyncFrameOutline
  {
    let rateCode = fields >> 6
    let sizeCode = fields & 0x3f
    guard rateCode < 3 else { throw .malformed("AC-3 sample rate code 3 is reserved", at: origin + 4) }
    guard sizeCode < 2 * AC3FrameSize.bitRates.count else {
      throw .malformed("AC-3 frame size code \(sizeCode) is above 37", at: origin + 4)
    }
    return SyncFrameOutline(
      codec: .ac3, streamType: .independent, substreamID: 0,
      byteCount: AC3FrameSize.byteCount(sizeCode: sizeCode, sampleRateCode: rateCode),
      sampleRateCode: rateCode,
      // bsid 9 and 10 halve and quarter the rate.
      sampleRate: sampleRates[rateCode] >> max(0, bitstreamID - 8),
      blocks: 6, ac3SizeCode: sizeCode, bitstreamID: bitstreamID)
  }

  /// The fields of an E-AC-3 frame behind the sync word: strmtyp, substreamid, frmsiz, fscod, fscod2 or numblkscod.
  private static func enhanced(
    fields: UInt32, bitstreamID: Int, origin: Int
  ) throws(ParsingError) -> SyncFrameOutline {
    guard let type = StreamType(rawValue: Int(fields >> 30)) else {
      throw .malformed("stream type 3 is reserved", at: origin + 2)
    }
    let rateCode = Int(fields >> 14 & 3)
    let secondCode = Int(fields >> 12 & 3)
    guard rateCode < 3 || secondCode < 3 else {
      throw .malformed("half sample rate code 3 is reserved", at: origin + 4)
    }
    let byteCount = 2 * (Int(fields >> 16 & 0x7ff) + 1)
    guard byteCount > Self.byteCount else {
      throw .malformed(
        "a syncframe states a size of \(byteCount) bytes, too few for its header", at: origin + 2)
    }
    return SyncFrameOutline(
      codec: .enhancedAC3, streamType: type, substreamID: Int(fields >> 27 & 7),
      byteCount: byteCount,
      sampleRateCode: rateCode,
      sampleRate: rateCode < 3 ? sampleRates[rateCode] : sampleRates[secondCode] / 2,
      blocks: rateCode < 3 ? [1, 2, 3, 6][secondCode] : 6,
      ac3SizeCode: nil, bitstreamID: bitstreamID)
  }
}

extension SyncFrameOutline {
  /// Whether the checksums of a whole frame are right.
  ///
  /// AC-3 has a second one over the first five eighths (ATSC A/52, 7.10.1).
  func hasRightChecksum(_ frame: RawSpan) -> Bool {
    if codec == .ac3 {
      let words = frame.byteCount / 2
      let firstPart = 2 * (words >> 1 + words >> 3)
      guard CRC16.checksum(frame.extracting(2..<max(2, firstPart))) == 0 else { return false }
    }
    return CRC16.checksum(frame.extracting(2..<frame.byteCount)) == 0
  }
}

/// Frame sizes of AC-3 (ATSC A/52, Table 5.18).
enum AC3FrameSize {
  /// kbit/s, one for each pair of size codes.
  static let bitRates = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]

  /// Bytes of a frame; both codes must be legal.
  static func byteCount(sizeCode: Int, sampleRateCode: Int) -> Int {
    let bitRate = bitRates[sizeCode >> 1]
    switch sampleRateCode {
    case 0: return 4 * bitRate
    case 1: return 2 * (bitRate * 1000 * 1536 / (44100 * 16) + (sizeCode & 1))
    default: return 6 * bitRate
    }
  }
}
