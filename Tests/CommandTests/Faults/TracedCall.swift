import Foundation
import TestSupport
import Testing

/// A system call that the command makes of its own accord, as strace prints it.
struct TracedCall: CustomStringConvertible {
  /// What the call is for: the same call may fail in different ways at different places.
  enum Role: String {
    case openSource, statSource, mapSource, readSource, checkSource
    case lookAtTarget, createTarget, openFolder, lock, setMode, removeOld
    case clone, copy, write, synchronise, duplicate, flush, publish
    case signals, advice, close, report
  }

  let name: String
  /// Which call of this name it is, counted from 1 over the whole process.
  let occurrence: Int
  let role: Role
  var description: String { "\(name) \(occurrence) (\(role.rawValue))" }
}

/// Reads the trace of a run that succeeded.
struct Trace {
  private(set) var calls: [TracedCall] = []
  private var occurrences: [String: Int] = [:]
  private var isOwn = false
  private var sources: Set<Substring> = []
  private var duplicate: Substring?

  /// Runs the command under strace and lists its calls, without those that start the process or allocate memory.
  init(of command: [String], from source: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("trace")
    let result = try #require(Tool("strace")).run(
      ["-f", "-s", "4096", "-o", file, Tool.kerfless.path] + command)
    try #require(result.status == 0, "\(command): \(result.errors)")
    for line in String(decoding: try readFile(file), as: UTF8.self).split(separator: "\n") {
      guard let call = line.firstMatch(of: /^\d+ +(\w+)\((.*)\) += (.*)$/) else { continue }
      let name = String(call.1)
      occurrences[name, default: 0] += 1
      isOwn = isOwn || name == "rt_sigaction" && call.2.hasPrefix("SIGINT")
      guard isOwn, let role = role(of: name, call.2, result: call.3, source) else { continue }
      calls.append(TracedCall(name: name, occurrence: occurrences[name] ?? 0, role: role))
    }
  }

  private mutating func role(
    of name: String, _ arguments: Substring, result: Substring, _ source: String
  ) -> TracedCall.Role? {
    let descriptor = arguments.prefix { $0 != "," }
    switch name {
    case "openat":
      if arguments.contains("\"\(source)\"") {
        sources.insert(result)
        return .openSource
      }
      return arguments.contains("O_DIRECTORY") && !arguments.contains("O_TMPFILE")
        ? .openFolder : .createTarget
    case "newfstatat":
      if descriptor == "AT_FDCWD" { return .lookAtTarget }
      // The same call in front of the mapping and behind the payload.
      guard sources.contains(descriptor) else { return .createTarget }
      return calls.contains { $0.role == .mapSource } ? .checkSource : .statSource
    case "mmap": return arguments.contains("MAP_ANONYMOUS") ? nil : .mapSource
    case "madvise", "fadvise64": return .advice
    case "rt_sigaction", "rt_sigprocmask": return .signals
    case "pread64": return .readSource
    case "ioctl": return arguments.contains("FICLONERANGE") ? .clone : nil
    case "copy_file_range": return .copy
    case "pwritev": return .write
    case "writev": return .report
    case "linkat", "link", "rename", "renameat2": return .publish
    case "fsync": return .synchronise
    case "fcntl":
      duplicate = result
      return .duplicate
    case "close": return descriptor == duplicate ? .flush : .close
    case "flock": return .lock
    case "fchmod": return .setMode
    case "unlink": return .removeOld
    default: return nil
    }
  }
}
