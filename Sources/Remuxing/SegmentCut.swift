import EnhancedAC3

/// A range of whole access units, and how far it is from what was asked.
struct SegmentCut {
  /// The access units.
  let units: Range<Int>
  /// What was asked, in PCM samples of presentation time.
  let requested: Range<Int>
  /// What the access units cover, in PCM samples of presentation time.
  let presented: Range<Int>
  let findings: [Finding]
}

extension SegmentCut {
  /// Resolves a range on a track at access unit borders; see DESIGN.md, 5.2.
  ///
  /// Throws when it is empty, inverted, holds no access unit, or leaves the track.
  init(frames range: TimeRange, of track: AudioTrack, options: CutOptions) throws(Failure) {
    let timeline = try track.timeline(ignoringEdits: options.ignoresEdits)
    let resolver = RangeResolver(track: track, timeline: timeline, options: options)
    if range == .all {
      units = 0..<track.index.count
      requested = timeline.leadingEmpty..<timeline.presentationEnd
      findings = (timeline.leadingEmpty > 0 ? [resolver.droppedEdit] : []) + resolver.revealedUnits
    } else {
      let start = try resolver.start(range.start)
      let end = try resolver.end(range.end, start: start)
      let first = options.snap.apply(start.position)
      let last = end.isTrackEnd ? resolver.unitCountToTrackEnd : options.snap.apply(end.position)
      requested =
        start.asked.rounded - timeline.mediaOffset..<max(
          start.asked.rounded, end.asked.rounded) - timeline.mediaOffset
      findings = start.findings
      try resolver.requireOrder(start, end)
      guard first < min(last, track.index.count) else {
        throw resolver.failure(
          "no whole access unit lies in the range: both ends fall to access unit \(first)",
          advice: options.snap == .floor ? "widen it, or use --snap" : "widen it")
      }
      units = first..<min(last, track.index.count)
    }
    try resolver.requireNoGap(inside: units)
    presented =
      timeline.presentation(
        ofMedia: units.lowerBound * AccessUnit.samples)..<timeline.presentation(
        ofMedia: units.upperBound * AccessUnit.samples)
  }
}
