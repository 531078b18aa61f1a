import CChildren
import Foundation

/// Another program, run to its end, and what it used.
struct Child {
  let output: String
  /// Microseconds by the clock on the wall.
  let wall: Double
  /// Microseconds on a core, user and system together.
  let core: Double
  /// Bytes that it handed over to be written; nil where /proc does not tell.
  let handed: Int?
  /// Bytes that it made dirty on a disk; nil where /proc does not tell.
  let written: Int?
  /// KiB of memory of its own at its end; nil unless it was watched and may be.
  let anonymous: Int?
  /// KiB, the most that was resident.
  let peak: Int?

  /// Runs a program. One that is watched tells its memory, and its times mean nothing.
  ///
  /// Throws when it cannot be started or does not end with 0.
  init(_ program: String, _ arguments: [String], in folder: String, isWatched: Bool = false) throws {
    let captures = (try Capture(), try Capture())
    let words = ([program] + arguments).map { strdup($0) }
    let environment = Self.environment.map { strdup($0) }
    defer { (words + environment).forEach { free($0) } }
    var result = cchild_result()
    let error = cchild_run(
      words + [nil], environment + [nil], folder, captures.0.descriptor, captures.1.descriptor,
      isWatched ? 1 : 0, &result)
    Leftovers.waitForSignalsEnd()
    guard error == 0 else {
      throw BenchError("\(program) cannot be started: \(String(cString: strerror(error)))")
    }
    output = captures.0.text
    guard result.status == 0 else {
      let errors = captures.1.text.trimmingCharacters(in: .whitespacesAndNewlines)
      // As waitpid(2) packs them.
      let signal = result.status & 0x7f
      let end = signal == 0 ? "ended with \(result.status >> 8 & 0xff)" : "ended by signal \(signal)"
      throw BenchError(
        "\(program) \(arguments.joined(separator: " ")): \(end)\(errors.isEmpty ? "" : ": \(errors.suffix(2000))")"
      )
    }
    wall = Double(result.wall) / 1000
    core = Double(result.core) / 1000
    handed = Int(result.handed).known
    written = Int(result.written).known
    anonymous = result.anonymous.known
    peak = result.peak.known
  }

  /// The same wherever it is run: of a process, calls and instructions depend on how many variables there are, and on some
  /// that its runtime, the C library or valgrind looks for. Only what leads to libraries is passed on.
  static let environment: [String] = {
    let own = ProcessInfo.processInfo.environment
    let kept = ["LD_LIBRARY_PATH", "VALGRIND_LIB"].compactMap { name in own[name].map { "\(name)=\($0)" } }
    return [
      "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR=\(WorkFolder.temporary)",
    ]
      + kept
  }()
}

extension Int {
  /// Nil for what C says as -1.
  fileprivate var known: Int? { self < 0 ? nil : self }
}

/// A file without a name that takes what a program prints.
private final class Capture {
  let descriptor: Int32

  init() throws {
    var path = Array((WorkFolder.temporary + "/kerfless-bench-XXXXXX").utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else {
      throw BenchError(
        "no file can be made in \(WorkFolder.temporary): \(String(cString: strerror(errno)))",
        advice: "set TMPDIR to a folder that can be written")
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
  }

  deinit { close(descriptor) }

  var text: String {
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    try? handle.seek(toOffset: 0)
    return String(decoding: (try? handle.readToEnd()) ?? Data(), as: UTF8.self)
  }
}
