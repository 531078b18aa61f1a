import Batch
import Remuxing
import Synchronization
import SystemIO

/// Numbers of a batch in Prometheus' text format, in a file that is always whole, for its node exporter to collect.
final class MetricsFile: Sendable {
  private static let pauseSeconds = 5.0

  private let path: FilePath
  private let shard: Shard
  private let state = Mutex((writtenAt: -MetricsFile.pauseSeconds, hasFailed: false))

  /// Throws when there is something that is no regular file: it cannot be replaced, and a FIFO would wait for a reader.
  init(_ path: FilePath, shard: Shard) throws(Failure) {
    guard !path.exists || FileHead(of: path, count: 0) != nil else {
      throw Failure(
        .targetUnavailable, "metrics replace nothing but a regular file that can be read", path: path,
        advice: "give --metrics another name")
    }
    self.path = path
    self.shard = shard
  }

  /// Writes the file again, where it is time to.
  func update(_ tally: Tally, seconds: Double) {
    let isDue = state.withLock { state in
      guard seconds - state.writtenAt >= Self.pauseSeconds else { return false }
      state.writtenAt = seconds
      return true
    }
    if isDue { write(text(tally, seconds: seconds, exitCode: nil)) }
  }

  /// Writes the file a last time.
  func finish(_ summary: BatchSummary) {
    write(text(summary.tally, seconds: Double(summary.nanoseconds) / 1e9, exitCode: summary.exitCode))
  }

  private func text(_ tally: Tally, seconds: Double, exitCode: Int32?) -> String {
    let shardLabel = "shard=\"\(shard)\""
    var lines: [String] = []
    func metric(_ name: String, _ kind: String, _ help: String, _ samples: [(labels: String, value: String)])
    {
      lines += ["# HELP kerfless_\(name) \(help)", "# TYPE kerfless_\(name) \(kind)"]
      lines += samples.map { sample in
        "kerfless_\(name){\(shardLabel)\(sample.labels.isEmpty ? "" : "," + sample.labels)} \(sample.value)"
      }
    }
    metric(
      "jobs_total", "counter", "Jobs that are over.",
      [
        ("status=\"done\"", "\(tally.done)"), ("status=\"failed\"", "\(tally.failed)"),
        ("status=\"skipped\"", "\(tally.skipped)"),
      ])
    metric(
      "jobs_failed_temporarily_total", "counter", "Failed jobs that may work if tried again.",
      [("", "\(tally.failedTemporarily)")])
    metric(
      "jobs_warned_total", "counter", "Jobs that were done and have a warning.", [("", "\(tally.warned)")])
    metric("access_units_total", "counter", "Access units written.", [("", "\(tally.accessUnitCount)")])
    metric("output_bytes_total", "counter", "Bytes of outputs.", [("", "\(tally.byteCount)")])
    metric(
      "payload_bytes_total", "counter", "Payload bytes by the way they were moved.",
      [
        ("method=\"clone\"", "\(tally.clonedByteCount)"), ("method=\"copy\"", "\(tally.copiedByteCount)"),
        ("method=\"gather\"", "\(tally.gatheredByteCount)"),
      ])
    let quantiles = [0.5, 0.9, 0.99].compactMap { share in
      tally.latency(share).map { ("quantile=\"\(share)\"", "\(Double($0) / 1e9)") }
    }
    metric("job_seconds", "gauge", "How long a job takes, by quantile.", quantiles)
    metric("run_seconds", "gauge", "How long the batch has been running.", [("", "\(seconds)")])
    if let exitCode {
      metric("exit_code", "gauge", "The exit code of the finished batch.", [("", "\(exitCode)")])
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Only metrics are replaced by metrics: a mistyped name must not cost a source or an output.
  private var mayReplace: Bool {
    let opening = Array("# HELP kerfless_".utf8)
    guard let head = FileHead(of: path, count: opening.count) else { return false }
    return head.byteCount == 0 || head.bytes == opening
  }

  /// A file that cannot be written is reported once and stops no job.
  private func write(_ text: String) {
    var options = OutputOptions()
    options.replacesExisting = mayReplace
    let bytes = Array(text.utf8)
    do throws(SystemError) {
      let output = try OutputFile(creating: path, options: options, sources: [])
      try output.write([.made(0..<bytes.count)], made: bytes, sources: [])
      try output.publish()
    } catch {
      let isFirst = state.withLock { state in
        defer { state.hasFailed = true }
        return !state.hasFailed
      }
      if isFirst { Console.printDiagnostic("warning: metrics cannot be written: \(Failure(error))") }
    }
  }
}
