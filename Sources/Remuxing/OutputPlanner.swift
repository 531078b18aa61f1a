import ByteParsing
public import EnhancedAC3
import ISOMedia
public import SystemIO

/// What an output is.
public enum OutputForm: Equatable, Sendable {
  /// An ISO file; `.m4a` has one more brand.
  case iso(isM4A: Bool)
  /// An elementary stream.
  case elementaryStream
}

/// An output that is planned, and what to say about it.
public struct PlannedOutput: Sendable {
  /// The bytes.
  public let plan: Plan
  /// The facts.
  public let report: OutputReport
}

/// What an output holds, and how it differs from what was asked.
public struct OutputReport: Sendable {
  /// One range of one source.
  public struct SegmentReport: Sendable {
    /// The source.
    public let path: FilePath
    /// The track.
    public let trackID: UInt32
    /// Its access units that are taken.
    public let accessUnits: Range<Int>
    /// What was asked, in PCM samples of the source's presentation time.
    public let requested: Range<Int>
    /// What is presented, in PCM samples of the source's presentation time.
    public let presented: Range<Int>
  }

  /// AC-3 or E-AC-3.
  public let codec: Codec
  /// PCM samples a second.
  public let sampleRate: Int
  /// Access units of the output.
  public let accessUnitCount: Int
  /// The segments, in order.
  public let segments: [SegmentReport]
  /// The complexity that is signalled, if joint object coding is.
  public let complexity: ObjectComplexity?
  /// What that was told from, summed over the segments.
  public let coverage: ObjectCoverage
  /// What is worth knowing.
  public let findings: [Finding]

  /// PCM samples of the output.
  public var sampleCount: Int { accessUnitCount * AccessUnit.samples }
}

/// Turns segments into a plan: the one way to every output.
public struct OutputPlanner: Sendable {
  /// How ranges become access units.
  public var options: CutOptions
  /// What the output is.
  public var form: OutputForm

  /// A planner from its settings.
  public init(options: CutOptions, form: OutputForm) {
    self.options = options
    self.form = form
  }

  /// Plans one output of one or more segments.
  ///
  /// Throws when a range cannot be cut or two segments cannot be joined.
  public func plan(_ requests: [SegmentRequest]) throws(Failure) -> PlannedOutput {
    var segments: [Segment] = []
    var findings: [Finding] = []
    for request in requests {
      let segment = try Segment(request, options: options)
      if let first = segments.first { findings += try first.requireJoinable(segment) }
      segments.append(segment)
    }
    let count = segments.reduce(0) { $0 + $1.cut.units.count }
    guard let first = segments.first else { throw Failure(.usage, "there is no segment") }
    guard count <= AudioTrack.maximumAccessUnits else {
      throw Failure(
        .unsupported,
        "the output would have \(count) access units; \(AudioTrack.maximumAccessUnits) are the most")
    }
    let payload = Payload(segments)
    let plan =
      switch form {
      case .elementaryStream: payload.elementaryPlan()
      case .iso(let isM4A): ISOComposer(segments: segments, isM4A: isM4A).plan(payload)
      }
    let own = segments.flatMap { segment in
      segment.findings.map { segments.count == 1 ? $0 : $0.about(segment.track.file.path) }
    }
    return PlannedOutput(
      plan: plan,
      report: OutputReport(
        codec: first.format.format.codec, sampleRate: first.format.format.sampleRate, accessUnitCount: count,
        segments: segments.map(OutputReport.SegmentReport.init), complexity: first.format.complexity,
        coverage: segments.map(\.format.coverage).reduce(ObjectCoverage(found: 0, examined: 0, total: 0), +),
        findings: (own + findings).withoutRepeats))
  }
}

extension OutputReport.SegmentReport {
  fileprivate init(_ segment: Segment) {
    path = segment.track.file.path
    trackID = segment.track.id
    accessUnits = segment.cut.units
    requested = segment.cut.requested
    presented = segment.cut.presented
  }
}

extension ObjectCoverage {
  fileprivate static func + (left: ObjectCoverage, right: ObjectCoverage) -> ObjectCoverage {
    ObjectCoverage(
      found: left.found + right.found, examined: left.examined + right.examined,
      total: left.total + right.total)
  }
}

extension Finding {
  fileprivate func about(_ path: FilePath) -> Finding {
    Finding(code, severity, "\(path): \(message)")
  }
}

extension [Finding] {
  fileprivate var withoutRepeats: [Finding] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
