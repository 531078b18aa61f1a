import Dispatch
import Synchronization

/// Tells lanes that no further job is to be started.
final class Stop: Sendable {
  private let requested = Atomic(false)
  /// Left when the stop is requested, so that all who wait go on.
  private let pending = DispatchGroup()

  init() {
    pending.enter()
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
