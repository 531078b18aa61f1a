import Remuxing
import SystemIO

/// Clips of one opened source, one behind the other, from its start again when it is over.
struct Cutting {
  private let source: Source
  private let folder: FilePath
  private let planner: OutputPlanner
  private let writer: PlanWriter
  private let first: Int
  private let units: Int
  private let slots: Int
  private let segmentCount: Int

  init(_ request: ProbeRequest, cut: CutMode, segmentCount: Int = 1) throws {
    source = try Source(opening: try request.path("source"))
    folder = try request.path("folder")
    first = try request.number("first")
    units = try request.number("units")
    slots = try request.number("slots")
    self.segmentCount = segmentCount
    var options = CutOptions()
    options.mode = cut
    planner = OutputPlanner(options: options, form: .iso(isM4A: false))
    writer = PlanWriter(method: request.method)
  }

  func plan(_ request: ProbeRequest) throws -> Samples {
    try Samples(request) { turn in
      let planned = try planner.plan(segments(turn))
      return (planned.report.accessUnitCount, planned.plan.payloadByteCount)
    }
  }

  func write(_ request: ProbeRequest) throws -> Samples {
    try Samples(request) { turn in
      let planned = try planner.plan(segments(turn))
      guard let path = FilePath(bytes: folder.bytes + "/\(turn).mp4".utf8) else {
        throw ProbeError("the folder has no name")
      }
      _ = try writer.write(planned.plan, to: .file(path, OutputOptions()))
      return (planned.report.accessUnitCount, planned.plan.payloadByteCount)
    }
  }

  /// The parts of one clip: neighbours, but in the other order, so that they stay apart.
  private func segments(_ turn: Int) -> [SegmentRequest] {
    let start = first + turn % slots * units
    let size = units / segmentCount
    return (0..<segmentCount).reversed().map { part in
      let from = start + part * size
      return SegmentRequest(source: source, range: TimeRange(units: from..<from + size))
    }
  }
}
