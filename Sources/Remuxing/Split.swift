import EnhancedAC3
import SystemIO

/// Cuts a range into pieces of one length that tile it.
///
/// The last one is shorter, or, cut exactly, longer by less than an access unit.
public struct Split: Sendable {
  private let request: SegmentRequest
  /// Where the first piece starts: with the silence in front of the track, if there is any.
  private let start: ExactSamples
  private let firstPosition: ExactSamples
  private let end: ExactSamples
  private let endsWithTrack: Bool
  private let length: ExactSamples
  private let options: CutOptions

  /// Throws when the range cannot be cut or the pieces are shorter than an access unit.
  public init(_ request: SegmentRequest, every length: TimeExpression, options: CutOptions) throws(Failure) {
    let track = try TrackChoice(request.source, id: request.trackID).track
    _ = try track.usableFirstUnit()
    let timeline = try track.timeline(ignoringEdits: options.ignoresEdits)
    let resolver = RangeResolver(track: track, timeline: timeline, options: options)
    let first = try resolver.start(request.range.start ?? .samples(0))
    let last = try resolver.end(request.range.end, start: first)
    self.request = SegmentRequest(source: request.source, trackID: track.id)
    self.length = length.length(at: track.sampleRate)
    guard !self.length.isBefore(AccessUnit.samples) else {
      throw Failure(
        .rangeInvalid,
        "pieces shorter than one access unit (\(AccessUnit.samples) PCM samples) cannot be made",
        path: track.file.path, advice: "give a longer --every")
    }
    try resolver.requireOrder(first, last)
    start = first.asked
    firstPosition = first.position
    end = last.position
    endsWithTrack = last.isTrackEnd
    self.options = options
  }
}

extension Split: Sequence {
  /// The pieces that hold at least one access unit, in order, made one by one.
  public func makeIterator() -> some IteratorProtocol<SegmentRequest> {
    // Pieces that lie in leading silence hold nothing, and a file can claim any length of it.
    var position = start.advanced(inStepsOf: length, upTo: firstPosition)
    return AnyIterator {
      while position.isBefore(end) {
        let next = border(behind: position)
        defer { position = next }
        if let piece = piece(from: position, to: next) { return piece }
      }
      return nil
    }
  }

  /// Where the piece that starts at a position ends.
  ///
  /// No access unit might fall to a rest of less than one when the pieces are joined exactly, so it is no piece.
  private func border(behind position: ExactSamples) -> ExactSamples {
    let next = position.advanced(by: length)
    let isRestShort = end.rounded - next.rounded < AccessUnit.samples
    return options.mode == .exact && isRestShort && next.isBefore(end) ? end : next
  }

  private func piece(from position: ExactSamples, to next: ExactSamples) -> SegmentRequest? {
    let isLast = !next.isBefore(end)
    let stop = isLast ? end : next
    let from = position.isBefore(firstPosition) ? firstPosition : position
    switch options.mode {
    case .frame:
      let unitEnd =
        isLast && endsWithTrack ? end.ceiling(by: AccessUnit.samples) : options.snap.apply(stop)
      guard options.snap.apply(from) < unitEnd else { return nil }
    case .exact:
      guard from.rounded < stop.rounded else { return nil }
    }
    return SegmentRequest(
      source: request.source,
      range: TimeRange(start: .media(position), end: isLast && endsWithTrack ? .trackEnd : .at(.media(stop))),
      trackID: request.trackID)
  }
}
