import Batch
import Remuxing
import Synchronization
import SystemIO

/// The jobs of a manifest. `count` is the number of its jobs.
struct BatchWork {
  private let manifest: FilePath
  private let rules: PathRules

  init(_ request: ProbeRequest) throws {
    manifest = try request.path("manifest")
    rules = try PathRules(root: manifest.folder)
  }

  func pack(_ request: ProbeRequest) throws -> Samples {
    let packed = try request.path("folder").appending(Array("packed.lz4".utf8))
    let packer = ManifestPacker(rules: rules)
    return try once(request) {
      let report = try packer.pack(
        try InputFile(opening: manifest), to: packed, options: OutputOptions(), onFault: { _ in })
      guard report.jobCount == request.count, report.faultCount == 0 else {
        throw ProbeError("the manifest is not right")
      }
      return (report.jobCount, report.byteCount)
    }
  }

  func run(_ request: ProbeRequest) throws -> Samples {
    var options = BatchOptions()
    options.laneCount = 1
    options.method = request.method
    options.durability = .none
    let observer = Latencies()
    var samples = try once(request) {
      let run = try BatchRun(
        try InputFile(opening: manifest), rules: rules, options: options, observer: observer)
      let summary = run.run()
      guard summary.exitCode == 0, summary.tally.done == request.count else {
        throw ProbeError("of \(request.count) jobs \(summary.tally.done) are done")
      }
      return (summary.tally.accessUnitCount, summary.tally.byteCount)
    }
    if request.isTimed { samples.jobs = observer.all }
    return samples
  }

  /// The mean of one run over all jobs.
  private func once(_ request: ProbeRequest, _ body: () throws -> (units: Int, bytes: Int)) throws -> Samples
  {
    let start = Instant.now
    var samples = Samples()
    let done = try body()
    let end = Instant.now
    samples.wall = [(end.wall - start.wall) / request.count]
    samples.core = [(end.core - start.core) / request.count]
    samples.units = done.units
    samples.bytes = done.bytes
    return samples
  }
}

/// Keeps how long each job took.
private final class Latencies: BatchObserver {
  private let latencies = Mutex<[Int]>([])

  var all: [Int] { latencies.withLock { $0 } }

  func finished(_ outcomes: [JobOutcome]) {
    latencies.withLock { latencies in
      for outcome in outcomes { latencies.append(outcome.nanoseconds) }
    }
  }

  func progressed(_ progress: BatchProgress) {}
}
