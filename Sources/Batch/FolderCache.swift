import Remuxing
import SystemIO
import Synchronization

/// Folders that outputs go to: made when first needed.
final class FolderCache: Sendable {
  /// Folders that are remembered.
  private static let capacity = 4096

  private let checkpoints: Checkpoints?
  private let known = Mutex<Known>(Known())

  private struct Known {
    var folders: Set<FilePath> = []
    /// That of the last output.
    var latest: FilePath?
  }

  init(checkpoints: Checkpoints?) {
    self.checkpoints = checkpoints
  }

  /// Throws when the folder that an output goes to is not there and cannot be made, without making it.
  func check(for output: FilePath) throws(Failure) {
    let folder = output.folder
    if known.withLock({ $0.folders.contains(folder) }) { return }
    do throws(SystemError) { try Folder.requireMakeable(folder) } catch { throw Failure(error) }
    remember(folder)
  }

  /// Makes the folder that an output goes to, unless that has been done.
  func require(for output: FilePath) throws(Failure) {
    if known.withLock({ $0.latest?.holds(output) ?? false }) { return }
    let folder = output.folder
    try require(folder)
    known.withLock { $0.latest = folder }
  }

  private func require(_ folder: FilePath) throws(Failure) {
    if known.withLock({ $0.folders.contains(folder) }) { return }
    do throws(SystemError) { try Folder.make(folder) } catch { throw Failure(error) }
    try checkpoints?.cover(folder)
    remember(folder)
  }

  /// Forgets the folder that an output goes to: somebody may have moved it away.
  func forget(for output: FilePath) {
    let folder = output.folder
    known.withLock { known in
      known.folders.remove(folder)
      if known.latest == folder { known.latest = nil }
    }
  }

  private func remember(_ folder: FilePath) {
    known.withLock { known in
      if known.folders.count >= Self.capacity { known.folders.removeAll() }
      known.folders.insert(folder)
    }
  }
}
