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

/// What exact numbers depend on.
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

  /// How another one differs from this in what calls and allocations depend on; nil when it does not.
  func difference(to other: Toolchain) -> String? {
    Self.text([
      ("machine", machine, other.machine), ("Swift", swift, other.swift), ("libc", libc, other.libc),
    ])
  }

  /// How it differs in what, beside that, instructions depend on.
  func instructionDifference(to other: Toolchain) -> String? {
    Self.text([("vectors", vectors, other.vectors), ("valgrind", valgrind, other.valgrind)])
  }

  private static func text(_ pairs: [(name: String, before: String, now: String)]) -> String? {
    let differing = pairs.filter { $0.before != $0.now }.map {
      "\($0.name) \($0.before.isEmpty ? "none" : $0.before), now \($0.now.isEmpty ? "none" : $0.now)"
    }
    return differing.isEmpty ? nil : differing.joined(separator: "; ")
  }
}

/// Which exact numbers of two toolchains can be compared.
enum ExactNumbers: Equatable {
  case all
  case butInstructions(String)
  case none(String)

  init(_ before: Toolchain, _ now: Toolchain) {
    if let difference = before.difference(to: now) {
      self = .none(difference)
    } else if let difference = before.instructionDifference(to: now) {
      self = .butInstructions(difference)
    } else {
      self = .all
    }
  }

  /// What is not compared, and why.
  var note: String? {
    switch self {
    case .all: nil
    case .butInstructions(let difference):
      "instructions are not compared, as the baseline was made with others of these: \(difference)"
    case .none(let difference):
      "only ratios are compared, as the baseline was made with another toolchain (\(difference))"
    }
  }
}
