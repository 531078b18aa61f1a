import Remuxing
import SystemIO

/// What has been counted: of one lane, or of all.
public struct Tally: Sendable {
  /// Jobs whose output was written.
  public private(set) var done = 0
  /// Why jobs failed, lines that are no job included.
  public private(set) var failures = FailureCounts()
  /// Jobs that were done and have a warning.
  public private(set) var warned = 0
  /// Jobs that had been done by an earlier run.
  public private(set) var skipped = 0
  /// Access units written.
  public private(set) var accessUnitCount = 0
  /// Bytes of the outputs.
  public private(set) var byteCount = 0
  /// Payload bytes shared with the sources.
  public private(set) var clonedByteCount = 0
  /// Payload bytes copied or shared by the kernel.
  public private(set) var copiedByteCount = 0
  /// Payload bytes written from memory.
  public private(set) var gatheredByteCount = 0
  private var latencies = LatencyHistogram()

  init() {}

  /// Jobs that failed, lines that are no job included.
  public var failed: Int { failures.total }

  /// Jobs that failed and may work if tried again.
  public var failedTemporarily: Int { failures.temporary }

  /// Jobs that are over.
  public var finished: Int { done + failed + skipped }

  /// Nanoseconds that at least this share of the jobs that were run did not exceed; nil when there were none.
  public func latency(_ share: Double) -> Int? { latencies.quantile(share) }

  mutating func add(_ outcome: JobOutcome) {
    switch outcome.ending {
    case .done(let delivery):
      done += 1
      if delivery.findings.contains(where: \.severity.isFault) { warned += 1 }
      accessUnitCount += delivery.accessUnitCount
      byteCount += delivery.byteCount
      clonedByteCount += delivery.transfer?.clonedByteCount ?? 0
      copiedByteCount += delivery.transfer?.copiedByteCount ?? 0
      gatheredByteCount += delivery.transfer?.gatheredByteCount ?? 0
      latencies.add(outcome.nanoseconds)
    case .failed(let failure):
      failures.add(failure.code)
    case .skipped:
      skipped += 1
    }
  }

  mutating func add(_ other: Tally) {
    done += other.done
    failures.add(other.failures)
    warned += other.warned
    skipped += other.skipped
    accessUnitCount += other.accessUnitCount
    byteCount += other.byteCount
    clonedByteCount += other.clonedByteCount
    copiedByteCount += other.copiedByteCount
    gatheredByteCount += other.gatheredByteCount
    latencies.add(other.latencies)
  }
}
