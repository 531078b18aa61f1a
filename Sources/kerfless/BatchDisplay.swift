import Batch
import Remuxing
import Synchronization
import SystemIO

/// Shows a batch: outcomes as JSON lines on standard output, failures and progress on standard error.
final class BatchDisplay: BatchObserver {
  /// Seconds between two lines of progress: redrawn on a terminal, one under the other elsewhere.
  private static let redrawSeconds = 0.25
  private static let lineSeconds = 10.0

  private struct State {
    var shownAt = 0.0
    /// Whether a line of progress stands on the terminal.
    var isLineOpen = false
    var canPrint = true
  }

  private let printsJSON: Bool
  private let purpose: BatchPurpose
  private let metrics: MetricsFile?
  private let isTerminal = StandardStream.error.isTerminal
  private let state = Mutex(State())

  init(printsJSON: Bool, purpose: BatchPurpose, metrics: MetricsFile?) {
    self.printsJSON = printsJSON
    self.purpose = purpose
    self.metrics = metrics
  }

  func finished(_ outcomes: [JobOutcome]) {
    if printsJSON { print(JobOutcome.jsonLines(outcomes)) }
    let failures = outcomes.compactMap(\.failureText)
    guard !failures.isEmpty else { return }
    state.withLock { state in
      clearLine(&state)
      for failure in failures { Console.printDiagnostic(failure) }
    }
  }

  func progressed(_ progress: BatchProgress) {
    let seconds = Double(progress.nanoseconds) / 1e9
    metrics?.update(progress.tally, seconds: seconds)
    state.withLock { state in
      guard seconds - state.shownAt >= (isTerminal ? Self.redrawSeconds : Self.lineSeconds) else { return }
      state.shownAt = seconds
      let text = ProgressText(progress).line
      write(isTerminal ? "\r\(text)\u{1b}[K" : "kerfless: \(text)\n")
      state.isLineOpen = isTerminal
    }
  }

  /// Whether all results could be printed.
  var hasPrintedAll: Bool { state.withLock { $0.canPrint } }

  /// Prints the summary.
  func finish(_ summary: BatchSummary) {
    metrics?.finish(summary)
    state.withLock { clearLine(&$0) }
    if let failure = summary.failure { Console.printDiagnostic("error: \(failure)") }
    if printsJSON {
      print(summary.json)
    } else {
      print(Array(ProgressText.lines(summary, purpose).map { $0 + "\n" }.joined().utf8))
    }
  }

  /// Results that cannot be printed do not stop the jobs.
  private func print(_ bytes: [UInt8]) {
    state.withLock { state in
      guard state.canPrint, !bytes.isEmpty else { return }
      do throws(SystemError) {
        try StandardStream.output.write(bytes)
      } catch {
        state.canPrint = false
        Console.printDiagnostic("error: results cannot be printed: \(error.errno?.text ?? "it failed")")
      }
    }
  }

  private func clearLine(_ state: inout State) {
    if state.isLineOpen { write("\r\u{1b}[K") }
    state.isLineOpen = false
  }

  private func write(_ text: String) {
    // Progress that cannot be shown is not missed.
    try? StandardStream.error.write(Array(text.utf8))
  }
}

extension JobOutcome {
  /// Why it failed, with its line and id; nil where it did not.
  var failureText: String? {
    guard case .failed(let failure) = ending else { return nil }
    return "error: line \(line)" + (id.map { ", job \($0)" } ?? "") + ": \(failure)"
  }
}
