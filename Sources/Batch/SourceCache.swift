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
    var capacity: Int
    var entries: [FilePath: Entry] = [:]
    var clock = 0
  }

  private let rules: PathRules
  private let state: Mutex<State>
  /// All files that have been opened.
  private let identities = Mutex<Set<FileIdentity>>([])
  private let losses = Atomic(0)
  private let shrinks = Atomic(false)

  init(capacity: Int, rules: PathRules) {
    self.rules = rules
    state = Mutex(State(capacity: capacity))
  }

  /// Whether a file is one of those that have been opened.
  func contains(_ file: FileIdentity) -> Bool { identities.withLock { $0.contains(file) } }

  /// Another number each time that sources had to be let go of: what refers to them from before is better not used.
  var generation: Int { losses.load(ordering: .acquiring) }

  /// Whether fewer are kept open than were to be.
  var areShort: Bool { shrinks.load(ordering: .relaxed) }

  /// Keeps half as many open from now on, where descriptors are short; false when it is only one already.
  func shrink() -> Bool {
    shrinks.store(true, ordering: .relaxed)
    return state.withLock { state in
      guard state.capacity > 1 else { return false }
      state.capacity /= 2
      while state.entries.count > state.capacity { state.removeLeastRecentlyUsed() }
      losses.add(1, ordering: .releasing)
      return true
    }
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
    losses.add(1, ordering: .releasing)
  }

  private func entry(for path: FilePath) -> Entry {
    state.withLock { state in
      state.clock += 1
      if let entry = state.entries[path] {
        entry.use.store(state.clock, ordering: .relaxed)
        return entry
      }
      if state.entries.count >= state.capacity { state.removeLeastRecentlyUsed() }
      let entry = Entry()
      entry.use.store(state.clock, ordering: .relaxed)
      state.entries[path] = entry
      return entry
    }
  }

  private func open(_ path: FilePath) -> Result<Source, Failure> {
    Result { () throws(Failure) in
      try rules.requireInside(path)
      let source = try Source(opening: path)
      identities.withLock { _ = $0.insert(source.file.identity) }
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
