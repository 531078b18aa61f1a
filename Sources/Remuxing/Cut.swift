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

extension TimeRange {
  /// `START-END` as a user writes it, either end left out at will.
  ///
  /// Nil when there is not exactly one hyphen, or when what stands on a side of it is no time.
  public init?(_ text: String) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    self = .all
    if !ends[0].isEmpty {
      guard let time = TimeExpression(String(ends[0])) else { return nil }
      start = time
    }
    if !ends[1].isEmpty {
      guard let time = TimeExpression(String(ends[1])) else { return nil }
      end = .at(time)
    }
  }
}

/// Where a cut falls.
public enum CutMode: String, CaseIterable, Sendable {
  /// At access unit borders; the output has no edit list.
  case frame
  /// At the PCM samples that were asked for; an edit list hides what is taken beyond them.
  case exact
}

/// How ranges become access units.
public struct CutOptions: Equatable, Sendable {
  /// Where cuts fall.
  public var mode = CutMode.frame
  /// Access units in front of an exact cut that only prime the decoder; nil for one, or two with joint object coding.
  public var preRoll: Int?
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
