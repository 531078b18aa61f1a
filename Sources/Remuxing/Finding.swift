/// Something worth knowing about a file that is no reason to refuse it.
public struct Finding: Equatable, Sendable {
  /// How much it matters.
  public enum Severity: String, Sendable {
    /// Nothing is wrong.
    case note
    /// Something was or should be put right, or a player may stumble.
    case warning
    /// The file breaks its standard.
    case error
  }

  /// A stable name for each kind of finding; the raw value is part of the interface.
  public enum Code: String, CaseIterable, Sendable {
    case dec3Missing = "dec3.missing"
    case dec3Malformed = "dec3.malformed"
    case dec3ObjectsMissing = "dec3.joc-missing"
    case dec3ObjectsFalse = "dec3.joc-false"
    case dec3ObjectsComplexity = "dec3.joc-complexity"
    case dec3Substreams = "dec3.substreams"
    case dec3ChannelLocations = "dec3.chan-loc"
    case dec3DataRate = "dec3.data-rate"
    case dec3Fields = "dec3.fields"
    case dec3Tail = "dec3.tail"
    case dac3Missing = "dac3.missing"
    case dac3Malformed = "dac3.malformed"
    case dac3Fields = "dac3.fields"
    case entryCodec = "entry.codec"
    case entrySampleRate = "entry.sample-rate"
    case entryStructure = "entry.structure"
    case objectsInvalid = "joc.invalid-complexity"
    case objectsMixed = "joc.mixed"
    case timesIrregular = "stts.irregular"
    case timesGap = "stts.gap"
    case timesLateStart = "tfdt.late-start"
    case editsLeadingEmpty = "elst.leading-empty"
    case editsUnsupported = "elst.unsupported"
    case editsDropped = "elst.dropped"
    case editsOutsideMedia = "elst.outside-media"
    case streamSwapped = "stream.byte-swapped"
    case streamHead = "stream.foreign-head"
    case streamTorn = "stream.torn-tail"
    case streamTail = "stream.foreign-tail"
    case streamChanges = "stream.changes"
    case fileTail = "file.foreign-tail"
    case fileTruncated = "file.truncated"
    case fileMalformed = "file.malformed"
    case fileWithoutMovie = "file.no-moov"
    case fileWithoutTrack = "file.no-track"
    case fileSecondMovie = "file.second-moov"
    case boxMalformed = "box.malformed"
    case boxTail = "box.tail"
    case boxDuplicate = "box.duplicate"
    case boxSlack = "box.slack"
    case boxMissing = "box.missing"
    case handlerType = "hdlr.type"
    case dataReferenceIndex = "dref.index"
    case trackNumber = "track.id"
    case trackUnchecked = "track.unchecked"
    case sampleTimeCount = "stts.count"
    case sampleChunkCount = "stsc.count"
    case chunkOutside = "chunk.outside-mdat"
    case chunkOverlap = "chunk.overlap"
    case chunkUnchecked = "chunk.unchecked"
    case chunkSyncWord = "chunk.sync-word"
    case runOutside = "trun.outside-mdat"
    case fragmentSequence = "mfhd.sequence"
    case fragmentTimes = "tfdt.sum"
    case timesLastShort = "stts.last-short"
    case timesJointShort = "stts.joint-short"
    case mediaDuration = "mdhd.duration"
    case trackDuration = "tkhd.duration"
    case movieDuration = "mvhd.duration"
    case editsBeyondMedia = "elst.beyond-media"
    case associatedService = "dec3.asvc"
    case streamStructure = "au.structure"
    case sourceCount = "source.count"
    case sourcePayload = "source.payload"
    case sourcePresentation = "source.presentation"
    case outputSuffix = "output.suffix"
    case unitMissing = "au.missing"
    case endMissing = "end.missing"
    case unitPadding = "au.padding"
    case unitInvalid = "au.invalid"
    case unitChecksum = "au.crc"
    case unitConversion = "au.convsync"
    case trackChoice = "track.choice"
    case trackBroken = "track.broken"
    case trackUnusable = "track.unusable"
    case dialogueNormalization = "dialnorm.differs"
    case bitstreamMode = "bsmod.differs"
  }

  /// The kind of finding.
  public let code: Code
  /// How much it matters.
  public let severity: Severity
  /// What was found, in one clause.
  public let message: String

  /// A finding from its parts.
  public init(_ code: Code, _ severity: Severity, _ message: String) {
    self.code = code
    self.severity = severity
    self.message = message
  }
}
