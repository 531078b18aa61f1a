import Batch
import Remuxing

/// A batch's numbers as text.
struct ProgressText {
  private let progress: BatchProgress

  init(_ progress: BatchProgress) {
    self.progress = progress
  }

  /// One line: jobs, rates, bytes by method, failures, time to go.
  var line: String {
    let tally = progress.tally
    let seconds = max(0.001, Double(progress.nanoseconds) / 1e9)
    var parts = [tally.finished.counted("job")]
    if let share = progress.share, share > 0 { parts[0] += " (\(Int(share * 100)) %)" }
    parts.append("\(Int(Double(tally.done) / seconds)) clips/s")
    parts.append("\(Int(Double(tally.accessUnitCount) / seconds)) frames/s")
    parts += Self.transfers(tally)
    if tally.failed > 0 { parts.append("\(tally.failed) failed") }
    // A job that waits for another try may be the last one: what is not done is never 0 away.
    if let share = progress.share, share > 0.01, share < 1 {
      parts.append("\(Self.duration(max(1, seconds * (1 - share) / share))) to go")
    }
    return parts.joined(separator: ", ")
  }

  /// The end of a batch.
  static func lines(_ summary: BatchSummary, _ purpose: BatchPurpose) -> [String] {
    let tally = summary.tally
    let warned = tally.warned > 0 ? ", \(tally.warned) with warnings" : ""
    if purpose == .check {
      return ["\(tally.done.counted("job")) can be run\(warned), \(tally.failed) cannot"]
        + tally.failures.lines
    }
    let seconds = max(0.001, Double(summary.nanoseconds) / 1e9)
    var counts = ["\(tally.done) done\(warned)"]
    if tally.skipped > 0 { counts.append("\(tally.skipped) done before") }
    counts.append(tally.failures.counted(tally.failed))
    let comma = tally.failedTemporarily > 0 ? "," : ""
    var lines = [counts.joined(separator: ", ") + "\(comma) in \(duration(seconds))"] + tally.failures.lines
    lines.append(
      ([
        "\(Int(Double(tally.done) / seconds)) clips/s",
        "\(Int(Double(tally.accessUnitCount) / seconds)) frames/s",
      ]
        + transfers(tally)).joined(separator: ", "))
    if let half = tally.latency(0.5), let most = tally.latency(0.9), let nearlyAll = tally.latency(0.99) {
      lines.append(
        "a job took \(microseconds(half)) (p50), \(microseconds(most)) (p90), \(microseconds(nearlyAll)) (p99)"
      )
    }
    if summary.hasFailedTooOften {
      lines.append("ended early: as many failed as --max-errors allows, and what was left was not run")
    }
    if let signal = summary.signal { lines.append("ended early by signal \(signal)") }
    return lines
  }

  private static func transfers(_ tally: Tally) -> [String] {
    [
      ("cloned", tally.clonedByteCount), ("copied", tally.copiedByteCount),
      ("gathered", tally.gatheredByteCount),
    ]
    .filter { $0.1 > 0 }.map { "\(bytes($0.1)) \($0.0)" }
  }

  private static func bytes(_ count: Int) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    var value = count
    var unit = 0
    while value >= 10240, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    return "\(value) \(units[unit])"
  }

  private static func duration(_ seconds: Double) -> String {
    let whole = Int(seconds)
    if whole >= 3600 { return "\(whole / 3600) h \(whole % 3600 / 60) min" }
    if whole >= 60 { return "\(whole / 60) min \(whole % 60) s" }
    return whole >= 10 ? "\(whole) s" : "\(Int(seconds * 1000)) ms"
  }

  private static func microseconds(_ nanoseconds: Int) -> String {
    nanoseconds < 10_000_000 ? "\(nanoseconds / 1000) µs" : "\(nanoseconds / 1_000_000) ms"
  }
}

extension FailureCounts {
  /// How many failed, and of how many that may pass.
  func counted(_ total: Int) -> String {
    temporary > 0 ? "\(total) failed (\(temporary) may work if tried again)" : "\(total) failed"
  }

  /// A line of all codes; none where nothing failed.
  var lines: [String] {
    let counts = sorted.map { "\($0.code.rawValue) \($0.count)" }
    return counts.isEmpty ? [] : ["failed: " + counts.joined(separator: ", ")]
  }
}
