/// What the payload of a file should be: ranges of sources, one behind the other.
public struct PayloadExpectation: Sendable {
  /// The ranges, in order; at least one.
  public var segments: [SegmentRequest]
  /// How the ranges became access units. The cut's mode counts only where `isModeGiven`.
  public var options: CutOptions
  /// Whether the mode is known; if not, a file with an edit list was cut exactly.
  public var isModeGiven: Bool
  /// The track of the file that is compared, where it has several; nil for the first enabled one.
  public var trackID: UInt32?

  /// An expectation from its parts.
  public init(
    segments: [SegmentRequest], options: CutOptions = CutOptions(), isModeGiven: Bool = false,
    trackID: UInt32? = nil
  ) {
    self.segments = segments
    self.options = options
    self.isModeGiven = isModeGiven
    self.trackID = trackID
  }
}
