public import ByteParsing

/// The payload of `dec3`: what a player learns of an E-AC-3 track before it sees a frame.
///
/// Sources: ETSI TS 102 366, F.6; ETSI TS 103 420, E.4 for the tail.
public struct EC3SpecificBox: Equatable, Sendable {
  /// An independent substream and what its dependents add.
  public struct IndependentSubstream: Equatable, Sendable {
    /// `fscod`.
    public var sampleRateCode: Int
    /// `bsid`.
    public var bitstreamID: Int
    /// `asvc`: an associated service.
    public var isAssociatedService: Bool
    /// `bsmod`.
    public var bitstreamMode: Int
    /// `acmod`.
    public var audioCodingMode: Int
    /// `lfeon`.
    public var hasLFE: Bool
    /// `num_dep_sub`.
    public var dependentCount: Int
    /// `chan_loc`; 0 without dependents.
    public var channelLocations: ChannelLocations
  }

  /// The optional bytes behind the substreams.
  public enum Tail: Equatable, Sendable {
    /// No byte.
    case none
    /// Joint object coding: `flag_ec3_extension_type_a` and its complexity, then what follows.
    case objects(ObjectComplexity, rest: [UInt8])
    /// Bytes that do not signal joint object coding.
    case other([UInt8])

    /// What no standard names.
    public var unknownBytes: [UInt8] {
      switch self {
      case .none: []
      case .objects(_, let rest): rest
      case .other(let bytes): bytes
      }
    }
  }

  /// `data_rate`: kbit/s of all substreams together, the maximum where it varies; at most 8191.
  public var dataRate: Int
  /// One to eight.
  public var independents: [IndependentSubstream]
  /// What follows.
  public var tail: Tail

  /// The longest payload that is parsed.
  private static let maximumByteCount = 512

  /// Parses the payload of `dec3`.
  ///
  /// Throws when a substream is cut off.
  public init(parsing bytes: RawSpan, origin: Int) throws(ParsingError) {
    guard bytes.byteCount <= Self.maximumByteCount else {
      throw .malformed(
        "dec3 has \(bytes.byteCount) bytes; more than \(Self.maximumByteCount) cannot be right", at: origin)
    }
    var bits = BitReader(bytes, origin: origin)
    dataRate = try bits.read(13)
    let count = try bits.read(3) + 1
    independents = []
    for _ in 0..<count { independents.append(try IndependentSubstream(parsing: &bits)) }
    tail = Tail(bytes.extracting(bits.position / 8..<bytes.byteCount).copied())
  }

  /// A box that says what an access unit shows.
  public init(describing unit: AccessUnit, dataRate: Int, complexity: ObjectComplexity?) {
    self.dataRate = min(dataRate, 0x1fff)
    var position = 0
    independents = unit.format.programmes.map { programme in
      defer { position += 1 + programme.dependents.count }
      return IndependentSubstream(programme, bitstreamMode: unit.states[position].bitstreamMode ?? 0)
    }
    tail = complexity.map { .objects($0, rest: []) } ?? .none
  }

  /// The complexity, when the box signals joint object coding.
  public var objectComplexity: ObjectComplexity? {
    if case .objects(let complexity, _) = tail { complexity } else { nil }
  }

  /// Whether the flag of joint object coding is set in a tail that does not signal it rightly: some players look at
  /// that one bit only.
  public var hasInvalidObjectSignalling: Bool {
    if case .other(let bytes) = tail { bytes[0] & 1 == 1 } else { false }
  }

  /// The payload's bytes.
  public var bytes: [UInt8] {
    var bits = BitWriter()
    bits.put(dataRate, 13)
    bits.put(independents.count - 1, 3)
    for independent in independents { independent.write(to: &bits) }
    return bits.bytes + tail.bytes
  }
}

extension EC3SpecificBox.Tail {
  /// Flag and index count only where seven reserved bits are 0 and the index is 1 to 16 (TS 103 420, 8.3.2).
  fileprivate init(_ bytes: [UInt8]) {
    if bytes.isEmpty {
      self = .none
    } else if bytes.count >= 2, bytes[0] == 1, let complexity = ObjectComplexity(index: Int(bytes[1])) {
      self = .objects(complexity, rest: Array(bytes[2...]))
    } else {
      self = .other(bytes)
    }
  }

  fileprivate var bytes: [UInt8] {
    switch self {
    case .none: []
    case .objects(let complexity, let rest): [1, UInt8(complexity.index)] + rest
    case .other(let bytes): bytes
    }
  }
}

extension EC3SpecificBox.IndependentSubstream {
  fileprivate init(parsing bits: inout BitReader) throws(ParsingError) {
    sampleRateCode = try bits.read(2)
    bitstreamID = try bits.read(5)
    try bits.skip(1)
    isAssociatedService = try bits.readFlag()
    bitstreamMode = try bits.read(3)
    audioCodingMode = try bits.read(3)
    hasLFE = try bits.readFlag()
    try bits.skip(3)
    dependentCount = try bits.read(4)
    if dependentCount > 0 {
      channelLocations = ChannelLocations(bits: try bits.read(9))
    } else {
      try bits.skip(1)
      channelLocations = ChannelLocations(bits: 0)
    }
  }

  fileprivate init(_ programme: Programme, bitstreamMode: Int) {
    let independent = programme.independent
    sampleRateCode = independent.sampleRateCode
    bitstreamID = independent.bitstreamID
    isAssociatedService = false
    self.bitstreamMode = bitstreamMode
    audioCodingMode = independent.audioCodingMode
    hasLFE = independent.hasLFE
    dependentCount = programme.dependents.count
    channelLocations = ChannelLocations(programme.dependents)
  }

  fileprivate func write(to bits: inout BitWriter) {
    bits.put(sampleRateCode, 2)
    bits.put(bitstreamID, 5)
    bits.put(0, 1)
    bits.put(isAssociatedService)
    bits.put(bitstreamMode, 3)
    bits.put(audioCodingMode, 3)
    bits.put(hasLFE)
    bits.put(0, 3)
    bits.put(dependentCount, 4)
    if dependentCount > 0 { bits.put(channelLocations.bits, 9) } else { bits.put(0, 1) }
  }
}
