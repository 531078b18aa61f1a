import EnhancedAC3
import Remuxing

/// What must hold of exact cuts and joins: DESIGN.md, 5.2 and 5.4.
enum ExactProperties {
  /// A joint lies so near to its place, where both sources have what that takes.
  private static let tolerance = AccessUnit.samples / 2

  static func check(
    _ report: OutputReport, _ tracks: [AudioTrack], _ options: CutOptions
  ) throws(Violation) {
    let asked = report.segments.reduce(0) { $0 + $1.requested.count }
    let presented = report.presentedSamples + report.missing
    // A source may end before a range does, which then is the end.
    try require(presented <= asked, "\(presented) samples presented or missing, \(asked) asked for")
    try checkPreRoll(report, options)
    var timelines: [Timeline] = []
    for track in tracks {
      guard let timeline = try? track.timeline(ignoringEdits: options.ignoresEdits) else {
        throw Violation("a track is cut whose edit list cannot be followed")
      }
      timelines.append(timeline)
    }
    // The silence of an empty edit is kept where there is one segment, and dropped where there are several.
    let keepsSilence = report.segments.count == 1
    let isInside = zip(report.segments, timelines).allSatisfy { segment, timeline in
      let presented = (keepsSilence ? 0 : timeline.leadingEmpty)...timeline.presentationEnd
      return presented.contains(segment.requested.lowerBound)
        && presented.contains(segment.requested.upperBound)
    }
    guard isInside else { return }
    try requireEqual(presented, asked, "samples presented or missing, and asked for")
    if keepsSilence {
      try requireEqual(report.segments[0].presented, report.segments[0].requested, "presented, and asked for")
    }
    guard zip(report.segments, timelines).allSatisfy({ $0.requested.lowerBound >= $1.leadingEmpty }) else {
      return
    }
    try checkJoints(report, zip(tracks, timelines).map { ($0.index.count, $1.mediaStart - $1.leadingEmpty) })
  }

  private static func checkPreRoll(_ report: OutputReport, _ options: CutOptions) throws(Violation) {
    try require(report.preRoll <= options.preRoll ?? 2, "pre-roll \(report.preRoll)")
    let hidden = report.hidden.start
    let unit = AccessUnit.samples
    try requireEqual(hidden / unit, report.preRoll, "whole access units hidden in front, and the pre-roll")
    // What lies behind the last presented sample is the rest of an access unit.
    try require(report.hidden.end < unit, "\(report.hidden.end) samples hidden behind")
  }

  /// Each segment is within half an access unit of its place, however many there are.
  private static func checkJoints(
    _ report: OutputReport, _ tracks: [(unitCount: Int, mediaOffset: Int)]
  ) throws(Violation) {
    var asked = report.hidden.start
    var joint = 0
    for (number, (segment, track)) in zip(report.segments, tracks).enumerated() {
      let units = segment.accessUnits
      let place = asked - (segment.requested.lowerBound + track.mediaOffset)
      let error = (joint - units.lowerBound) * AccessUnit.samples - place
      let lacksUnits = units.lowerBound == 0 || units.upperBound == track.unitCount
      let limit = number == 0 ? 0 : lacksUnits ? AccessUnit.samples - 1 : tolerance
      try require(abs(error) <= limit, "segment \(number) is \(error) samples from its place")
      asked += segment.requested.count
      joint += units.count
    }
  }
}
