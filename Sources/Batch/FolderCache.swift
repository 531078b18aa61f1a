import Remuxing
import SystemIO
import Synchronization

/// Folders that outputs go to: made when first needed.
final class FolderCache: Sendable {
  /// Folders that are remembered.
  private static let capacity = 4096

  private let rules: PathRules
  private let checkpoints: Checkpoints?
  private let known = Mutex<Set<FilePath>>([])

  init(rules: PathRules, checkpoints: Checkpoints?) {
    self.rules = rules
    self.checkpoints = checkpoints
  }

  /// Throws when a folder is not there and cannot be made, without making it.
  func check(_ folder: FilePath) throws(Failure) {
    if known.withLock({ $0.contains(folder) }) { return }
    do throws(SystemError) { try Folder.requireMakeable(folder) } catch { throw Failure(error) }
    remember(folder)
  }

  /// Makes a folder, unless that has been done.
  func require(_ folder: FilePath) throws(Failure) {
    if known.withLock({ $0.contains(folder) }) { return }
    do throws(SystemError) { try Folder.make(folder) } catch { throw Failure(error) }
    try rules.requireInside(folder)
    try checkpoints?.cover(folder)
    remember(folder)
  }

  private func remember(_ folder: FilePath) {
    known.withLock { known in
      if known.count >= Self.capacity { known.removeAll() }
      known.insert(folder)
    }
  }
}
