import Dispatch
import Synchronization

/// Tells lanes that no further job is to be started: on request, or when as many have failed as may.
final class Stop: Sendable {
  private let maximumFailures: Int?
  private let failures = Atomic(0)
  private let requested = Atomic(false)
  /// Left when the stop is requested, so that all who wait go on.
  private let pending = DispatchGroup()

  init(maximumFailures: Int? = nil) {
    self.maximumFailures = maximumFailures
    pending.enter()
  }

  /// Whether as many jobs have failed as may.
  var hasFailedTooOften: Bool { maximumFailures.map { failures.load(ordering: .relaxed) >= $0 } ?? false }

  /// Counts a job that failed.
  func noteFailure() {
    failures.add(1, ordering: .relaxed)
    if hasFailedTooOften { request() }
  }

  var isRequested: Bool { requested.load(ordering: .relaxed) }

  func request() {
    if !requested.exchange(true, ordering: .relaxed) { pending.leave() }
  }

  /// Waits, but not beyond a stop.
  func wait(milliseconds: Int) {
    _ = pending.wait(timeout: .now() + .milliseconds(milliseconds))
  }
}
