/// What an output is.
public enum OutputForm: Equatable, Sendable {
  /// An ISO file; `.m4a` has one more brand.
  case iso(isM4A: Bool)
  /// An elementary stream.
  case elementaryStream

  /// What a file name's suffix, without its dot and in lower case, says; nil when it says nothing.
  public init?(suffix: String) {
    switch suffix {
    case "mp4": self = .iso(isM4A: false)
    case "m4a": self = .iso(isM4A: true)
    case "ec3", "eac3", "ac3": self = .elementaryStream
    default: return nil
    }
  }
}

/// An output that is planned, and what to say about it.
public struct PlannedOutput: Sendable {
  /// The bytes.
  public let plan: Plan
  private let segments: [Segment]
  private let join: ExactJoin?
  /// What joining the segments found.
  private let joining: [Finding]

  init(plan: Plan, _ segments: [Segment], _ join: ExactJoin?, joining: [Finding]) {
    self.plan = plan
    self.segments = segments
    self.join = join
    self.joining = joining
  }

  /// The facts, put together when they are asked for.
  public var report: OutputReport { OutputReport(segments, join, findings) }

  /// Access units of the output.
  public var accessUnitCount: Int { segments.accessUnitCount }

  /// What is worth knowing.
  public var findings: [Finding] { Finding.all(of: segments, join, joining: joining) }
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
    guard !requests.isEmpty else { throw Failure(.usage, "there is no segment") }
    do throws(Failure) {
      return try planUnchanged(requests)
    } catch {
      throw requests.reduce(error) { $1.source.file.explain($0) }
    }
  }

  /// The plan, if no source changes meanwhile.
  private func planUnchanged(_ requests: [SegmentRequest]) throws(Failure) -> PlannedOutput {
    let join = options.mode == .exact ? try exactJoin(requests) : nil
    var payload = Payload()
    var segments: [Segment] = []
    segments.reserveCapacity(requests.count)
    var findings: [Finding] = []
    for (number, request) in requests.enumerated() {
      let choice = try TrackChoice(request)
      let cut: SegmentCut
      if let join {
        cut = join.cuts[number]
      } else {
        cut = try SegmentCut(frames: request.range, of: choice.track, options: options)
      }
      try payload.append(cut.units, of: choice.track)
      let segment = try Segment(choice, cut, options: options)
      if let first = segments.first { findings += try first.requireJoinable(segment) }
      segments.append(segment)
    }
    let count = segments.accessUnitCount
    guard count <= AudioTrack.maximumAccessUnits else {
      throw Failure(
        .unsupported,
        "the output would have \(count) access units; \(AudioTrack.maximumAccessUnits) are the most")
    }
    return PlannedOutput(plan: plan(payload, segments, join?.edit), segments, join, joining: findings)
  }

  private func exactJoin(_ requests: [SegmentRequest]) throws(Failure) -> ExactJoin {
    guard form != .elementaryStream else {
      throw Failure(
        .usage, "an elementary stream has no edit list, so it cannot be cut exactly",
        advice: "write an MP4 file, or leave --cut exact out")
    }
    var ranges: [ExactRange] = []
    for request in requests {
      let choice = try TrackChoice(request)
      ranges.append(
        try ExactRange(
          request.range, of: choice.track, keepsSilence: requests.count == 1, options: options))
    }
    return try ExactJoin(ranges, preRoll: options.preRoll)
  }

  private func plan(_ payload: Payload, _ segments: [Segment], _ edit: OutputEdit?) -> Plan {
    switch form {
    case .elementaryStream:
      return payload.elementaryPlan()
    case .iso(let isM4A):
      return ISOComposer(segments: segments, edit: edit, isM4A: isM4A).plan(payload)
    }
  }
}
