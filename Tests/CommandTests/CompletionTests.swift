import Foundation
import TestSupport
import Testing

/// What shells offer for command lines, asked of the shells themselves.
struct CompletionTests {
  private static let lines: [(line: String, offered: Set<String>)] = [
    ("kerfless tr", ["trim"]),
    ("kerfless batch ", ["run", "check", "pack", "cat", "status"]),
    ("kerfless trim --i", ["--io", "--ignore-edits"]),
    ("kerfless trim --io ", ["auto", "clone", "copy", "gather"]),
    ("kerfless trim --io=c", ["clone", "copy"]),
    ("kerfless extract x.mp4 --format ", ["ec3", "eac3", "ac3"]),
    ("kerfless batch run --sync ", ["none", "file", "group"]),
    ("kerfless batch run --s", ["--shard", "--sync"]),
    ("kerfless trim cl", ["clip.mp4", "clips"]),
    ("kerfless trim x.mp4 -o cl", ["clip.mp4", "clips"]),
    ("kerfless batch run --journal cl", ["clips"]),
    ("kerfless clean cl", ["clips"]),
    ("kerfless trim --start ", []),
    ("kerfless help cl", ["clean"]),
    ("kerfless help batch ", ["run", "check", "pack", "cat", "status"]),
    ("kerfless help batch c", ["check", "cat"]),
    ("kerfless help trim ", []),
    ("kerfless batch status cl", ["clip.mp4", "clips"]),
    ("kerfless help --page kerfless-m", ["kerfless-manifest.5", "kerfless-mux.1"]),
  ]

  @Test(arguments: [("bash", []), ("zsh", ["-f"]), ("fish", ["--no-config"])] as [(String, [String])])
  func `a shell offers commands, options, values and files`(_ name: String, _ options: [String]) throws {
    guard let shell = Tool(name) else {
      print("skipped: \(name) is not installed")
      return
    }
    let folder = try TemporaryFolder()
    let script = try folder.write(try kerfless(["help", "--completions", name]).bytes, as: "script")
    _ = try folder.write([], as: "clip.mp4")
    try FileManager.default.createDirectory(
      atPath: folder.file("clips"), withIntermediateDirectories: false)
    #expect(try shell.run(["-n", script]).status == 0)
    let driver = Media.own.deletingLastPathComponent().appendingPathComponent("Shells/complete.\(name)").path
    let result = try shell.run(options + [driver, script] + Self.lines.map(\.line), folder: folder.path)
    let replies = result.text.split(separator: "end\n", omittingEmptySubsequences: false).dropLast()
    try #require(replies.count == Self.lines.count, "\(result.text)\(result.errors)")
    for (reply, expected) in zip(replies, Self.lines) {
      #expect(Set(reply.split(separator: "\n").map(Self.bare)) == expected.offered, "\(expected.line)")
    }
  }

  /// fish repeats what stands in front of a value, and marks folders.
  private static func bare(_ match: Substring) -> String {
    let value = match.hasPrefix("--io=") ? match.dropFirst(5) : match
    return String(value.hasSuffix("/") ? value.dropLast() : value)
  }
}
