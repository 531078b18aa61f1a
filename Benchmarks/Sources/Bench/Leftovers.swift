import CChildren
import Foundation
import Synchronization

/// What must not stay when a signal ends the run.
enum Leftovers {
  private static let paths = Mutex<Set<String>>([])
  /// Written once, by the main thread, in front of everything else.
  private nonisolated(unsafe) static var sources: [any DispatchSourceSignal] = []

  private static let isEnding = Atomic(false)

  /// Does not return once a signal has come: that a program was killed is no result, and the signal's own end is near.
  static func waitForSignalsEnd() {
    while isEnding.load(ordering: .sequentiallyConsistent) { usleep(50_000) }
  }

  /// Remembers a folder, or forgets it.
  static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }
  static func forget(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// From now on signals that end a process unmount and remove what is there before; those that are ignored, as by nohup,
  /// stay ignored. A reader of the output that goes away ends nothing.
  static func removeOnSignals() {
    signal(SIGPIPE) { _ in }
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where !isIgnored(number) {
      // A handler and not SIG_IGN, which the programs that are started would inherit.
      signal(number) { _ in }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { @Sendable in
        guard !isEnding.exchange(true, ordering: .sequentiallyConsistent) else { return }
        removeAll()
        _exit(128 + number)
      }
      source.resume()
      sources.append(source)
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// What has been started ends at once, or with the folder that it works in; meanwhile it may make more files.
  private static func removeAll() {
    cchild_stop()
    // Mounted ones lie inside others, so they have the longer names.
    for path in paths.withLock({ $0 }).sorted(by: { $0.count > $1.count }) {
      umount2(path, Int32(MNT_DETACH))
      for _ in 0..<10 where FileManager.default.fileExists(atPath: path) {
        if (try? FileManager.default.removeItem(atPath: path)) == nil { usleep(50_000) }
      }
    }
  }
}
