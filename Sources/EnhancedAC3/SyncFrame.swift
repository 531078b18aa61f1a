public import ByteParsing

/// A syncframe's whole header, up to and including `addbsi`.
///
/// Sources: ATSC A/52, 5.3.2 (AC-3 `bsi`) and Annex D (alternate syntax); ETSI TS 102 366, E.1.2.2 (E-AC-3 `bsi`).
public struct SyncFrame: Equatable, Sendable {
  /// The fixed part.
  public let outline: SyncFrameOutline
  /// `acmod`, 0 to 7.
  public let audioCodingMode: Int
  /// `lfeon`.
  public let hasLFE: Bool
  /// `bsmod`; nil where an E-AC-3 frame does not state it, which means 0.
  public private(set) var bitstreamMode: Int?
  /// `dialnorm`, 1 to 31 for -1 to -31 dB; 0 is reserved and means -31 dB.
  public private(set) var dialogueNormalization = 0
  /// `dialnorm2`, of the second channel of a dual mono frame.
  public private(set) var dialogueNormalization2: Int?
  /// `chanmap` of a dependent frame that has one: bit 15 is L.
  public private(set) var channelMap: UInt16?
  /// `convsync`: whether the frame starts a set of six blocks; nil where the frame has no such bit.
  public private(set) var convertsFromHere: Bool?
  /// The bytes of `addbsi`, none when absent.
  public private(set) var additional = AdditionalInformation()

  /// Parses the header of a frame at `origin` in the file; `bytes` may go on behind the frame.
  ///
  /// Throws when the header is illegal or does not fit into the frame.
  public init(parsing bytes: RawSpan, origin: Int) throws(ParsingError) {
    outline = try SyncFrameOutline(parsing: bytes, origin: origin)
    let frame = bytes.extracting(first: outline.byteCount)
    var bits = BitReader(frame, origin: origin)
    switch outline.codec {
    case .ac3:
      try bits.skip(45)
      bitstreamMode = try bits.read(3)
      audioCodingMode = try bits.read(3)
      let mode = audioCodingMode
      if mode & 1 == 1, mode != 1 { try bits.skip(2) }  // cmixlev
      if mode & 4 == 4 { try bits.skip(2) }  // surmixlev
      if mode == 2 { try bits.skip(2) }  // dsurmod
      hasLFE = try bits.readFlag()
      try parseRestOfAC3(&bits)
    case .enhancedAC3:
      try bits.skip(36)
      audioCodingMode = try bits.read(3)
      hasLFE = try bits.readFlag()
      try bits.skip(5)  // bsid
      try parseRestOfEnhancedAC3(&bits)
    }
  }

  /// Channels of this frame alone, the LFE included.
  public var channelCount: Int { [2, 1, 2, 3, 3, 4, 4, 5][audioCodingMode] + (hasLFE ? 1 : 0) }
}

extension SyncFrame {
  private var isDualMono: Bool { audioCodingMode == 0 }

  private mutating func parseRestOfAC3(_ bits: inout BitReader) throws(ParsingError) {
    dialogueNormalization = try bits.read(5)
    try bits.skipIfFlagged(8)  // compr
    try bits.skipIfFlagged(8)  // langcod
    try bits.skipIfFlagged(7)  // mixlevel, roomtyp
    if isDualMono {
      dialogueNormalization2 = try bits.read(5)
      try bits.skipIfFlagged(8)
      try bits.skipIfFlagged(8)
      try bits.skipIfFlagged(7)
    }
    try bits.skip(2)  // copyrightb, origbs
    try bits.skipIfFlagged(14)  // timecod1, or xbsi1 in the alternate syntax of bsid 6
    try bits.skipIfFlagged(14)  // timecod2, or xbsi2
    try parseAdditional(&bits)
  }

  private mutating func parseRestOfEnhancedAC3(_ bits: inout BitReader) throws(ParsingError) {
    dialogueNormalization = try bits.read(5)
    try bits.skipIfFlagged(8)  // compr
    if isDualMono {
      dialogueNormalization2 = try bits.read(5)
      try bits.skipIfFlagged(8)
    }
    if outline.streamType == .dependent, try bits.readFlag() {
      channelMap = UInt16(try bits.read(16))
    }
    if try bits.readFlag() { try skipMixingMetadata(&bits) }
    if try bits.readFlag() { try parseInformationalMetadata(&bits) }
    if outline.streamType == .independent, outline.blocks < 6 { convertsFromHere = try bits.readFlag() }
    if outline.streamType == .converted {
      let hasSizeCode = outline.blocks == 6 ? true : try bits.readFlag()  // blkid
      if hasSizeCode { try bits.skip(6) }
    }
    try parseAdditional(&bits)
  }

  /// E.1.2.2, `mixmdate`.
  private func skipMixingMetadata(_ bits: inout BitReader) throws(ParsingError) {
    let mode = audioCodingMode
    if mode > 2 { try bits.skip(2) }  // dmixmod
    if mode & 1 == 1, mode > 2 { try bits.skip(6) }  // ltrtcmixlev, lorocmixlev
    if mode & 4 == 4 { try bits.skip(6) }  // ltrtsurmixlev, lorosurmixlev
    if hasLFE { try bits.skipIfFlagged(5) }  // lfemixlevcod
    guard outline.streamType == .independent else { return }
    try bits.skipIfFlagged(6)  // pgmscl
    if isDualMono { try bits.skipIfFlagged(6) }  // pgmscl2
    try bits.skipIfFlagged(6)  // extpgmscl
    switch try bits.read(2) {  // mixdef
    case 1: try bits.skip(5)
    case 2: try bits.skip(12)
    case 3: try bits.skip(8 * (try bits.read(5) + 2))
    default: break
    }
    if mode < 2 { try bits.skipIfFlagged(14) }  // paninfo
    if isDualMono { try bits.skipIfFlagged(14) }  // paninfo2
    guard try bits.readFlag() else { return }  // frmmixcfginfoe
    if outline.blocks == 1 {
      try bits.skip(5)
    } else {
      for _ in 0..<outline.blocks { try bits.skipIfFlagged(5) }
    }
  }

  /// E.1.2.2, `infomdate`.
  private mutating func parseInformationalMetadata(_ bits: inout BitReader) throws(ParsingError) {
    bitstreamMode = try bits.read(3)
    try bits.skip(2)  // copyrightb, origbs
    if audioCodingMode == 2 { try bits.skip(4) }  // dsurmod, dheadphonmod
    if audioCodingMode >= 6 { try bits.skip(2) }  // dsurexmod
    try bits.skipIfFlagged(8)  // mixlevel, roomtyp, adconvtyp
    if isDualMono { try bits.skipIfFlagged(8) }
    if outline.sampleRateCode < 3 { try bits.skip(1) }  // sourcefscod
  }

  private mutating func parseAdditional(_ bits: inout BitReader) throws(ParsingError) {
    guard try bits.readFlag() else { return }
    let count = try bits.read(6) + 1
    let first = UInt8(try bits.read(8))
    let second = count > 1 ? UInt8(try bits.read(8)) : nil
    for _ in 2..<max(2, count) { try bits.skip(8) }
    additional = AdditionalInformation(byteCount: count, first: first, second: second)
  }
}
