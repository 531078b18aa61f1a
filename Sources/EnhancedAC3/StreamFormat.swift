/// What stays the same in all frames of one substream.
public struct Substream: Equatable, Sendable {
  /// What tells a substream from the others, in short: I0, D1.
  public struct Name: Hashable, Sendable, CustomStringConvertible {
    /// Whether a decoder can play the substream alone.
    public let isIndependent: Bool
    /// `substreamid`.
    public let substreamID: Int

    /// A name from its parts.
    public init(isIndependent: Bool, substreamID: Int) {
      self.isIndependent = isIndependent
      self.substreamID = substreamID
    }

    /// I0, D1.
    public var description: String { (isIndependent ? "I" : "D") + String(substreamID) }
  }

  /// Independent, dependent or converted.
  public let streamType: StreamType
  /// 0 to 7, counted apart for each type.
  public let substreamID: Int
  /// AC-3 or E-AC-3.
  public let codec: Codec
  /// `bsid`.
  public let bitstreamID: Int
  /// `fscod`.
  public let sampleRateCode: Int
  /// `acmod`.
  public let audioCodingMode: Int
  /// `lfeon`.
  public let hasLFE: Bool
  /// `chanmap`, of a dependent that has one.
  public let channelMap: UInt16?

  /// The substream to which a frame belongs.
  public init(_ frame: SyncFrame) {
    streamType = frame.outline.streamType
    substreamID = frame.outline.substreamID
    codec = frame.outline.codec
    bitstreamID = frame.outline.bitstreamID
    sampleRateCode = frame.outline.sampleRateCode
    audioCodingMode = frame.audioCodingMode
    hasLFE = frame.hasLFE
    channelMap = frame.channelMap
  }

  /// The substream's short name.
  public var name: Name { Name(isIndependent: streamType.isIndependent, substreamID: substreamID) }
}

/// One independent substream and the dependents that extend it.
public struct Programme: Equatable, Sendable {
  /// What a decoder can play alone.
  public let independent: Substream
  /// What adds channels to it, in order.
  public internal(set) var dependents: [Substream]
}

/// Everything that must be the same in all access units of a track.
public struct StreamFormat: Equatable, Sendable {
  /// PCM samples a second.
  public let sampleRate: Int
  /// Blocks of 256 PCM samples in each syncframe: 1, 2, 3 or 6.
  public let blocksPerSyncFrame: Int
  /// All substreams in the order of the bitstream; the first is I0.
  public let substreams: [Substream]

  /// The programmes, in order; never empty.
  public var programmes: [Programme] {
    var found: [Programme] = []
    for substream in substreams {
      if substream.streamType.isIndependent {
        found.append(Programme(independent: substream, dependents: []))
      } else {
        found[found.count - 1].dependents.append(substream)
      }
    }
    return found
  }

  /// The first programme.
  public var main: Programme { programmes[0] }

  /// The codec that the sample entry names: E-AC-3 as soon as one substream is.
  public var codec: Codec {
    substreams.allSatisfy { $0.codec == .ac3 } ? .ac3 : .enhancedAC3
  }

  /// The first difference to another format: what differs, and both values.
  public func difference(to other: StreamFormat) -> (field: String, mine: String, theirs: String)? {
    if codec != other.codec { return ("codec", codec.rawValue, other.codec.rawValue) }
    if sampleRate != other.sampleRate { return ("sample rate", "\(sampleRate) Hz", "\(other.sampleRate) Hz") }
    let names = substreams.map(\.name.description).joined(separator: "+")
    let otherNames = other.substreams.map(\.name.description).joined(separator: "+")
    if names != otherNames { return ("substreams", names, otherNames) }
    for (mine, theirs) in zip(substreams, other.substreams) where mine != theirs {
      return mine.difference(to: theirs)
    }
    if blocksPerSyncFrame != other.blocksPerSyncFrame {
      return ("blocks per syncframe", "\(blocksPerSyncFrame)", "\(other.blocksPerSyncFrame)")
    }
    return nil
  }
}

extension Substream {
  fileprivate func difference(to other: Substream) -> (field: String, mine: String, theirs: String) {
    let fields: [(String, (Substream) -> String)] = [
      ("codec", { $0.codec.rawValue }),
      ("acmod", { "\($0.audioCodingMode)" }),
      ("lfeon", { $0.hasLFE ? "1" : "0" }),
      ("chanmap", { $0.channelMap.map { "0x" + String($0, radix: 16) } ?? "none" }),
      ("bsid", { "\($0.bitstreamID)" }),
      ("strmtyp", { "\($0.streamType.rawValue)" }),
    ]
    let (name, value) = fields.first { $0.1(self) != $0.1(other) } ?? ("fscod", { "\($0.sampleRateCode)" })
    return ("\(name) of \(self.name)", value(self), value(other))
  }
}
