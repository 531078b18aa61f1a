import EnhancedAC3
import SystemIO

/// Exact ranges, laid one behind the other on one PCM clock; see DESIGN.md, 5.4.
///
/// The first start and the total length are exact. Joints lie on access unit borders: each segment starts with the access
/// unit nearest to its asked place, so no error adds up. One range alone is the simple case.
struct ExactJoin {
  /// The access units of each segment.
  let cuts: [SegmentCut]
  /// What is presented.
  let edit: OutputEdit
  /// Access units in front of the first presented one.
  let preRoll: Int
  /// Samples that the last source lacks.
  let missing: Int

  private static let unit = AccessUnit.samples

  /// Throws when a segment would get no access unit.
  init(_ ranges: [ExactRange], preRoll asked: Int?) throws(Failure) {
    let first = ranges[0]
    let preRoll = try first.preRoll(asked)
    let firstUnit = first.units.lowerBound - preRoll
    // The output's media time of the first presented sample, and of the end.
    let mediaTime = first.media.lowerBound - firstUnit * Self.unit
    let total = ranges.reduce(0) { $0 + $1.media.count }

    var taken: [Range<Int>] = []
    var joint = 0
    var asked = mediaTime
    for (number, range) in ranges.enumerated() {
      let isLast = number == ranges.count - 1
      let start = number == 0 ? firstUnit : Self.nearest(range.media.lowerBound + joint * Self.unit - asked)
      asked += range.media.count
      let next = isLast ? Self.ceiling(asked) : Self.nearest(asked)
      let units = Self.fit(start, next - joint, in: range.track.index.count, isFixed: number == 0)
      // Pre-roll alone presents nothing.
      guard units.count > (number == 0 ? preRoll : 0) else { throw Self.failure(range, number) }
      taken.append(units)
      joint += units.count
      // Where a source in the middle lacks an access unit, the joint is where it ends.
    }
    let end = min(mediaTime + total, joint * Self.unit)
    missing = mediaTime + total - end
    edit = OutputEdit(silence: first.silence, mediaTime: mediaTime, duration: end - mediaTime)
    self.preRoll = preRoll
    cuts = Self.cuts(ranges, taken, hidden: mediaTime, surplus: joint * Self.unit - end)
  }

  /// `count` access units from `start` on, one earlier where the source ends too soon, fewer where that does not help.
  private static func fit(_ start: Int, _ count: Int, in available: Int, isFixed: Bool) -> Range<Int> {
    guard count > 0 else { return 0..<0 }
    var first = start
    if first + count > available, !isFixed { first = max(0, first - 1) }
    let end = min(first + count, available)
    return first < end ? first..<end : 0..<0
  }

  private static func cuts(
    _ ranges: [ExactRange], _ taken: [Range<Int>], hidden: Int, surplus: Int
  ) -> [SegmentCut] {
    zip(ranges, taken).enumerated().map { number, segment in
      let (range, units) = segment
      var start = units.lowerBound * unit
      var end = units.upperBound * unit
      if number == 0 { start += hidden }
      if number == ranges.count - 1 { end -= surplus }
      return SegmentCut(
        units: units, requested: range.requested,
        presented: start - range.mediaOffset - (number == 0 ? range.silence : 0)..<end - range.mediaOffset,
        findings: range.findings)
    }
  }

  private static func nearest(_ sample: Int) -> Int { (sample + unit / 2) / unit }

  private static func ceiling(_ sample: Int) -> Int { (sample + unit - 1) / unit }

  private static func failure(_ range: ExactRange, _ number: Int) -> Failure {
    Failure(
      .rangeInvalid, "segment \(number) is so short that no access unit falls to it",
      path: range.track.file.path, advice: "make it longer, or leave it out")
  }
}
