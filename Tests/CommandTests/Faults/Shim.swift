import Foundation
import TestSupport
import Testing

/// Tests/Shim/shim.c, built once and preloaded into the command: calls come short, are interrupted, or find a file changed.
enum Shim {
  private static let folder = try? TemporaryFolder()

  /// The library's path; nil where there is no C compiler, or the command is linked statically.
  static let path: String? = {
    guard let library = build("shim"), (try? calls(of: ["--version"], library)) != nil else { return nil }
    return library
  }()

  /// Builds a file of Tests/Shim into a library to preload; nil where that cannot be done.
  static func build(_ name: String) -> String? {
    guard let folder, let compiler = Tool("cc") ?? Tool("clang") else { return nil }
    Unmounting.remove(folder.path)
    let source = Media.own.deletingLastPathComponent().appendingPathComponent("Shim/\(name).c").path
    let library = folder.file("\(name).so")
    let counter = Media.own.appendingPathComponent("../../Benchmarks/Sources/CAllocations/include").path
    let built = try? compiler.run(["-shared", "-fPIC", "-O1", "-I", counter, "-o", library, source])
    return built?.status == 0 ? library : nil
  }

  static let reason: Comment = "no C compiler, or the command does not load libraries"

  /// Runs the command with the shim.
  static func run(_ arguments: [String], _ settings: [String: String] = [:]) throws -> Tool.Output {
    try Tool.kerfless.run(
      arguments, environment: settings.merging(["LD_PRELOAD": try #require(path)]) { $1 })
  }

  /// How many calls the command makes that read or move bytes.
  static func calls(of arguments: [String]) throws -> Int {
    try calls(of: arguments, try #require(path))
  }

  private static func calls(of arguments: [String], _ library: String) throws -> Int {
    let count = try #require(folder).file("count-\(UUID().uuidString)")
    let environment = ["LD_PRELOAD": library, "SHIM_COUNT": count]
    let result = try Tool.kerfless.run(arguments, environment: environment)
    try #require(result.status == 0, "\(arguments): \(result.errors)")
    let text = String(decoding: try readFile(count), as: UTF8.self)
    return try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }
}
