import Foundation

/// Folders that are made here, and removed in the end.
enum WorkFolder {
  /// Where temporary files belong.
  static let temporary: String = {
    let named = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
    return URL(fileURLWithPath: named.isEmpty ? "/tmp" : named).path
  }()

  private static let prefix = "kerfless-bench-run-"

  /// Makes an empty folder of its own name. It is locked as long as this process lives.
  static func make(in folder: String) throws -> String {
    Leftovers.waitForSignalsEnd()
    removeAbandoned(in: folder)
    var path = Array("\(folder)/\(prefix)XXXXXX".utf8CString)
    guard mkdtemp(&path) != nil else {
      throw BenchError(
        "no folder can be made in \(folder): \(String(cString: strerror(errno)))",
        advice: "set TMPDIR, or give --work DIR")
    }
    let name = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    Leftovers.add(name)
    // Never closed: the lock ends with the process, whatever ends that.
    _ = lock(name)
    return name
  }

  /// Removes a folder and everything in it.
  static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
    Leftovers.forget(path)
  }

  /// Removes what runs have left that were killed or lost their power: folders of this user's that nobody has locked.
  /// Younger ones may have been made a moment ago, and not be locked yet.
  static func removeAbandoned(in folder: String, olderThan seconds: Int = 60) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let path = "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
        time(nil) - status.st_ctim.tv_sec > seconds, let descriptor = lock(path)
      else { continue }
      try? FileManager.default.removeItem(atPath: path)
      close(descriptor)
    }
  }

  /// Locks a folder; nil where somebody else has.
  private static func lock(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
