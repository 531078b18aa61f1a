import Foundation
import Synchronization

/// What must not stay when a signal ends the run.
enum Leftovers {
  private static let paths = Mutex<Set<String>>([])
  /// Written once, by the main thread, in front of everything else.
  private nonisolated(unsafe) static var sources: [any DispatchSourceSignal] = []

  /// Remembers a folder, or forgets it.
  static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }
  static func forget(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// From now on SIGINT, SIGTERM and SIGHUP unmount and remove what is there, and end the process.
  static func removeOnSignals() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // A handler and not SIG_IGN, which the programs that are started would inherit.
      signal(number) { _ in }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { @Sendable in
        removeAll()
        exit(128 + number)
      }
      source.resume()
      sources.append(source)
    }
  }

  private static func removeAll() {
    // Mounted ones lie inside others, so they have the longer names.
    for path in paths.withLock({ $0 }).sorted(by: { $0.count > $1.count }) {
      umount2(path, Int32(MNT_DETACH))
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}
