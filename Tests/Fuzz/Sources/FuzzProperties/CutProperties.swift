import ByteParsing
import EnhancedAC3
import Remuxing
import SystemIO

/// What must hold when a file is opened, looked at, cut, joined and split.
enum CutProperties {
  /// Access units that are looked at one by one, at the most.
  private static let unitLimit = 48
  /// Pieces of a split that are planned, at the most.
  private static let pieceLimit = 5

  static func check(_ input: [UInt8]) throws(Violation) {
    let border = max(0, input.count - CutRequest.byteCount)
    let request = CutRequest(input[border...])
    let scratch = try ScratchFile(holding: Array(input[..<border]))
    guard let source = try attempt(border, { () throws(Failure) in try Source(opening: scratch.path) })
    else { return }
    for track in source.tracks { try checkTrack(track, source) }
    let second = request.parts.contains(where: \.isOfSecondFile) ? try copy(of: source) : source
    try checkJoin(request, source, second)
    try checkSplit(request, source)
    try checkTiling(request, source)
  }

  /// Runs the engine; an error is as good as a result if it is one that a file can cause and lies inside the file.
  private static func attempt<R>(
    _ byteCount: Int, _ body: () throws(Failure) -> R
  ) throws(Violation) -> R? {
    do throws(Failure) {
      return try body()
    } catch {
      let allowed: [Failure.Code] = [
        .inputMalformed, .inputIncompatible, .rangeInvalid, .unsupported, .usage,
      ]
      try require(allowed.contains(error.code), "\(error.code): \(error)")
      if let offset = error.offset {
        try require((0...byteCount).contains(offset), "an error outside \(byteCount) bytes: \(error)")
      }
      return nil
    }
  }

  private static func copy(of source: Source) throws(Violation) -> Source {
    let file = source.file
    let scratch = try ScratchFile(holding: file.bytes.copied())
    guard
      let copy = try attempt(file.byteCount, { () throws(Failure) in try Source(opening: scratch.path) })
    else {
      throw Violation("the same bytes can be opened once and not twice")
    }
    return copy
  }
}

// What must hold of a track.
extension CutProperties {
  private static func checkTrack(_ numbered: Source.NumberedTrack, _ source: Source) throws(Violation) {
    switch numbered.content {
    case .broken(let failure): _ = try attempt(source.file.byteCount) { () throws(Failure) in throw failure }
    case .ac4, .encrypted, .other: break
    case .dolby(let track):
      try requireEqual(numbered.id, track.id, "a track's numbers")
      let inspection = try attempt(source.file.byteCount) { () throws(Failure) in
        try TrackInspection(track)
      }
      if let inspection {
        try checkInspection(inspection)
      }
      for unit in sampled(0..<track.index.count) { try checkUnit(unit, of: track) }
    }
  }

  private static func checkInspection(_ inspection: TrackInspection) throws(Violation) {
    let track = inspection.track
    try require(inspection.averageDataRate >= 0, "\(inspection.averageDataRate) kbit/s")
    try requireEqual(inspection.coverage.total, track.index.count, "access units, inspected and there")
    if let timeline = inspection.timeline, track.index.count > 0 {
      let end = track.index.count * AccessUnit.samples
      try require(
        0 <= timeline.mediaStart && timeline.mediaStart <= timeline.mediaEnd && timeline.mediaEnd <= end,
        "the edit list presents \(timeline.mediaStart) to \(timeline.mediaEnd) of \(end) samples")
      try require(timeline.leadingEmpty >= 0, "\(timeline.leadingEmpty) samples of silence")
    }
    _ = inspection.formats
    _ = inspection.layout?.name
  }

  private static func checkUnit(_ number: Int, of track: AudioTrack) throws(Violation) {
    let byteCount = track.file.byteCount
    let parsed = try attempt(byteCount) { () throws(Failure) in try track.accessUnit(number) }
    guard let unit = parsed else { return }
    let size = unit.substreamByteCounts.reduce(unit.paddingByteCount, +)
    try require(size <= byteCount, "access unit \(number) has \(size) bytes")
    if let constant = track.constantSize {
      try requireEqual(size, constant, "bytes of access unit \(number), its own and all units'")
    }
    _ = try attempt(byteCount) { () throws(Failure) in try track.firstBadChecksum(in: number) }
  }

  /// The first and the last of many access units.
  private static func sampled(_ units: Range<Int>) -> [Int] {
    guard units.count > unitLimit else { return Array(units) }
    return Array(units.prefix(unitLimit / 2)) + Array(units.suffix(unitLimit / 2))
  }
}

// What must hold of cuts and joins.
extension CutProperties {
  private static func checkJoin(
    _ request: CutRequest, _ source: Source, _ second: Source
  ) throws(Violation) {
    let planner = OutputPlanner(options: request.options, form: request.form)
    let segments = request.parts.map {
      SegmentRequest(
        source: $0.isOfSecondFile ? second : source, range: $0.range, trackID: request.trackID)
    }
    let made = try attempt(source.file.byteCount) { () throws(Failure) in try planner.plan(segments) }
    guard let planned = made else { return }
    try PlanProperties.check(planned, of: segments, by: planner)
  }

  /// Pieces follow each other without a gap and without an overlap.
  private static func checkSplit(_ request: CutRequest, _ source: Source) throws(Violation) {
    let whole = SegmentRequest(source: source, range: request.parts[0].range, trackID: request.trackID)
    let every = request.parts[0].length
    let planner = OutputPlanner(options: request.options, form: request.form)
    let byteCount = source.file.byteCount
    let made = try attempt(byteCount) { () throws(Failure) in
      try Split(whole, every: every, options: request.options)
    }
    guard let split = made else { return }
    var end: Int?
    for (number, piece) in split.prefix(pieceLimit).enumerated() {
      let made = try attempt(byteCount) { () throws(Failure) in try planner.plan([piece]) }
      guard let planned = made else { return }
      try PlanProperties.check(planned, of: [piece], by: planner)
      let presented = planned.report.segments[0].presented
      if let end { try requireEqual(presented.lowerBound, end, "where piece \(number) starts") }
      end = presented.upperBound
    }
  }

  /// [0, b) and [b, end) are all access units, whatever b is.
  private static func checkTiling(_ request: CutRequest, _ source: Source) throws(Violation) {
    guard case .accessUnits = request.parts[0].length else { return }
    let border = request.parts[0].length
    var options = request.options
    options.mode = .frame
    let planner = OutputPlanner(options: options, form: .elementaryStream)
    let ranges = [
      TimeRange.all, TimeRange(start: nil, end: .at(border)), TimeRange(start: border, end: .trackEnd),
    ]
    var outputs: [(report: OutputReport, payload: [UInt8])] = []
    for range in ranges {
      let segment = SegmentRequest(source: source, range: range, trackID: request.trackID)
      let made = try attempt(source.file.byteCount) { () throws(Failure) in try planner.plan([segment]) }
      guard let planned = made else { return }
      outputs.append((planned.report, try Output(planned.plan).payload))
    }
    let sides = outputs[1].payload + outputs[2].payload
    let units = outputs.map { $0.report.segments[0].accessUnits }
    try requireEqual(units[1].upperBound, units[2].lowerBound, "both sides of a border")
    // An edit list may leave access units out, which only a cut without bounds takes.
    if units[1].lowerBound == units[0].lowerBound, units[2].upperBound == units[0].upperBound {
      try require(sides == outputs[0].payload, "both sides of a border are not the whole")
    }
  }
}
