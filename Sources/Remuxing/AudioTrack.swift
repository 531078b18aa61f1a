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
    /// The sample entry in use.
    public let entry: AudioSampleEntry
    /// `elng` whole, when there is one.
    public let extendedLanguage: Box?
    /// Chunks.
    public let chunkCount: Int

    /// Ticks a second of the coarsest clock that the track's own duration is rounded to: the movie's, or the media's
    /// where that cannot count PCM samples.
    func ticks(at rate: Int) -> Int {
      let media = Int(media.timescale)
      return media < rate ? min(Int(movie.timescale), media) : Int(movie.timescale)
    }
  }

  /// The file.
  public let file: MappedFile
  /// Track id; 1 for an elementary stream.
  public let id: UInt32
  /// Facts of the MP4 track; nil for an elementary stream.
  public let containerFacts: ContainerFacts?
  /// Where the access units are.
  public let index: AccessUnitIndex
  /// How the 16-bit words of the stream are stored.
  public let byteOrder: ByteOrder
  /// PCM samples a second: the bitstream's, or the sample entry's where no access unit can be parsed.
  public let sampleRate: Int
  /// What opening found.
  public let findings: [Finding]
  /// The first access unit, or why it cannot be used.
  let first: Result<AccessUnit, Failure>
  /// The edit list, or why it cannot be followed.
  let edits: Result<Timeline, Timeline.Refusal>
  /// Why no access unit of this track may be taken, however good it is.
  let refusal: Failure?
  private let times: MediaTimes?

  /// More access units than these, 99 days at 48 kHz, are refused.
  static let maximumAccessUnits = 1 << 28

  /// The stream's own order, or why the file cannot be read.
  init(elementary file: MappedFile, byteOrder: ByteOrder) throws(Failure) {
    self.file = file
    self.byteOrder = byteOrder
    id = 1
    containerFacts = nil
    times = nil
    refusal = nil
    let elementary = try parsing(file.path) { () throws(ParsingError) in
      try ElementaryIndex(walking: file.bytes, from: 0, byteOrder: byteOrder)
    }
    index = AccessUnitIndex(elementary)
    let unit = try Self.parseUnit(0, of: index, in: file, byteOrder)
    first = .success(unit)
    sampleRate = unit.format.sampleRate
    edits = .success(Timeline(all: elementary.count, rate: unit.format.sampleRate))
    var findings: [Finding] = []
    if byteOrder == .littleEndian {
      findings.append(
        Finding(.streamSwapped, .note, "the stream's words are byte-swapped (0x770B); outputs are big-endian")
      )
    }
    switch elementary.tail {
    case .none: break
    case .torn(let count):
      findings.append(
        Finding(.streamTorn, .warning, "the last access unit is cut off; its \(count) bytes are left out"))
    case .foreign(let count):
      findings.append(
        Finding(.streamTail, .note, "\(count) bytes behind the stream are a tag or zeros; they are left out"))
    }
    if let change = elementary.firstChange {
      findings.append(
        Finding(.streamChanges, .warning, "the stream's format changes at access unit \(change)"))
    }
    self.findings = findings
  }

  /// Throws when the sample entry is malformed.
  init(_ track: Track, movie: MovieHeader, in file: MappedFile, isFragmented: Bool) throws(Failure) {
    self.file = file
    byteOrder = .bigEndian
    id = track.header.trackID
    let table = track.sampleTable
    index = AccessUnitIndex(table)
    let entry = try parsing(file.path) { () throws(ParsingError) in
      try AudioSampleEntry(parsing: table.usedEntry, in: file.bytes)
    }
    let editList = track.editList.flatMap { $0.count > 0 ? $0 : nil }
    containerFacts = ContainerFacts(
      movie: movie, header: track.header, media: track.mediaHeader, handler: track.handler,
      editList: editList,
      entry: entry, extendedLanguage: track.extendedLanguage, chunkCount: table.chunkOffsets.table.count)
    refusal = Self.refusal(of: track, entry, in: file, isFragmented: isFragmented)
    let index = index
    do throws(Failure) {
      first = .success(try Self.parseUnit(0, of: index, in: file, .bigEndian))
    } catch {
      first = .failure(error)
    }
    let entryRate = max(1, Int(entry.sampleRate >> 16))
    sampleRate = (try? first.get().format.sampleRate) ?? entryRate
    let times = MediaTimes(
      table.timeToSample, timescale: track.mediaHeader.timescale, rate: sampleRate, accessUnits: index.count,
      in: file.bytes)
    self.times = times
    if let editList {
      do throws(Timeline.Refusal) {
        edits = .success(
          try Timeline(
            editList, movieTimescale: movie.timescale, mediaTimescale: track.mediaHeader.timescale,
            rate: sampleRate, accessUnits: index.count))
      } catch {
        edits = .failure(error)
      }
    } else {
      edits = .success(
        Timeline(all: index.count, rate: sampleRate, ticks: containerFacts?.ticks(at: sampleRate)))
    }
    findings = Self.findings(
      times, edits, entry, codec: try? first.get().format.codec, rate: sampleRate, accessUnits: index.count)
  }

  private static func refusal(
    of track: Track, _ entry: AudioSampleEntry, in file: MappedFile, isFragmented: Bool
  ) -> Failure? {
    let id = track.header.trackID
    if isFragmented {
      return Failure(
        .unavailable, "track \(id) is in a fragmented file, which cannot be cut yet", path: file.path,
        advice: "make it progressive first")
    }
    if track.sampleTable.usesSeveralEntries {
      return Failure(
        .unavailable, "track \(id) changes its sample entry, which cannot be followed yet", path: file.path)
    }
    guard track.sampleTable.sampleCount <= maximumAccessUnits else {
      return Failure(
        .unsupported,
        "track \(id) claims \(track.sampleTable.sampleCount) access units; \(maximumAccessUnits) are the most",
        path: file.path)
    }
    if track.dataReference?.isExternal(entry.dataReferenceIndex) ?? false {
      return Failure(
        .unsupported, "the media of track \(id) is in another file (dref)", path: file.path,
        advice: "make the file self-contained first")
    }
    return nil
  }

  private static func findings(
    _ times: MediaTimes, _ edits: Result<Timeline, Timeline.Refusal>, _ entry: AudioSampleEntry,
    codec: Codec?,
    rate: Int,
    accessUnits: Int
  ) -> [Finding] {
    var findings: [Finding] = []
    if let codec, codec.rawValue != entry.box.type.description {
      findings.append(
        Finding(
          .entryCodec, .error, "the sample entry is \(entry.box.type) and the bitstream \(codec.rawValue)"))
    }
    if Int(entry.sampleRate >> 16) != rate {
      findings.append(
        Finding(
          .entrySampleRate, .warning,
          "the sample entry says \(entry.sampleRate >> 16) Hz and the bitstream \(rate) Hz"))
    }
    if let gap = times.gap(inside: 0..<accessUnits) {
      findings.append(
        Finding(
          .timesGap, .error,
          "the times in stts jump by half an access unit or more in front of access unit \(gap)"))
    } else if !times.isRegular {
      findings.append(
        Finding(
          .timesIrregular, .note,
          "the times in stts are not 1536 PCM samples an access unit; they are not followed"))
    }
    if case .failure(let refusal) = edits {
      findings.append(
        Finding(.editsUnsupported, .error, "the edit list cannot be followed: \(refusal.reason)"))
    }
    return findings
  }
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
