import ByteParsing
public import EnhancedAC3
public import ISOMedia
public import SystemIO

/// An AC-3 or E-AC-3 track of a source: its facts, its access units and its clock.
public struct AudioTrack: Sendable {
  /// Facts that only an MP4 track has.
  public struct ContainerFacts: Sendable {
    /// `mvhd`.
    public let movie: MovieHeader
    /// `tkhd`.
    public let header: TrackHeader
    /// `mdhd`.
    public let media: MediaHeader
    /// `hdlr`.
    public let handler: HandlerReference
    /// `elst`, when there is one with edits in it.
    public let editList: EditList?
    /// The sample entry of the first access unit.
    public let entry: AudioSampleEntry
    /// `stts`.
    let timeToSample: TimeToSample
    /// All sample entries, in order; nil for those of another codec.
    let entries: [AudioSampleEntry?]
    /// `elng` whole, when there is one.
    public let extendedLanguage: Box?
    /// Chunks that the movie box lists.
    public let chunkCount: Int

    /// Ticks a second of the coarsest clock that the track's own duration is rounded to: the movie's, or the media's
    /// where that cannot count PCM samples.
    func ticks(at rate: Int) -> Int {
      let media = Int(media.timescale)
      return media < rate ? min(Int(movie.timescale), media) : Int(movie.timescale)
    }
  }

  /// What opening found out. Every clip of the source refers to it, so it is there once.
  private final class Opened: Sendable {
    let file: MappedFile
    let id: UInt32
    let containerFacts: ContainerFacts?
    let index: AccessUnitIndex
    let byteOrder: ByteOrder
    let sampleRate: Int
    let findings: [Finding]
    let first: Result<AccessUnit, Failure>
    let edits: Result<Timeline, Timeline.Refusal>
    let refusal: Failure?
    let times: MediaTimes?
    let provenance: AudioMovie.Provenance
    let usualConfiguration = UsualConfiguration()

    init(
      file: MappedFile, id: UInt32, containerFacts: ContainerFacts?, index: AccessUnitIndex,
      byteOrder: ByteOrder, sampleRate: Int, findings: [Finding], first: Result<AccessUnit, Failure>,
      edits: Result<Timeline, Timeline.Refusal>, refusal: Failure?, times: MediaTimes?,
      provenance: AudioMovie.Provenance
    ) {
      self.file = file
      self.id = id
      self.containerFacts = containerFacts
      self.index = index
      self.byteOrder = byteOrder
      self.sampleRate = sampleRate
      self.findings = findings
      self.first = first
      self.edits = edits
      self.refusal = refusal
      self.times = times
      self.provenance = provenance
    }
  }

  private let opened: Opened

  init(
    file: MappedFile, id: UInt32, containerFacts: ContainerFacts?, index: AccessUnitIndex,
    byteOrder: ByteOrder, sampleRate: Int, findings: [Finding], first: Result<AccessUnit, Failure>,
    edits: Result<Timeline, Timeline.Refusal>, refusal: Failure? = nil, times: MediaTimes? = nil
  ) {
    opened = Opened(
      file: file, id: id, containerFacts: containerFacts, index: index, byteOrder: byteOrder,
      sampleRate: sampleRate,
      findings: findings, first: first, edits: edits, refusal: refusal, times: times,
      provenance: AudioMovie.Provenance(containerFacts, in: file))
  }

  /// The file.
  public var file: MappedFile { opened.file }
  /// Track id; 1 for an elementary stream.
  public var id: UInt32 { opened.id }
  /// Facts of the MP4 track; nil for an elementary stream.
  public var containerFacts: ContainerFacts? { opened.containerFacts }
  /// Where the access units are.
  public var index: AccessUnitIndex { opened.index }
  /// How the 16-bit words of the stream are stored.
  public var byteOrder: ByteOrder { opened.byteOrder }
  /// PCM samples a second: the bitstream's, or the sample entry's where no access unit can be parsed.
  public var sampleRate: Int { opened.sampleRate }
  /// What opening found.
  public var findings: [Finding] { opened.findings }
  /// The first access unit, or why it cannot be used.
  var first: Result<AccessUnit, Failure> { opened.first }
  /// The edit list, or why it cannot be followed.
  var edits: Result<Timeline, Timeline.Refusal> { opened.edits }
  /// Why no access unit of this track may be taken, however good it is.
  var refusal: Failure? { opened.refusal }
  var times: MediaTimes? { opened.times }
  /// Times, language and names that outputs carry over.
  var provenance: AudioMovie.Provenance { opened.provenance }
  var usualConfiguration: UsualConfiguration { opened.usualConfiguration }

  /// More access units than these, 99 days at 48 kHz, are refused.
  static let maximumAccessUnits = 1 << 28
}

extension AudioTrack {
  /// The first access unit, if the track can be cut.
  ///
  /// Throws when an access unit cannot be parsed, or when the track is of a kind that is not supported.
  public func usableFirstUnit() throws(Failure) -> AccessUnit {
    if let refusal { throw refusal }
    return try first.get()
  }

  /// The clock to cut by.
  ///
  /// Throws when the edit list cannot be followed and is not to be ignored.
  public func timeline(ignoringEdits: Bool) throws(Failure) -> Timeline {
    if ignoringEdits {
      return Timeline(all: index.count, rate: sampleRate, ticks: containerFacts?.ticks(at: sampleRate))
    }
    switch edits {
    case .success(let timeline): return timeline
    case .failure(let refusal):
      throw Failure(
        .unsupported, "the edit list of track \(id) cannot be followed: \(refusal.reason)", path: file.path,
        offset: containerFacts?.editList?.offset, advice: "use --ignore-edits to cut by media time")
    }
  }

  /// The first access unit inside a range in front of which the times of `stts` jump.
  func gap(inside units: Range<Int>) -> Int? {
    times?.gap(inside: units)
  }
}

extension AudioMovie.Provenance {
  /// What a track of a movie says; the usual for an elementary stream.
  fileprivate init(_ facts: AudioTrack.ContainerFacts?, in file: MappedFile) {
    self.init()
    guard let facts else { return }
    movieTimes = facts.movie.times
    trackTimes = facts.header.times
    mediaTimes = facts.media.times
    language = facts.media.language
    handlerName = facts.handler.name
    if let box = facts.extendedLanguage {
      extendedLanguage = file.bytes.extracting(box.offset..<box.payload.upperBound).copied()
    }
  }
}
