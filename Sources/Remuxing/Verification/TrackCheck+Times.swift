import EnhancedAC3
import ISOMedia
import SystemIO

extension TrackCheck {
  /// What the container says of how long access units last, and in fragments of when they start.
  func reportTimes(to log: inout FindingLog) {
    guard let facts = track.containerFacts, let boxes else { return }
    reportJoints(boxes, to: &log)
    // What follows from a gap is not told again.
    guard !track.findings.contains(where: { $0.code == .timesGap }) else { return }
    let hasFragments = track.index.fragments != nil
    var clock = ClockCheck(timescale: facts.media.timescale, rate: track.sampleRate)
    // Without fragments the last one is told apart, and so is one where files were joined.
    var left = hasFragments ? track.index.count : track.index.count - 1
    let short = hasFragments ? 0 : shortestWhole
    track.forEachDuration { count, ticks in
      let isJoint = count == 1 && ticks < short
      clock.advance(over: min(count, left), lasting: isJoint ? clock.wholeTicks : ticks)
      left -= min(count, left)
    }
    if let stray = clock.firstStray {
      log.add(
        .timesIrregular, .warning,
        "the container's times are not 1536 PCM samples an access unit: from access unit \(stray) on they are off by more than rounding",
        at: Place(trackID: track.id, accessUnit: stray))
    }
    if let fragments = track.index.fragments { reportFragments(fragments, boxes, to: &log) }
  }

  /// A fragment's samples last until the next one starts; a tick is a writer's rounding.
  private func reportFragments(_ fragments: FragmentedSamples, _ boxes: Track, to log: inout FindingLog) {
    let head = track.index.count - fragments.count
    var previous: FragmentedSamples.DecodeTime?
    for time in fragments.decodeTimes {
      defer { previous = time }
      var last = 0
      if let previous {
        fragments.forEachDuration(of: previous.sample..<time.sample, in: track.file.bytes) { last += $0 * $1 }
      } else if head > 0 {
        last = (try? boxes.sampleTable.timeToSample.totalTicks(in: track.file.bytes)) ?? 0
      } else {
        continue
      }
      let distance = time.ticks - (previous?.ticks ?? 0)
      guard !(distance - 1...distance + 1).contains(last) else { continue }
      log.add(
        .fragmentTimes, .warning,
        "the samples in front of access unit \(head + time.sample) last \(last) ticks, its fragment starts \(distance) ticks behind the one before",
        at: Place(trackID: track.id, accessUnit: head + time.sample))
    }
  }

  /// Ticks below which an access unit is short by more than rounding, where whole ones are a whole number of ticks.
  private var shortestWhole: Int {
    guard let boxes else { return 0 }
    let (whole, rest) = (AccessUnit.samples * Int(boxes.mediaHeader.timescale))
      .quotientAndRemainder(dividingBy: track.sampleRate)
    // A writer that rounds is off by a tick or two.
    return rest == 0 ? whole - max(2, whole / 16) : 0
  }

  /// A single short delta between whole ones: the last one of a file that was joined to another.
  private func reportJoints(_ boxes: Track, to log: inout FindingLog) {
    let table = boxes.sampleTable.timeToSample
    let short = shortestWhole
    let whole = ClockCheck(timescale: boxes.mediaHeader.timescale, rate: track.sampleRate).wholeTicks
    var unit = 0
    for index in 0..<table.table.count {
      let run = table.run(index, in: track.file.bytes)
      defer { unit += run.sampleCount }
      guard run.sampleCount == 1, unit + 1 < track.index.count, run.sampleDelta < short else { continue }
      log.add(
        .timesJointShort, .warning,
        "access unit \(unit) lasts \(run.sampleDelta) ticks, a whole one \(whole)",
        at: Place(trackID: track.id, accessUnit: unit, offset: table.table.offset + index * 8 + 4),
        writer: "FFmpeg or GPAC")
    }
  }
}
