import Remuxing
import Synchronization

/// How often jobs are tried again, and after what time; shared by all lanes.
///
/// Once a job has had all its tries in vain, others that fail in the same way are given up at once, until one is done: a
/// full disk would make each of them wait for itself, a million of them for days.
final class Retries: Sendable {
  /// Milliseconds before the first further try; twice as many each time, up to five seconds.
  private static let firstPause = 100
  private static let longestPause = 5000

  private let limit: Int
  /// How the last job failed that had all its tries.
  private let vain = Mutex<Failure.Code?>(nil)
  /// Whether there was one and none has been done since. Looked at for every job, so it is no lock.
  private let isVain = Atomic(false)

  init(limit: Int) {
    self.limit = limit
  }

  /// Milliseconds to wait before a job is tried again that has been so often; nil when it is given up.
  func pause(after failure: Failure, attempt: Int) -> Int? {
    guard failure.isTemporary, limit > 0 else { return nil }
    return vain.withLock { vain in
      if vain == failure.code { return nil }
      guard attempt < limit else {
        vain = failure.code
        isVain.store(true, ordering: .relaxed)
        return nil
      }
      return min(Self.longestPause, Self.firstPause << min(attempt, 16))
    }
  }

  /// Notes that a job is done, so others have their tries again.
  func noteDone() {
    guard isVain.load(ordering: .relaxed) else { return }
    vain.withLock { vain in
      vain = nil
      isVain.store(false, ordering: .relaxed)
    }
  }
}
