import CChildren
import Foundation

/// Where it was measured, and with what it was built.
struct Host: Codable, Equatable {
  let machine: String
  let processor: String
  let cores: Int
  let kernel: String
  let toolchain: Toolchain

  static func current(_ programs: Programs) -> Host {
    var names = utsname()
    uname(&names)
    let machine = withUnsafeBytes(of: names.machine) { text($0) }
    let release = withUnsafeBytes(of: names.release) { text($0) }
    let processors = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let model = processors.firstMatch(of: /model name\s*:\s*(.+)/).map { String($0.1) }
    return Host(
      machine: machine, processor: model ?? machine, cores: ProcessInfo.processInfo.activeProcessorCount,
      kernel: release, toolchain: Toolchain(machine: machine, processors: processors, programs))
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}

/// What exact numbers depend on. Where two differ in any of these, only ratios can be compared.
struct Toolchain: Codable, Equatable {
  let machine: String
  /// The features by which the C library chooses how it copies memory.
  let vectors: String
  let swift: String
  let libc: String
  /// Empty where it is not installed.
  let valgrind: String

  init(machine: String, processors: String, _ programs: Programs) {
    self.machine = machine
    let flags = Set(processors.firstMatch(of: /flags\s*:\s*(.+)/).map { $0.1.split(separator: " ") } ?? [])
    vectors = ["sse4_2", "avx2", "avx512vl", "erms", "fsrm"].filter { flags.contains($0[...]) }.joined(
      separator: " ")
    swift = Self.compiler
    libc = String(cString: cchild_libc_version())
    valgrind =
      programs.valgrind.flatMap { try? Child($0, ["--version"], in: "/").output }?
      .trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
  }

  /// The compiler that built this: the harness, the probe and the engine in it are built at once.
  private static let compiler: String = {
    #if swift(>=6.5)
      "6.5 or later"
    #elseif swift(>=6.4)
      "6.4"
    #elseif swift(>=6.3.2)
      "6.3.2 or later"
    #elseif swift(>=6.3.1)
      "6.3.1"
    #elseif swift(>=6.3)
      "6.3"
    #else
      "before 6.3"
    #endif
  }()

  /// How another one differs from this; nil when it does not.
  func difference(to other: Toolchain) -> String? {
    let pairs = [
      ("machine", machine, other.machine), ("vectors", vectors, other.vectors), ("Swift", swift, other.swift),
      ("libc", libc, other.libc), ("valgrind", valgrind, other.valgrind),
    ]
    let differing = pairs.filter { $0.1 != $0.2 }.map {
      "\($0.0) \($0.1.isEmpty ? "none" : $0.1), now \($0.2.isEmpty ? "none" : $0.2)"
    }
    return differing.isEmpty ? nil : differing.joined(separator: "; ")
  }
}
