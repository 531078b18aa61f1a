import Batch
import Remuxing
import SystemIO

/// What can be measured.
enum ProbeWork: String {
  /// A source is opened.
  case open
  /// A clip of an opened source is planned.
  case plan
  /// A source is opened and a clip of it planned.
  case openAndPlan = "open-plan"
  /// A clip of an opened source is planned and written.
  case clip
  /// The same, to the PCM sample.
  case exact
  /// Two ranges of an opened source are joined.
  case join
  /// Every access unit of a source is looked at.
  case scan
  /// A file is verified.
  case verify
  /// The jobs of a manifest are read, checked and packed.
  case manifest
  /// The jobs of a manifest are run by one lane.
  case batch

  /// Opens what is not part of the work.
  func prepare(_ request: ProbeRequest) throws -> (ProbeRequest) throws -> Samples {
    switch self {
    case .open: try Opening(request).open
    case .openAndPlan: try Opening(request).openAndPlan
    case .plan: try Cutting(request, cut: .frame).plan
    case .clip: try Cutting(request, cut: .frame).write
    case .exact: try Cutting(request, cut: .exact).write
    case .join: try Cutting(request, cut: .frame, segmentCount: 2).write
    case .scan: try Examining(request).scan
    case .verify: try Examining(request).verify
    case .manifest: try BatchWork(request).pack
    case .batch: try BatchWork(request).run
    }
  }
}

/// Opening a source.
struct Opening {
  private let path: FilePath
  private let clip: Range<Int>

  init(_ request: ProbeRequest) throws {
    path = try request.path("source")
    let first = try request.number("first")
    clip = first..<first + (try request.number("units"))
  }

  func open(_ request: ProbeRequest) throws -> Samples {
    try Samples(request) { _ in
      let source = try Source(opening: path)
      return (source.tracks.count, 0)
    }
  }

  func openAndPlan(_ request: ProbeRequest) throws -> Samples {
    let planner = OutputPlanner(options: CutOptions(), form: .iso(isM4A: false))
    return try Samples(request) { _ in
      let source = try Source(opening: path)
      let planned = try planner.plan([SegmentRequest(source: source, range: TimeRange(units: clip))])
      return (planned.report.accessUnitCount, planned.plan.payloadByteCount)
    }
  }
}

/// Looking at all access units.
struct Examining {
  private let path: FilePath

  init(_ request: ProbeRequest) throws {
    path = try request.path("source")
  }

  func scan(_ request: ProbeRequest) throws -> Samples {
    try Samples(request) { _ in
      let source = try Source(opening: path)
      guard case .dolby(let track)? = source.tracks.first?.content else {
        throw ProbeError("the first track cannot be scanned")
      }
      let scan = try TrackScan(track)
      return (scan.coverage.examined, scan.byteCount)
    }
  }

  func verify(_ request: ProbeRequest) throws -> Samples {
    try Samples(request) { _ in
      let verification = try FileVerification(path)
      guard verification.verdict == .right else { throw ProbeError("the source is not right") }
      return (verification.accessUnitCount, verification.checkedByteCount)
    }
  }
}

extension TimeRange {
  /// Whole access units.
  init(units: Range<Int>) {
    self.init(start: .accessUnits(units.lowerBound), end: .at(.accessUnits(units.upperBound)))
  }
}
