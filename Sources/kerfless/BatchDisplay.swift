import Batch
import Remuxing
import Synchronization
import SystemIO

/// Shows a batch: outcomes as JSON lines on standard output, failures and progress on standard error.
final class BatchDisplay: BatchObserver {
  /// Seconds between two lines of progress: redrawn on a terminal, one under the other elsewhere.
  private static let redrawSeconds = 0.25
  private static let lineSeconds = 10.0
  /// Errors and warnings of one code that are shown.
  private static let shownPerCode = 100

  private struct State {
    var shownAt = 0.0
    /// Whether a line of progress stands on the terminal.
    var isLineOpen = false
    var canPrint = true
    /// How often something of each code was to be shown.
    var shown: [String: Int] = [:]
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
    let diagnostics = outcomes.flatMap(\.diagnostics)
    guard !diagnostics.isEmpty else { return }
    state.withLock { state in
      clearLine(&state)
      for diagnostic in diagnostics { show(diagnostic, &state) }
    }
  }

  /// A million jobs may all have one fault.
  private func show(_ diagnostic: Diagnostic, _ state: inout State) {
    let count = state.shown[diagnostic.code, default: 0] + 1
    state.shown[diagnostic.code] = count
    guard count <= Self.shownPerCode else { return }
    Console.printDiagnostic(diagnostic.text)
    if count == Self.shownPerCode {
      Console.printDiagnostic("note: further \(diagnostic.code) is counted only; --json prints all of it")
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
  /// Why it failed, or what was done in spite of, with its line and id.
  fileprivate var diagnostics: [Diagnostic] {
    switch ending {
    case .failed(let failure):
      [Diagnostic(code: failure.code.rawValue, text: failureText ?? "")]
    case .done(let delivery):
      delivery.findings.filter(\.severity.isFault).map { finding in
        Diagnostic(
          code: finding.code.rawValue, text: "\(finding.severity.rawValue): \(place): \(finding.message)")
      }
    case .skipped: []
    }
  }

  /// Why it failed, with its line and id; nil where it did not.
  var failureText: String? {
    guard case .failed(let failure) = ending else { return nil }
    return "error: \(place): \(failure)"
  }

  private var place: String { "line \(line)" + (id.map { ", job \($0)" } ?? "") }
}

/// A line for standard error.
private struct Diagnostic {
  let code: String
  let text: String
}
