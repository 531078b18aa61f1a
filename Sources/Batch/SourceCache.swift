import Remuxing
import SystemIO
import Synchronization

/// Opened sources, shared by all lanes; of those that no lane is using, the least recently used are closed.
final class SourceCache: Sendable {
  /// One path: opened by the first lane that needs it, while the others wait for that.
  fileprivate final class Entry: Sendable {
    let opened = Mutex<Result<Source, Failure>?>(nil)
    /// When it was last asked for, counted in questions.
    let use = Atomic(0)
  }

  fileprivate struct State {
    var entries: [FilePath: Entry] = [:]
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
      if let entry = state.entries[path] {
        entry.use.store(state.clock, ordering: .relaxed)
        return entry
      }
      if state.entries.count >= capacity { state.removeLeastRecentlyUsed() }
      let entry = Entry()
      entry.use.store(state.clock, ordering: .relaxed)
      state.entries[path] = entry
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
    let oldest = entries.min {
      $0.value.use.load(ordering: .relaxed) < $1.value.use.load(ordering: .relaxed)
    }
    if let oldest { entries[oldest.key] = nil }
  }
}
