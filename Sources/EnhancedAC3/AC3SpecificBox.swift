public import ByteParsing

/// The payload of `dac3`: what a player learns of an AC-3 track before it sees a frame.
///
/// Source: ETSI TS 102 366, F.4.
public struct AC3SpecificBox: Equatable, Sendable {
  /// `fscod`.
  public var sampleRateCode: Int
  /// `bsid`.
  public var bitstreamID: Int
  /// `bsmod`.
  public var bitstreamMode: Int
  /// `acmod`.
  public var audioCodingMode: Int
  /// `lfeon`.
  public var hasLFE: Bool
  /// `bit_rate_code`: half of `frmsizecod`.
  public var bitRateCode: Int

  /// Parses the payload of `dac3`.
  public init(parsing bytes: RawSpan, origin: Int) throws(ParsingError) {
    var bits = BitReader(bytes, origin: origin)
    sampleRateCode = try bits.read(2)
    bitstreamID = try bits.read(5)
    bitstreamMode = try bits.read(3)
    audioCodingMode = try bits.read(3)
    hasLFE = try bits.readFlag()
    bitRateCode = try bits.read(5)
  }

  /// A box that says what an access unit shows.
  public init(describing unit: AccessUnit) {
    let substream = unit.format.substreams[0]
    sampleRateCode = substream.sampleRateCode
    bitstreamID = substream.bitstreamID
    bitstreamMode = unit.states[0].bitstreamMode ?? 0
    audioCodingMode = substream.audioCodingMode
    hasLFE = substream.hasLFE
    bitRateCode = (unit.ac3SizeCode ?? 0) >> 1
  }

  /// kbit/s that `bit_rate_code` names; nil when the code is reserved.
  public var dataRate: Int? {
    AC3FrameSize.bitRates.indices.contains(bitRateCode) ? AC3FrameSize.bitRates[bitRateCode] : nil
  }

  /// The payload's bytes.
  public var bytes: [UInt8] {
    var bits = BitWriter()
    bits.put(sampleRateCode, 2)
    bits.put(bitstreamID, 5)
    bits.put(bitstreamMode, 3)
    bits.put(audioCodingMode, 3)
    bits.put(hasLFE)
    bits.put(bitRateCode, 5)
    bits.put(0, 5)
    return bits.bytes
  }
}
