import EnhancedAC3

/// How the ends of a range are moved to access unit borders.
public enum Snap: String, CaseIterable, Sendable {
  case floor
  case nearest
  case ceil

  func apply(_ position: ExactSamples) -> Int {
    switch self {
    case .floor: position.floor(by: AccessUnit.samples)
    case .nearest: position.nearest(by: AccessUnit.samples)
    case .ceil: position.ceiling(by: AccessUnit.samples)
    }
  }
}

/// A range as a user asks for it.
public struct TimeRange: Equatable, Sendable {
  /// Where it ends.
  public enum End: Equatable, Sendable {
    /// With the track.
    case trackEnd
    /// At a time.
    case at(TimeExpression)
    /// Some time behind its start.
    case after(TimeExpression)
  }

  /// Where it starts; nil for the first presented sample.
  public var start: TimeExpression?
  /// Where it ends.
  public var end: End

  /// A range from its ends.
  public init(start: TimeExpression? = nil, end: End = .trackEnd) {
    self.start = start
    self.end = end
  }

  /// Everything.
  public static let all = TimeRange()
}

/// How ranges become access units.
public struct CutOptions: Equatable, Sendable {
  /// Which way the ends move.
  public var snap = Snap.floor
  /// Whether an end behind the track's end means the track's end.
  public var clampsEnd = false
  /// Whether edit lists are ignored.
  public var ignoresEdits = false
  /// Whether a range may hold access units with and without joint object coding.
  public var allowsMixedObjects = false

  /// Down to access unit borders, nothing clamped, edit lists followed.
  public init() {}
}

/// A range of whole access units, and how far it is from what was asked.
struct FrameCut {
  /// The access units.
  let units: Range<Int>
  /// What was asked, in PCM samples of presentation time.
  let requested: Range<Int>
  /// What the access units cover, in PCM samples of presentation time.
  let presented: Range<Int>
  let findings: [Finding]

  /// Resolves a range on a track.
  ///
  /// Throws when it is empty, inverted, holds no access unit, or leaves the track.
  init(_ range: TimeRange, of track: AudioTrack, options: CutOptions) throws(Failure) {
    let timeline = try track.timeline(ignoringEdits: options.ignoresEdits)
    let resolver = RangeResolver(track: track, timeline: timeline, options: options)
    if range == .all {
      units = 0..<track.index.count
      requested = timeline.leadingEmpty..<timeline.presentationEnd
      findings = timeline.leadingEmpty > 0 ? [resolver.droppedEdit] : []
    } else {
      let start = try resolver.start(range.start)
      let end = try resolver.end(range.end, start: start)
      let first = options.snap.apply(start.position)
      let last = end.isTrackEnd ? resolver.unitCountToTrackEnd : options.snap.apply(end.position)
      requested =
        start.asked.rounded - timeline.mediaOffset..<max(
          start.asked.rounded, end.asked.rounded) - timeline.mediaOffset
      findings = start.findings
      guard end.isTrackEnd || start.position.isBefore(end.position) else {
        let isSilent = timeline.leadingEmpty > 0 && end.position.isBefore(timeline.mediaStart + 1)
        throw resolver.failure(
          isSilent
            ? "the range lies in the silence in front of the track"
            : "the range is empty or ends before it starts")
      }
      guard first < min(last, track.index.count) else {
        throw resolver.failure(
          "no whole access unit lies in the range: both ends fall to access unit \(first)",
          advice: options.snap == .floor ? "widen it, or use --snap" : "widen it")
      }
      units = first..<min(last, track.index.count)
    }
    if let gap = track.gap(inside: units) {
      throw resolver.failure(
        "the times in stts jump in front of access unit \(gap), inside the range",
        advice: "cut on either side of it")
    }
    presented =
      timeline.presentation(
        ofMedia: units.lowerBound * AccessUnit.samples)..<timeline.presentation(
        ofMedia: units.upperBound * AccessUnit.samples)
  }
}
