import EnhancedAC3

/// The access units that a file should hold, by the same rules as an output's.
struct ExpectedCuts {
  struct Part {
    let track: AudioTrack
    let units: Range<Int>
  }

  let parts: [Part]
  /// What should be presented of them; nil for whole access units.
  let edit: OutputEdit?
  let preRoll: Int

  /// Resolves the ranges. Unless it is given, the pre-roll is what the file's own edit list hides.
  init(_ expectation: PayloadExpectation, _ mode: CutMode, for file: AudioTrack) throws(Failure) {
    var options = expectation.options
    options.mode = mode
    var tracks: [AudioTrack] = []
    for request in expectation.segments {
      let track = try TrackChoice(request.source, id: request.trackID).track
      _ = try track.usableFirstUnit()
      tracks.append(track)
    }
    guard mode == .exact else {
      var parts: [Part] = []
      for (request, track) in zip(expectation.segments, tracks) {
        parts.append(
          Part(track: track, units: try SegmentCut(frames: request.range, of: track, options: options).units))
      }
      self.parts = parts
      edit = nil
      preRoll = 0
      return
    }
    var ranges: [ExactRange] = []
    for (request, track) in zip(expectation.segments, tracks) {
      ranges.append(
        try ExactRange(request.range, of: track, keepsSilence: tracks.count == 1, options: options))
    }
    let join = try ExactJoin(ranges, preRoll: options.preRoll ?? Self.preRoll(of: file, ranges[0]))
    parts = zip(ranges, join.cuts).map { Part(track: $0.track, units: $1.units) }
    edit = join.edit
    preRoll = join.preRoll
  }

  /// Whole access units that the file hides in front of the one with the range's first sample.
  private static func preRoll(of file: AudioTrack, _ first: ExactRange) -> Int? {
    guard let timeline = try? file.timeline(ignoringEdits: false) else { return nil }
    let hidden = timeline.mediaStart - first.media.lowerBound % AccessUnit.samples
    return hidden >= 0 && hidden % AccessUnit.samples == 0 ? hidden / AccessUnit.samples : nil
  }
}
