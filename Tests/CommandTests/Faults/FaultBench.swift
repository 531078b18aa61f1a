import Foundation
import TestSupport
import Testing

/// A command with its folders, run again and again while something fails, and what must hold each time.
final class FaultBench {
  let folder: TemporaryFolder
  let source: String
  let arguments: [String]
  let expected: [UInt8]
  /// Injected faults, and single facts that were looked at.
  private(set) var faultCount = 0
  private(set) var checkCount = 0
  private let old: [UInt8]?
  private let sourceBytes: [UInt8]
  private let sourceTime: timespec

  var target: String { folder.file("out/clip.mp4") }

  /// A trim, or a join, of `units` access units a segment.
  init(_ scenario: FaultScenario, in parent: String) throws {
    folder = try TemporaryFolder(in: parent)
    let long = try LongSource(units: 1700, in: folder)
    source = long.path
    let output = folder.file("out/clip.mp4")
    var arguments =
      scenario.joins
      ? ["concat", "\(source)@100au-800au", "\(source)@10au-17au", "\(source)@900au-1600au"]
      : ["trim", source, "--start", "100au", "--end", "1600au"]
    arguments += scenario.options + ["-o", output]
    self.arguments = arguments
    old = scenario.options.contains("--force") ? Array("what was there".utf8) : nil
    let reference = folder.file("reference.mp4")
    try kerfless(
      arguments.dropLast().filter { !["--force", "--io", scenario.method].contains($0) } + [reference])
    expected = try readFile(reference)
    sourceBytes = try readFile(source)
    sourceTime = try Self.modified(source)
    try reset()
  }

  private static func modified(_ path: String) throws -> timespec {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mtim
  }

  /// An empty folder for the output, or one that holds what is to be replaced.
  func reset() throws {
    try? FileManager.default.removeItem(atPath: folder.file("out"))
    try FileManager.default.createDirectory(atPath: folder.file("out"), withIntermediateDirectories: false)
    if let old { try Data(old).write(to: URL(fileURLWithPath: target)) }
  }

  /// Runs the command under strace with these injections; nil where none was hit.
  func run(injecting injections: [String]) throws -> Tool.Output? {
    try reset()
    let log = folder.file("strace")
    let options = injections.flatMap { ["-e", "inject=\($0)"] }
    let calls = injections.map { $0.prefix { $0 != ":" } }.joined(separator: ",")
    let result = try #require(Tool("strace")).run(
      ["-f", "-o", log, "-e", "trace=\(calls)"] + options + [Tool.kerfless.path] + arguments)
    let trace = String(decoding: try readFile(log), as: UTF8.self)
    guard trace.contains("(INJECTED)") || trace.contains("--- SIG") || trace.contains("+++ killed") else {
      return nil
    }
    faultCount += 1
    return result
  }

  private func check(_ holds: Bool, _ what: @autoclosure () -> String) {
    checkCount += 1
    #expect(holds, "\(what())")
  }

  /// What holds whatever happened.
  ///
  /// - Parameter leavesTemporary: Whether the removal itself was made to fail.
  func checkInvariants(
    _ result: Tool.Output, _ statuses: Set<Int32>, after what: String, leavesTemporary: Bool = false
  ) throws {
    let text = "\(what): \(result.status) \(result.errors)"
    check(statuses.contains(result.status), text + "expected \(statuses)")
    let there = FileManager.default.contents(atPath: target).map { [UInt8]($0) }
    // Complete, or what was there before, or nothing.
    check(there == nil || there == expected || there == old, "\(text) leaves half an output")
    if result.status == 0 { check(there == expected, "\(text) has no output") }
    let others = try FileManager.default.contentsOfDirectory(atPath: folder.file("out")).filter {
      $0 != "clip.mp4"
    }
    check(others.isEmpty || leavesTemporary, "\(text) leaves \(others)")
    if leavesTemporary {
      try kerfless(["clean", folder.file("out")])
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.file("out"))
      check(left.allSatisfy { $0 == "clip.mp4" }, "\(text): clean leaves \(left)")
    }
    let time = try Self.modified(source)
    check(
      time.tv_sec == sourceTime.tv_sec && time.tv_nsec == sourceTime.tv_nsec, "\(text) touches the source")
    if result.status != 0, result.status < 128 {
      let lines = result.errors.split(separator: "\n")
      check(lines.count == 1 && result.errors.hasPrefix("kerfless: error: "), text)
    }
  }

  /// To be called in the end.
  func checkSource() throws {
    check(try readFile(source) == sourceBytes, "the source was changed")
  }

  func tell(_ name: String) {
    print("\(name): \(faultCount) faults injected, \(checkCount) facts checked")
  }
}
