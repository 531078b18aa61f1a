public import Remuxing

/// What a batch came to.
public struct BatchSummary: Sendable {
  /// Everything that was counted.
  public let tally: Tally
  /// How long it took, in nanoseconds.
  public let nanoseconds: Int
  /// The signal that ended it early; nil when none did.
  public let signal: Int32?
  /// Whether as many jobs failed as were allowed to, so that the rest was not run.
  public let hasFailedTooOften: Bool
  /// Why it could not go on: the manifest could not be read to its end, say.
  public let failure: Failure?
  /// Whether lanes were still at work when the signal's second was over.
  public let isAbandoned: Bool

  /// Whether nothing ended it early.
  public var isComplete: Bool { signal == nil && failure == nil && !hasFailedTooOften }

  /// As in DESIGN.md, 6.1.
  public var exitCode: Int32 {
    if let signal { return 128 + signal }
    if tally.failedTemporarily > 0 { return ExitStatus.temporary.rawValue }
    if let failure { return failure.code.exitStatus.rawValue }
    return tally.failed > 0 ? 1 : 0
  }

  /// One object on a line.
  public var json: [UInt8] {
    var json = JSONLine()
    json.line { json in
      json.member("schema", "kerfless.batch.summary/1")
      json.member("done", tally.done)
      json.member("failed", tally.failed)
      json.member("failedTemporarily", tally.failedTemporarily)
      json.object("failures") { tally.failures.write(to: &$0) }
      json.member("warned", tally.warned)
      json.member("skipped", tally.skipped)
      json.member("accessUnits", tally.accessUnitCount)
      json.member("bytes", tally.byteCount)
      json.member("cloned", tally.clonedByteCount)
      json.member("copied", tally.copiedByteCount)
      json.member("gathered", tally.gatheredByteCount)
      json.member("milliseconds", nanoseconds / 1_000_000)
      json.object("microsecondsPerJob") { json in
        for (name, share) in Self.quantiles {
          if let latency = tally.latency(share) { json.member(name, latency / 1000) }
        }
      }
      if let signal { json.member("signal", Int(signal)) }
      if hasFailedTooOften { json.member("endedBy", "max-errors") }
      if let failure { json.object("error") { failure.write(to: &$0) } }
      json.member("exit", Int(exitCode))
    }
    return json.bytes
  }

  private static let quantiles: [(StaticString, Double)] = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)]
}
