import EnhancedAC3
import SystemIO

/// Turns the ends of a range into places on the media clock.
struct RangeResolver {
  let track: AudioTrack
  let timeline: Timeline
  let options: CutOptions

  struct Start {
    /// What was asked; it lies in front of `position` where that starts in leading silence.
    let asked: ExactSamples
    let position: ExactSamples
    let findings: [Finding]
  }

  struct End {
    /// What was asked; it lies beyond `position` where that is the track's end.
    let asked: ExactSamples
    let position: ExactSamples
    let isTrackEnd: Bool
  }

  var droppedEdit: Finding {
    let silence = PCMTime(samples: timeline.leadingEmpty, rate: track.sampleRate)
    return Finding(
      .editsLeadingEmpty, .warning, "the silence of \(silence.seconds) s in front of the track is dropped")
  }

  /// An end that is within an access unit behind the track means the track's end.
  func missingEnd(_ samples: Int) -> Finding {
    let time = PCMTime(samples: samples, rate: track.sampleRate)
    return Finding(
      .endMissing, .warning,
      "the range ends \(samples) PCM samples (\(time.seconds) s) behind the end of the track; those are missing"
    )
  }

  /// What whole access units without an edit list show that the source's edit list hides.
  var revealedUnits: [Finding] {
    let front = timeline.mediaStart / AccessUnit.samples
    let back = track.index.count - unitCountToTrackEnd
    guard front + back > 0 else { return [] }
    return [
      Finding(
        .editsDropped, .warning,
        "access units that the edit list hides, \(front) in front and \(back) behind, are part of the output; use --cut exact to keep them hidden, or give a start and an end to leave them out"
      )
    ]
  }

  /// Access units up to and with the one that holds the last presented sample.
  var unitCountToTrackEnd: Int {
    ExactSamples(timeline.mediaEnd).ceiling(by: AccessUnit.samples)
  }

  func start(_ time: TimeExpression?) throws(Failure) -> Start {
    if case .accessUnits(let unit) = time {
      guard unit < track.index.count else {
        throw failure("the range starts at access unit \(unit), behind the end of the track")
      }
      let position = ExactSamples(unit * AccessUnit.samples)
      return Start(asked: position, position: position, findings: [])
    }
    // Only the silence of an empty edit lies in front of the first presented sample.
    let first = ExactSamples(timeline.mediaStart)
    let dropped = timeline.leadingEmpty > 0 ? [droppedEdit] : []
    if case .media(let position) = time {
      let isInSilence = timeline.leadingEmpty > 0 && position.isBefore(timeline.mediaStart)
      return Start(
        asked: position, position: isInSilence ? first : position, findings: isInSilence ? dropped : [])
    }
    guard let time else { return Start(asked: first, position: first, findings: dropped) }
    let position = time.length(at: track.sampleRate).advanced(by: timeline.mediaOffset)
    guard position.isBefore(timeline.mediaEnd) else {
      throw failure("the range starts at \(seconds(position)) s, behind the end of the track")
    }
    guard position.isBefore(timeline.mediaStart) else {
      return Start(asked: position, position: position, findings: [])
    }
    return Start(asked: position, position: first, findings: dropped)
  }

  func end(_ end: TimeRange.End, start: Start) throws(Failure) -> End {
    let last = ExactSamples(timeline.mediaEnd)
    let asked: ExactSamples
    switch end {
    case .trackEnd:
      return End(asked: last, position: last, isTrackEnd: true)
    case .at(.accessUnits(let unit)):
      guard unit <= track.index.count || options.clampsEnd else {
        throw failure(
          "the range ends at access unit \(unit), behind the end of the track", advice: Self.clamp)
      }
      return End(
        asked: ExactSamples(unit * AccessUnit.samples),
        position: ExactSamples(min(unit, track.index.count) * AccessUnit.samples), isTrackEnd: false)
    case .at(.media(let place)):
      return End(asked: place, position: place, isTrackEnd: false)
    case .at(let time):
      asked = time.length(at: track.sampleRate).advanced(by: timeline.mediaOffset)
    case .after(let time):
      asked = start.asked.advanced(by: time.length(at: track.sampleRate))
    }
    guard options.clampsEnd || asked.isBefore(timeline.mediaEnd + AccessUnit.samples) else {
      throw failure("the range ends at \(seconds(asked)) s, behind the end of the track", advice: Self.clamp)
    }
    // Writers round durations; an exact cut takes a time at its word.
    let isEnd =
      options.mode == .frame
      ? asked.isWithinTick(of: timeline.mediaEnd, ticks: timeline.ticks, rate: track.sampleRate)
      : !asked.isBefore(timeline.mediaEnd)
    return End(asked: asked, position: isEnd ? last : asked, isTrackEnd: isEnd)
  }

  /// Throws when a range is empty or inverted.
  func requireOrder(_ start: Start, _ end: End) throws(Failure) {
    guard !start.position.isBefore(end.position) else { return }
    let isSilent = timeline.leadingEmpty > 0 && end.position.isBefore(timeline.mediaStart + 1)
    throw failure(
      isSilent
        ? "the range lies in the silence in front of the track"
        : "the range is empty or ends before it starts")
  }

  /// Throws when the container's times jump inside a range of access units.
  func requireNoGap(inside units: Range<Int>) throws(Failure) {
    guard let gap = track.gap(inside: units) else { return }
    throw failure(
      "the container's times jump in front of access unit \(gap), inside the range",
      advice: "cut on either side of it")
  }

  private static let clamp = "let it end with the track: --clamp, or \"clamp\":true in a manifest"

  private func seconds(_ position: ExactSamples) -> String {
    PCMTime(samples: position.rounded - timeline.mediaOffset, rate: track.sampleRate).seconds
  }

  func failure(_ message: String, advice: String? = nil) -> Failure {
    let end = PCMTime(samples: timeline.presentationEnd, rate: track.sampleRate)
    let length = "the track ends at \(end.seconds) s, after \(track.index.count) access units"
    return Failure(.rangeInvalid, "\(message); \(length)", path: track.file.path, advice: advice)
  }
}
