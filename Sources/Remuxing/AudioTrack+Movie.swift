import ByteParsing
import EnhancedAC3
import ISOMedia
import SystemIO

extension AudioTrack {
  /// A track of a movie, with what the file's fragments hold of it.
  ///
  /// Throws when the sample entry of its first access unit is malformed.
  init(
    _ track: Track, movie: MovieHeader, fragments: FragmentedSamples?, in file: MappedFile
  ) throws(Failure) {
    let table = track.sampleTable
    let index = fragments.map { AccessUnitIndex(table, $0) } ?? AccessUnitIndex(table)
    let entries = try Self.entries(of: track, in: file)
    let used = index.count > 0 ? index.sampleEntries(of: 0..<1, in: file.bytes).first?.index ?? 1 : 1
    guard entries.indices.contains(used - 1), let entry = entries[used - 1] else {
      throw Failure(
        .inputMalformed,
        "the first access unit of track \(track.header.trackID) has no sample entry of its codec",
        path: file.path, offset: track.box.offset)
    }
    let first: Result<AccessUnit, Failure> = Result { () throws(Failure) in
      try Self.parseUnit(0, of: index, in: file, .bigEndian)
    }
    let format = (try? first.get())?.format
    let rate = format?.sampleRate ?? max(1, Int(entry.sampleRate >> 16))
    let editList = track.editList.flatMap { $0.count > 0 ? $0 : nil }
    let facts = ContainerFacts(
      movie: movie, header: track.header, media: track.mediaHeader, handler: track.handler,
      editList: editList, entry: entry, timeToSample: table.timeToSample,
      entries: entries, extendedLanguage: track.extendedLanguage,
      chunkCount: table.chunkOffsets.table.count)
    let times = MediaTimes(
      table.timeToSample, head: table.sampleCount, fragments, timescale: track.mediaHeader.timescale,
      rate: rate, accessUnits: index.count, in: file.bytes)
    let edits =
      if let editList {
        Result { () throws(Timeline.Refusal) in
          try Timeline(
            editList, movieTimescale: movie.timescale, mediaTimescale: track.mediaHeader.timescale,
            firstMediaTime: times.start, rate: rate, accessUnits: index.count)
        }
      } else {
        Result<Timeline, Timeline.Refusal>.success(
          Timeline(all: index.count, rate: rate, ticks: facts.ticks(at: rate)))
      }
    self.init(
      file: file, id: track.header.trackID, containerFacts: facts, index: index, byteOrder: .bigEndian,
      sampleRate: rate,
      findings: Self.findings(
        times, edits, entry, codec: format?.codec, rate: rate, accessUnits: index.count),
      first: first, edits: edits, refusal: Self.refusal(of: track, entry, count: index.count, in: file),
      times: times)
  }

  /// The sample entries; nil for those that are not AC-3 or E-AC-3 in the clear.
  private static func entries(of track: Track, in file: MappedFile) throws(Failure) -> [AudioSampleEntry?] {
    var entries: [AudioSampleEntry?] = []
    for box in track.sampleTable.description.entries {
      guard box.type == "ec-3" || box.type == "ac-3" else {
        entries.append(nil)
        continue
      }
      entries.append(
        try parsing(file.path) { () throws(ParsingError) in try AudioSampleEntry(parsing: box, in: file.bytes)
        })
    }
    return entries
  }

  private static func refusal(
    of track: Track, _ entry: AudioSampleEntry, count: Int, in file: MappedFile
  ) -> Failure? {
    let id = track.header.trackID
    guard count <= maximumAccessUnits else {
      return Failure(
        .unsupported, "track \(id) claims \(count) access units; \(maximumAccessUnits) are the most",
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
    rate: Int, accessUnits: Int
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
    if let late = times.lateStart {
      findings.append(
        Finding(
          .timesLateStart, .note,
          "the first fragment starts at \(PCMTime(samples: late, rate: rate).seconds) s; times are counted from its first access unit"
        ))
    }
    if let gap = times.gap(inside: 0..<accessUnits) {
      findings.append(
        Finding(
          .timesGap, .error,
          "the container's times jump by half an access unit or more in front of access unit \(gap)"))
    } else if !times.isRegular {
      findings.append(
        Finding(
          .timesIrregular, .note,
          "the container's times are not 1536 PCM samples an access unit; they are not followed"))
    }
    if case .failure(let refusal) = edits {
      findings.append(
        Finding(.editsUnsupported, .error, "the edit list cannot be followed: \(refusal.reason)"))
    }
    return findings
  }
}

extension AudioTrack {
  /// The sample entry of a range of access units; nil for an elementary stream.
  ///
  /// Throws when the range uses several that differ in codec or configuration, or one that cannot be cut.
  func entry(of units: Range<Int>) throws(Failure) -> AudioSampleEntry? {
    // It was opened with the first access unit's.
    if index.onlySampleEntry != nil { return containerFacts?.entry }
    guard let facts = containerFacts else { return nil }
    var first: AudioSampleEntry?
    for use in index.sampleEntries(of: units, in: file.bytes) {
      guard facts.entries.indices.contains(use.index - 1), let entry = facts.entries[use.index - 1] else {
        throw Failure(
          .unsupported,
          "access unit \(use.firstSample) has a sample entry of another kind (encrypted, or another codec)",
          path: file.path, advice: "cut in front of it")
      }
      if let first, !first.agrees(with: entry, in: file) {
        throw Failure(
          .inputIncompatible, "the sample entry changes at access unit \(use.firstSample), inside the range",
          path: file.path,
          advice: "cut on either side of it")
      }
      first = first ?? entry
    }
    return first
  }
}

extension AudioSampleEntry {
  /// Whether two entries say the same of the stream.
  fileprivate func agrees(with other: AudioSampleEntry, in file: MappedFile) -> Bool {
    guard box.type == other.box.type else { return false }
    let bytes = file.bytes
    for type in ["dec3", "dac3"] as [FourCC] {
      switch (child(type), other.child(type)) {
      case (nil, nil): break
      case (let own?, let theirs?):
        if !bytes.extracting(own.payload).isEqual(to: bytes.extracting(theirs.payload)) { return false }
      default: return false
      }
    }
    return true
  }
}
