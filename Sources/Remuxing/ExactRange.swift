import EnhancedAC3

/// A range of a track to the PCM sample.
struct ExactRange {
  let track: AudioTrack
  /// The samples, in media time.
  let media: Range<Int>
  /// Silence in front of them that was asked for too: the rest of a leading empty edit.
  let silence: Int
  /// What was asked, in PCM samples of presentation time.
  let requested: Range<Int>
  /// What turns media time into presentation time.
  let mediaOffset: Int
  let findings: [Finding]

  /// Resolves a range on a track; see DESIGN.md, 5.2. Where silence is not kept it is dropped, and said so.
  ///
  /// Throws when it is empty, inverted, holds no sample, or leaves the track.
  init(
    _ range: TimeRange, of track: AudioTrack, keepsSilence: Bool, options: CutOptions
  ) throws(Failure) {
    let timeline = try track.timeline(ignoringEdits: options.ignoresEdits)
    let resolver = RangeResolver(track: track, timeline: timeline, options: options)
    let start = try resolver.start(range.start ?? .samples(0))
    let end = try resolver.end(range.end, start: start)
    try resolver.requireOrder(start, end)
    let first = start.position.rounded
    let last = min(end.position.rounded, timeline.mediaEnd)
    // A length of 0 after rounding is no range, nor are access units behind the end of the edit list.
    guard first < last else { throw resolver.failure("the range holds no PCM sample") }
    self.track = track
    media = first..<last
    mediaOffset = timeline.mediaOffset
    silence = keepsSilence ? max(0, first - start.asked.rounded) : 0
    requested = start.asked.rounded - mediaOffset..<end.asked.rounded - mediaOffset
    let lacking = options.clampsEnd ? 0 : end.asked.rounded - timeline.mediaEnd
    findings = (keepsSilence ? [] : start.findings) + (lacking > 0 ? [resolver.missingEnd(lacking)] : [])
    try resolver.requireNoGap(inside: units)
  }

  /// The access units that hold the samples.
  var units: Range<Int> {
    media.lowerBound / AccessUnit.samples..<(media.upperBound + AccessUnit.samples - 1) / AccessUnit.samples
  }

  /// Access units to take in front: what was asked for, or one, or two where the first one has joint object coding.
  func preRoll(_ asked: Int?) throws(Failure) -> Int {
    if let asked { return min(asked, units.lowerBound) }
    let hasObjects = try track.accessUnit(units.lowerBound).objects?.complexity != nil
    return min(hasObjects ? 2 : 1, units.lowerBound)
  }
}

/// What an output's edit list shows of its media: an optional silence, then one range.
struct OutputEdit: Equatable {
  /// PCM samples of silence in front.
  let silence: Int
  /// The first presented sample, in the output's media time.
  let mediaTime: Int
  /// Presented samples, the silence not counted.
  let duration: Int
}
