import Foundation

/// The programs that are measured, and those that measure.
struct Programs {
  private(set) var kerfless: String
  private(set) var floor: String
  let probe: String
  /// Nil where it is not installed.
  let strace: String?
  /// Nil where it is not installed.
  let valgrind: String?

  /// Throws when one of ours is not built.
  init(kerfless: String?, floor: String?) throws {
    let root = Self.root
    self.kerfless = try Self.built(kerfless ?? root + "/.build/static/kerfless", by: "make static")
    self.floor = try Self.built(floor ?? root + "/.build/perf/floor", by: "make floor")
    probe = try Self.built(
      Self.own.deletingLastPathComponent().path + "/kerfless-probe", by: "make bench")
    strace = Self.installed("strace")
    valgrind = Self.installed("valgrind")
  }

  /// Starts copies from now on, where they can be started. Just written, a program lies in the page cache in large pieces;
  /// read back a page at a time, the same file takes half as long again to start.
  mutating func copy(to folder: String) {
    kerfless = Self.copy(of: kerfless, to: folder + "/kerfless")
    floor = Self.copy(of: floor, to: folder + "/floor")
  }

  private static func copy(of path: String, to copy: String) -> String {
    guard let bytes = FileManager.default.contents(atPath: path),
      FileManager.default.createFile(atPath: copy, contents: bytes, attributes: [.posixPermissions: 0o755]),
      access(copy, X_OK) == 0
    else { return path }
    return copy
  }

  /// The folder that holds Package.swift and Benchmarks.
  static let root: String = {
    var folder = own.deletingLastPathComponent()
    while folder.path != "/" {
      if FileManager.default.fileExists(atPath: folder.path + "/Benchmarks/Package.swift") {
        return folder.path
      }
      folder = folder.deletingLastPathComponent()
    }
    return FileManager.default.currentDirectoryPath
  }()

  private static let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()

  private static func built(_ path: String, by target: String) throws -> String {
    let absolute = URL(fileURLWithPath: path).path
    guard FileManager.default.isExecutableFile(atPath: absolute) else {
      throw BenchError("\(absolute) is not there", advice: "run \(target)")
    }
    return absolute
  }

  /// The path of a program on PATH; nil when there is none.
  static func installed(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// What is missing and what its lack costs, a line each.
  var missing: [String] {
    var lines: [String] = []
    if strace == nil { lines.append("system calls are not counted: strace is missing (apt install strace)") }
    if valgrind == nil {
      lines.append("instructions are not counted: valgrind is missing (apt install valgrind)")
    }
    return lines
  }
}
