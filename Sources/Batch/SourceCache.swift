import Remuxing
import SystemIO
import Synchronization

/// Opened sources, shared by all lanes; of those that no lane is using, the least recently used are closed.
final class SourceCache: Sendable {
  /// One path: opened by the first lane that needs it, while the others wait for that.
  fileprivate final class Entry: Sendable {
    let opened = Mutex<Result<Source, Failure>?>(nil)
  }

  fileprivate struct State {
    /// Each with the time of its last use, counted in uses.
    var entries: [FilePath: (entry: Entry, use: Int)] = [:]
    var clock = 0
  }

  private let capacity: Int
  private let rules: PathRules
  private let state = Mutex(State())

  init(capacity: Int, rules: PathRules) {
    self.capacity = capacity
    self.rules = rules
  }

  /// The source at a path.
  ///
  /// Throws why it could not be opened; that is remembered too, unless trying again may help.
  func source(at path: FilePath) throws(Failure) -> Source {
    let entry = entry(for: path)
    let result = entry.opened.withLock { opened in
      if let opened { return opened }
      let result = open(path)
      opened = result
      return result
    }
    if case .failure(let failure) = result, failure.isTemporary { forget(path) }
    return try result.get()
  }

  /// Forgets a path: whoever asks for it next opens the file again.
  func forget(_ path: FilePath) {
    state.withLock { state in
      state.entries[path] = nil
    }
  }

  private func entry(for path: FilePath) -> Entry {
    state.withLock { state in
      state.clock += 1
      if let entry = state.entries[path]?.entry {
        state.entries[path]?.use = state.clock
        return entry
      }
      if state.entries.count >= capacity { state.removeLeastRecentlyUsed() }
      let entry = Entry()
      state.entries[path] = (entry, state.clock)
      return entry
    }
  }

  private func open(_ path: FilePath) -> Result<Source, Failure> {
    Result { () throws(Failure) in
      let source = try Source(opening: path)
      try rules.requireInside(path)
      return source
    }
  }
}

extension SourceCache.State {
  fileprivate mutating func removeLeastRecentlyUsed() {
    if let oldest = entries.min(by: { $0.value.use < $1.value.use }) { entries[oldest.key] = nil }
  }
}
