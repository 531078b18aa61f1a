import EnhancedAC3
import Remuxing
import SystemIO

/// What must hold of a plan: of its report, its bytes, and of the output when it is opened in its turn.
enum PlanProperties {
  /// Access units of an output that are looked at one by one, at the most.
  private static let unitLimit = 48

  static func check(
    _ planned: PlannedOutput, of requests: [SegmentRequest], by planner: OutputPlanner
  ) throws(Violation) {
    let report = planned.report
    let output = try Output(planned.plan)
    try requireEqual(report.segments.count, requests.count, "segments, reported and asked for")
    let tracks = try zip(report.segments, requests).map { (segment, request) throws(Violation) in
      try track(segment.trackID, of: request.source)
    }
    let units = try units(of: report, tracks)
    try requireEqual(units.count, report.accessUnitCount, "access units of the segments, and of the output")
    try checkPresentation(report, planner)
    if planner.options.mode == .exact { try ExactProperties.check(report, tracks, planner.options) }
    try checkSizes(output, units)
    if case .iso = planner.form { try checkReopened(output, planned, units) }
  }

  /// An access unit of a source.
  struct Unit {
    let track: AudioTrack
    let number: Int

    /// Nil where it cannot be parsed: only the first and the last one of a range need be whole.
    var parsed: AccessUnit? { try? track.accessUnit(number) }
  }

  /// The track that is taken: of several with one number, the first that can be cut.
  private static func track(_ id: UInt32, of source: Source) throws(Violation) -> AudioTrack {
    for numbered in source.tracks {
      if case .dolby(let track) = numbered.content, track.id == id { return track }
    }
    throw Violation("there is no track \(id)")
  }

  private static func units(of report: OutputReport, _ tracks: [AudioTrack]) throws(Violation) -> [Unit] {
    var units: [Unit] = []
    for (segment, track) in zip(report.segments, tracks) {
      let range = segment.accessUnits
      try require(
        !range.isEmpty && range.lowerBound >= 0 && range.upperBound <= track.index.count,
        "access units \(range) of \(track.index.count)")
      // Each takes a byte of the file, or half of one that says it has none.
      try require(range.count <= 2 * track.file.byteCount, "\(range.count) access units")
      units += range.map { Unit(track: track, number: $0) }
    }
    return units
  }

  private static func checkPresentation(_ report: OutputReport, _ planner: OutputPlanner) throws(Violation) {
    let samples = report.accessUnitCount * AccessUnit.samples
    let (start, end) = report.hidden
    try require(
      start >= 0 && end >= 0 && report.missing >= 0, "hidden \(report.hidden) missing \(report.missing)")
    try require((0...report.accessUnitCount).contains(report.preRoll), "pre-roll \(report.preRoll)")
    switch planner.options.mode {
    case .frame:
      try requireEqual(start + end + report.missing + report.preRoll, 0, "what a frame cut hides")
      try requireEqual(report.presentedSamples, samples, "presented samples, and those of all access units")
    case .exact:
      try require(report.presentedSamples > 0, "nothing is presented")
      let silence = report.presentedSamples + start + end - samples
      try require(silence >= 0, "silence of \(silence) samples")
    }
  }

  private static func checkSizes(_ output: Output, _ units: [Unit]) throws(Violation) {
    guard units.count <= unitLimit else { return }
    var total = 0
    for unit in units {
      guard let parsed = unit.parsed else { return }
      total += parsed.substreamByteCounts.reduce(parsed.paddingByteCount, +)
    }
    try requireEqual(output.payload.count, total, "bytes of the plan's extents, and of its access units")
  }
}

// What must hold of an output that is opened again.
extension PlanProperties {
  private static func checkReopened(
    _ output: Output, _ planned: PlannedOutput, _ units: [Unit]
  ) throws(Violation) {
    let report = planned.report
    let scratch = try ScratchFile(holding: output.bytes)
    let source = try succeed("open an output") { () throws(Failure) in try Source(opening: scratch.path) }
    try requireEqual(source.container, .mp4, "the output's container")
    try requireEqual(source.findings, [], "findings of an output")
    guard source.tracks.count == 1, case .dolby(let track) = source.tracks[0].content else {
      throw Violation("an output has \(source.tracks.map(\.content.text))")
    }
    try requireEqual(track.index.count, report.accessUnitCount, "access units of the plan, and of the output")
    try requireEqual(track.sampleRate, report.sampleRate, "sample rates of the plan, and of the output")
    try checkClock(track, report)
    try checkConfiguration(track, report, units)
    try checkUnits(track, units)
    try checkWholeCut(source, output)
  }

  private static func checkClock(_ track: AudioTrack, _ report: OutputReport) throws(Violation) {
    let timeline = try succeed("follow an output's edit list") { () throws(Failure) in
      try track.timeline(ignoringEdits: false)
    }
    try requireEqual(timeline.presentationEnd, report.presentedSamples, "presented, by edit list and report")
    try requireEqual(timeline.mediaStart, report.hidden.start, "hidden in front, by edit list and report")
    let end = report.accessUnitCount * AccessUnit.samples
    try requireEqual(timeline.mediaEnd, end - report.hidden.end, "the end, by edit list and report")
    let findings = track.findings.map(\.code)
    try require(!findings.contains(.timesIrregular), "an output's times are irregular")
    try require(!findings.contains(.timesGap), "an output's times have a gap")
  }

  /// Metadata do not lie: dec3 agrees with the first access unit.
  private static func checkConfiguration(
    _ track: AudioTrack, _ report: OutputReport, _ units: [Unit]
  ) throws(Violation) {
    let inspection = try succeed("inspect an output") { () throws(Failure) in try TrackInspection(track) }
    try requireEqual(inspection.signalledComplexity, report.complexity, "JOC in dec3 and in the report")
    var lies: Set<Finding.Code> = [
      .dec3Missing, .dec3Malformed, .dec3Substreams, .dec3ChannelLocations, .dec3Fields, .dac3Missing,
      .dac3Malformed, .entryCodec, .entrySampleRate, .unitInvalid, .unitMissing, .trackUnusable,
    ]
    // The rate of a stream that varies is its maximum, which a part of it need not reach.
    if units.allSatisfy({ $0.track.constantSize != nil }) { lies.insert(.dec3DataRate) }
    let isMixed = report.findings.contains { $0.code == .objectsMixed }
    if !isMixed { lies.formUnion([.dec3ObjectsMissing, .dec3ObjectsFalse, .dec3ObjectsComplexity]) }
    let found = inspection.findings.filter { lies.contains($0.code) }
    try require(found.isEmpty, "an output lies: \(found.map(\.message))")
  }

  private static func checkUnits(_ track: AudioTrack, _ units: [Unit]) throws(Violation) {
    for (number, unit) in units.prefix(unitLimit).enumerated() {
      guard let own = unit.parsed else { continue }
      guard let taken = try? track.accessUnit(number) else {
        throw Violation("access unit \(unit.number) can be parsed, and not in the output")
      }
      try requireEqual(taken.substreamByteCounts, own.substreamByteCounts, "access unit \(unit.number)")
      try requireEqual(taken.format, own.format, "access unit \(unit.number)")
      try requireEqual(taken.dialogueNormalizations, own.dialogueNormalizations, "access unit \(unit.number)")
      try requireEqual(taken.objects, own.objects, "access unit \(unit.number)")
    }
  }

  /// All of an output, cut out of it, is the same payload.
  private static func checkWholeCut(_ source: Source, _ output: Output) throws(Violation) {
    var options = CutOptions()
    options.allowsMixedObjects = true
    let planner = OutputPlanner(options: options, form: .elementaryStream)
    let planned = try succeed("cut an output") { () throws(Failure) in
      try planner.plan([SegmentRequest(source: source)])
    }
    try require(try Output(planned.plan).payload == output.payload, "all of an output is not its payload")
  }

  private static func succeed<R>(_ what: String, _ body: () throws(Failure) -> R) throws(Violation) -> R {
    do throws(Failure) {
      return try body()
    } catch {
      throw Violation("cannot \(what): \(error)")
    }
  }
}
