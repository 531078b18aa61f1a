import Foundation
import TestSupport
import Testing

/// A source that changes in front of any call that reads or moves bytes, by every method: 75 and no output. One that is
/// renamed, replaced or deleted is still the right source.
@Suite(.enabled(if: Shim.path != nil, Shim.reason))
struct ChangingSourceTests {
  private static let methods = ["auto", "clone", "copy", "gather"]

  /// Calls `body` for each moment of a trim, with fresh files each time; returns how many there were.
  private func atEachMoment(
    _ method: String, _ body: (TemporaryFolder, String, [String], Int) throws -> Void
  ) throws -> Int {
    let place = try #require(LoopMount.xfs)
    let folder = try TemporaryFolder(in: place.path)
    let source = try LongSource(units: 2000, in: folder).path
    let command = [
      "trim", source, "--start", "100au", "--end", "1700au", "--io", method, "-o", folder.file("out.mp4"),
    ]
    let copy = folder.file("copy")
    try FileManager.default.moveItem(atPath: source, toPath: copy)
    try FileManager.default.copyItem(atPath: copy, toPath: source)
    let count = try Shim.calls(of: command)
    try FileManager.default.moveItem(atPath: folder.file("out.mp4"), toPath: folder.file("expected.mp4"))
    for moment in 0..<count {
      for name in ["long.mp4", "out.mp4", "moved"] {
        try? FileManager.default.removeItem(atPath: folder.file(name))
      }
      try FileManager.default.copyItem(atPath: copy, toPath: source)
      try body(folder, source, command, moment)
    }
    return count
  }

  @Test(.enabled(if: LoopMount.xfs != nil, "\(LoopMount.reason)"), arguments: methods)
  func `truncated or overwritten at any moment, it yields nothing`(method: String) throws {
    var runs = 0
    // Into the payload that is cut, into its last page, and to nothing; and the same size with other bytes.
    for change in ["truncate 0", "truncate 100000", "truncate 546000", "truncate 546500", "overwrite 300000"]
    {
      runs += try atEachMoment(method) { folder, source, command, moment in
        // A moment ago, so that the change surely changes the modification time.
        let past = timespec(tv_sec: 1_000_000_000, tv_nsec: 0)
        try #require(utimensat(AT_FDCWD, source, [past, past], 0) == 0)
        let words = change.split(separator: " ")
        let result = try Shim.run(
          command, ["SHIM_AT": "\(moment)", "SHIM_DO": "\(words[0]) \(source) \(words[1])"])
        let what = "\(method), \(change) before call \(moment): \(result.status) \(result.errors)"
        // The last call prints the report: the output is there already, and is right.
        if result.status == 0 {
          #expect(try readFile(folder.file("out.mp4")) == readFile(folder.file("expected.mp4")), "\(what)")
        } else {
          #expect(result.status == 75, "\(what)")
          #expect(folder.names == ["copy", "expected.mp4", "long.mp4"], "\(what)")
        }
      }
    }
    print("sources that change, \(method): \(runs) runs")
  }

  @Test(.enabled(if: LoopMount.xfs != nil, "\(LoopMount.reason)"), arguments: methods)
  func `renamed, replaced, deleted or protected at any moment, it is the right one`(method: String) throws {
    for change in ["rename SOURCE MOVED", "rename OTHER SOURCE", "unlink SOURCE", "chmod SOURCE 0"] {
      _ = try atEachMoment(method) { folder, source, command, moment in
        let other = try folder.write([1, 2, 3], as: "moved")
        let action = change.replacingOccurrences(of: "SOURCE", with: source)
          .replacingOccurrences(of: "MOVED", with: other).replacingOccurrences(of: "OTHER", with: other)
        let result = try Shim.run(command, ["SHIM_AT": "\(moment)", "SHIM_DO": action])
        #expect(result.status == 0, "\(method), \(change) before call \(moment): \(result.errors)")
        #expect(try readFile(folder.file("out.mp4")) == readFile(folder.file("expected.mp4")))
      }
    }
  }

  @Test func `a target folder that is removed meanwhile is an error of the target`() throws {
    let folder = try TemporaryFolder()
    let source = Media.path("joc-base.mp4")
    for options in [[], ["--sync", "file"]] {
      let output = folder.file("gone/out.mp4")
      try FileManager.default.createDirectory(atPath: folder.file("gone"), withIntermediateDirectories: false)
      let count = try Shim.calls(of: ["trim", source, "-o", output])
      try FileManager.default.removeItem(atPath: output)
      let result = try Shim.run(
        ["trim", source, "-o", output] + options,
        // The call in front of the last one moves the payload; the last one prints.
        ["SHIM_AT": "\(count - 2)", "SHIM_DO": "rmdir \(folder.file("gone"))"])
      #expect(result.status == 73, "\(result.errors)")
      #expect(folder.names == [])
    }
  }
}
