public import ByteParsing

/// One access unit: all syncframes of all substreams for six blocks, 1536 PCM samples.
///
/// Sources: ETSI TS 102 366, F.5; ATSC A/52, E2.3.1.
public struct AccessUnit: Equatable, Sendable {
  /// Blocks of an access unit.
  public static let blocks = 6
  /// PCM samples of an access unit, whatever it holds.
  public static let samples = 1536

  /// What must be the same in all access units of a track.
  public let format: StreamFormat
  /// Joint object coding, if any substream of the first programme signals it.
  public let objects: ObjectCoding?
  /// What may change of each substream, in the order of the bitstream.
  public let states: [SubstreamState]
  /// Syncframes.
  public let syncFrameCount: Int
  /// Zero bytes behind the last syncframe.
  public let paddingByteCount: Int
  /// Whether the first syncframe says that six blocks start with it; nil where it has no such bit.
  public let startsConversion: Bool?
  /// `frmsizecod` of the first syncframe, if that is AC-3.
  public let ac3SizeCode: Int?

  /// Parses all syncframe headers of `bytes`, which must be exactly one access unit, at `origin` in the file.
  ///
  /// One that is much like another one of its track shares memory with it. Throws when the frames do not add up to the
  /// bytes, the blocks not to six, or substreams are missing or out of order.
  public init(parsing bytes: RawSpan, origin: Int, like model: AccessUnit? = nil) throws(ParsingError) {
    var assembly = AccessUnitAssembly(origin: origin, like: model)
    var position = 0
    while position < bytes.byteCount {
      let rest = bytes.extracting(position..<bytes.byteCount)
      if assembly.isComplete, rest.isZero { break }
      let frame = try SyncFrame(parsing: rest, origin: origin + position)
      guard frame.outline.byteCount <= rest.byteCount else {
        throw .malformed(
          "a syncframe of \(frame.outline.byteCount) bytes does not fit into the \(rest.byteCount) left of its access unit",
          at: origin + position)
      }
      try assembly.append(frame, at: origin + position)
      position += frame.outline.byteCount
    }
    guard let first = assembly.first else { throw .malformed("an access unit has no bytes", at: origin) }
    try assembly.requireSixBlocks()
    format = StreamFormat(
      sampleRate: first.outline.sampleRate, blocksPerSyncFrame: first.outline.blocks,
      substreams: assembly.substreams.elements)
    objects = assembly.objects
    states = assembly.states.elements
    syncFrameCount = assembly.syncFrameCount
    paddingByteCount = bytes.byteCount - position
    startsConversion = first.convertsFromHere
    ac3SizeCode = first.outline.ac3SizeCode
  }
}

/// What may change of a substream from one access unit to the next.
public struct SubstreamState: Equatable, Sendable {
  /// `dialnorm`.
  public let dialogueNormalization: Int
  /// `bsmod`, if it states one.
  public internal(set) var bitstreamMode: Int?
  /// Bytes of it in the access unit.
  public internal(set) var byteCount: Int
}

extension AccessUnit {
  /// `dialnorm` of each substream, in the order of the bitstream.
  public var dialogueNormalizations: [Int] { states.map(\.dialogueNormalization) }

  /// `bsmod` of each substream that states one, in the order of the bitstream.
  public var bitstreamModes: [Int?] { states.map(\.bitstreamMode) }

  /// Bytes of each substream, in the order of the bitstream.
  public var substreamByteCounts: [Int] { states.map(\.byteCount) }
}

/// Joint object coding as an access unit signals it.
public struct ObjectCoding: Equatable, Sendable {
  /// The complexity; nil when the flag is set and the index is missing or out of range.
  public let complexity: ObjectComplexity?
  /// The substream whose `addbsi` says so.
  public let carrier: Substream.Name
}

extension RawSpan {
  var isZero: Bool {
    for index in 0..<byteCount where byte(at: index) != 0 { return false }
    return true
  }
}

extension AccessUnit {
  /// Checks every syncframe of an access unit; returns the offset of the first whose checksum is wrong.
  ///
  /// Zeros behind the last frame are passed over. Throws when the bytes are no chain of syncframes.
  public static func firstBadChecksum(in bytes: RawSpan, origin: Int) throws(ParsingError) -> Int? {
    var position = 0
    while position < bytes.byteCount {
      let rest = bytes.extracting(position..<bytes.byteCount)
      if rest.isZero { return nil }
      let outline = try SyncFrameOutline(parsing: rest, origin: origin + position)
      guard outline.byteCount <= rest.byteCount else {
        throw .malformed("a syncframe does not fit into its access unit", at: origin + position)
      }
      guard outline.hasRightChecksum(rest.extracting(0..<outline.byteCount)) else { return origin + position }
      position += outline.byteCount
    }
    return nil
  }
}
