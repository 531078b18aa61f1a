import ByteParsing
import EnhancedAC3
import ISOMedia
import SystemIO

/// Everything about one AC-3 or E-AC-3 track: its access units, its configuration, its times.
struct TrackCheck {
  let track: AudioTrack
  /// The track's boxes; nil for an elementary stream.
  let boxes: Track?
  /// Nil where the access units cannot be walked over.
  let scan: TrackScan?
  let configurations: [EntryConfiguration]
  /// Nil where fragments hold samples, whose lengths nobody has to state, and for elementary streams.
  let durations: DurationCheck?

  /// Looks at a track, whose payload is read whole.
  init(_ track: AudioTrack, _ boxes: Track?, log: inout FindingLog) {
    self.track = track
    self.boxes = boxes
    do throws(Failure) {
      scan = try TrackScan(track)
    } catch {
      scan = nil
      log.add(.unitMissing, error, trackID: track.id)
    }
    configurations = scan.map { EntryConfiguration.all(of: track, $0) } ?? []
    if let boxes, let facts = track.containerFacts, track.index.fragments == nil, track.index.count > 0 {
      durations = DurationCheck(boxes, facts, rate: track.sampleRate, in: track.file)
    } else {
      durations = nil
    }
    reportOpening(&log)
    if let boxes { TrackBoxCheck(track: track, boxes: boxes).report(to: &log) }
    reportBitstream(&log)
    for configuration in configurations { configuration.report(track.id, in: track.file, to: &log) }
    for fault in durations?.faults ?? [] where !fault.isConsequence {
      log.add(
        fault.code, .warning, fault.message,
        at: Place(trackID: track.id, offset: fault.place.offset, fault.path),
        writer: fault.writer)
    }
    reportTimes(to: &log)
    reportEdits(&log)
  }

  /// What opening the track found.
  private func reportOpening(_ log: inout FindingLog) {
    let place = Place(trackID: track.id)
    if let refusal = track.refusal { log.add(.trackUnusable, .error, refusal.message, at: place) }
    if track.index.count == 0 { log.add(.trackUnchecked, .note, "the track has no access units", at: place) }
    for finding in track.findings {
      switch finding.code {
      case .streamChanges where scan != nil: break
      // Times that stray are told with the access unit.
      case .timesIrregular where ClockCheck(of: track)?.firstStray != nil: break
      case .editsUnsupported where hasLegalEdits:
        log.add(finding.code, .note, finding.message, at: place)
      default: log.add(finding, at: place)
      }
    }
  }

  /// An edit list may have any number of edits at any rate; only cuts cannot follow them.
  private var hasLegalEdits: Bool {
    guard let list = track.containerFacts?.editList else { return false }
    let isPlain = list.count == 1 || list.count == 2 && list.entries[0].mediaTime == -1
    return !isPlain || list.entries.contains { $0.mediaRate != 0x1_0000 }
  }

  private func reportEdits(_ log: inout FindingLog) {
    guard let list = track.containerFacts?.editList, let durations else { return }
    // A list that cannot be followed is told by opening, unless it is a legal one.
    guard (try? track.timeline(ignoringEdits: false)) != nil || hasLegalEdits else { return }
    let place = Place(trackID: track.id, offset: list.offset, ["moov", "trak", "edts", "elst"])
    EditCheck.report(list, media: durations.media, durations.clock, at: place, to: &log)
  }

  private func reportBitstream(_ log: inout FindingLog) {
    guard let scan else { return }
    let occurrences: [Finding.Code: UnitOccurrences] = [
      .unitInvalid: scan.invalid, .unitChecksum: scan.wrongChecksums, .objectsInvalid: scan.invalidObjects,
      .unitPadding: scan.padded, .streamChanges: scan.formatChanges, .objectsMixed: scan.objectChanges,
      .entryStructure: scan.unlikeEntry,
    ]
    for finding in scan.findings {
      let first = occurrences[finding.code]?.first
      let isShortBlock = finding.code == .unitInvalid && first?.description.contains("block") ?? false
      log.add(
        finding, at: Place(trackID: track.id, accessUnit: first?.unit, offset: first?.offset),
        writer: isShortBlock ? "Bento4" : nil)
    }
    if let unit = try? track.usableFirstUnit(), unit.startsConversion == false {
      log.add(
        .unitConversion, .warning, "access unit 0 does not start with a syncframe of convsync 1",
        at: Place(trackID: track.id, accessUnit: 0))
    }
    if scan.invalid.count > 0 { reportChunks(&log) }
  }

  /// Chunks that start with something else than an access unit.
  private func reportChunks(_ log: inout FindingLog) {
    guard let table = boxes?.sampleTable else { return }
    let bytes = track.file.bytes
    try? table.forEachChunk(in: bytes) { (chunk) throws(ParsingError) in
      guard chunk.byteCount >= 2, chunk.offset <= bytes.byteCount - 2,
        bytes.bigEndian(UInt16.self, at: chunk.offset) != SyncFrameOutline.syncWord
      else { return }
      log.add(
        .chunkSyncWord, .error, "chunk \(chunk.index) does not start with a sync word",
        at: Place(trackID: track.id, accessUnit: chunk.samples.lowerBound, offset: chunk.offset))
    }
  }
}
