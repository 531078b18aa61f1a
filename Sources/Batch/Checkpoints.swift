import Dispatch
import Remuxing
import Synchronization
import SystemIO

/// Forces all outputs to the disk now and then, beside the lanes, and lets the journal say so.
final class Checkpoints: Sendable {
  /// Between two checkpoints at least this, and at least four times what the last one took.
  private static let shortestPauseMilliseconds = 1000

  private let journal: Journal?
  private let fileSystems = Mutex<[UInt: FileSystemHandle]>([:])
  /// Nanoseconds that the last checkpoint took; held while one is made.
  private let turn = Mutex(0)

  init(journal: Journal?) {
    self.journal = journal
  }

  /// Includes the file system of a folder; to be called before anything is written there.
  func cover(_ folder: FilePath) throws(Failure) {
    do throws(SystemError) {
      let handle = try FileSystemHandle(of: folder)
      fileSystems.withLock { fileSystems in
        if fileSystems[handle.device] == nil { fileSystems[handle.device] = handle }
      }
    } catch {
      throw Failure(error)
    }
  }

  /// Makes one checkpoint: what was written down as done before it started is done for good afterwards.
  func make() throws(Failure) {
    try turn.withLock { (last) throws(Failure) in
      let start = ContinuousClock.now
      let lines = journal?.takePending()
      for handle in fileSystems.withLock({ Array($0.values) }) {
        do throws(SystemError) { try handle.synchronise() } catch { throw Failure(error) }
      }
      if let lines { try journal?.commit(lines, as: .group) }
      last = start.nanosecondsToNow
    }
  }

  /// Makes checkpoints until the work is over.
  func keepMaking(until isOver: DispatchGroup) throws(Failure) {
    while isOver.wait(timeout: .now() + .milliseconds(pauseMilliseconds)) == .timedOut { try make() }
  }

  private var pauseMilliseconds: Int {
    max(Self.shortestPauseMilliseconds, 4 * turn.withLock { $0 } / 1_000_000)
  }
}
