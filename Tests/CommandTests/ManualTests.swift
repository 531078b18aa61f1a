import Foundation
import TestSupport
import Testing

/// The manual pages, read by the programs that show them.
struct ManualTests {
  private let pages: [String]

  init() throws {
    pages = try kerfless(["help", "--pages"]).lines
  }

  private func source(_ page: String) throws -> [UInt8] {
    try kerfless(["help", "--page", page]).bytes
  }

  @Test func `every command has a page`() throws {
    let overview = try kerfless(["help"]).text
    for page in pages where page.hasSuffix(".1") && page != "kerfless.1" {
      let command = page.dropFirst(9).dropLast(2).replacing("-", with: " ")
      #expect(overview.contains("  \(command) "))
      #expect(try kerfless(["help"] + command.split(separator: " ").map(String.init)).status == 0)
    }
    #expect(pages.count == overview.matches(of: /\n  [a-z]+( [a-z]+)?  +[a-z]/).count + 3)
    try expectFailure(64, ["help", "--page", "kerfless-trin.1"], saying: ["is it kerfless-trim.1?"])
  }

  @Test(
    arguments: [("mandoc", ["-Tlint", "-Wwarning"]), ("man", ["--warnings", "-l", "-Z"])]
      as [(String, [String])])
  func `programs that read the pages have nothing to complain of`(_ name: String, _ options: [String]) throws
  {
    guard let tool = Tool(name) else {
      print("skipped: \(name) is not installed")
      return
    }
    let folder = try TemporaryFolder()
    for page in pages {
      let path = try folder.write(try source(page), as: page)
      let result = try tool.run(options + [path], environment: ["LC_ALL": "C.UTF-8"])
      #expect(result.status == 0 && result.errors.isEmpty, "\(page): \(result.errors)")
      if name == "mandoc" { #expect(result.text.isEmpty, "\(page): \(result.text)") }
    }
  }

  @Test func `pages say all that a page has to say`() throws {
    for page in pages {
      let text = String(decoding: try source(page), as: UTF8.self)
      for section in ["NAME", "DESCRIPTION", "EXAMPLES", "SEE ALSO"] {
        #expect(text.contains(".Sh \(section)\n"))
      }
      guard page.hasSuffix(".1") else { continue }
      for section in ["SYNOPSIS", "ENVIRONMENT", "EXIT STATUS"] { #expect(text.contains(".Sh \(section)\n")) }
    }
  }

  @Test(arguments: [
    ("kerfless-trim.1", ["0", "64", "65", "66", "69", "73", "74", "75", "128 + signal"]),
    ("kerfless-inspect.1", ["0", "64", "65", "66", "69", "74", "75", "128 + signal"]),
    ("kerfless-batch-status.1", ["0", "1", "64", "65", "66", "69", "74", "75", "128 + signal"]),
    ("kerfless-help.1", ["0", "64", "74", "128 + signal"]),
  ])
  func `a page has the exit codes of its command`(_ page: String, _ codes: [String]) throws {
    let text = String(decoding: try source(page), as: UTF8.self)
    let section = try #require(
      text.split(separator: ".Sh EXIT STATUS\n").last?.split(separator: ".Sh ").first)
    #expect(section.matches(of: /\.It (.+)/).map { String($0.1) } == codes)
    #expect(!section.contains("verify"))
  }

  @Test func `examples are command lines that are understood`() throws {
    var lines: [String] = []
    for page in pages {
      let text = String(decoding: try source(page), as: UTF8.self)
      let examples = text.split(separator: "\n").filter { $0.hasPrefix("kerfless ") }
      lines += examples.map { String($0).replacing("\\-", with: "-").replacing("\\(aq", with: "'") }
    }
    try expectUnderstood(lines)
    #expect(lines.count > 20)
  }

  /// Runs command lines, up to a pipe, where there is none of the files that they name: they may fail, but not for themselves.
  private func expectUnderstood(_ lines: [String]) throws {
    let shell = try #require(Tool("sh"))
    let folder = try TemporaryFolder()
    let path = URL(fileURLWithPath: Tool.kerfless.path).deletingLastPathComponent().path + ":/usr/bin:/bin"
    for line in lines {
      let command = String(line.split(separator: "|")[0])
      let result = try shell.run(
        ["-c", command], folder: folder.path, environment: ["PATH": path, "JOB_COMPLETION_INDEX": "0"])
      #expect(result.status != 64 && result.status != 127, "\(command): \(result.errors)")
    }
  }

  @Test func `the command lines of the README are understood`() throws {
    let root = Media.own.deletingLastPathComponent().deletingLastPathComponent()
    let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let blocks = readme.split(separator: "```sh\n").dropFirst().map { $0.split(separator: "```")[0] }
    let lines = blocks.flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("kerfless ") }
    try expectUnderstood(lines.map(String.init))
    #expect(lines.count > 20)
  }

  @Test func `the keys of a manifest that the page lists are known`() throws {
    let folder = try TemporaryFolder()
    let page = String(decoding: try source("kerfless-manifest.5"), as: UTF8.self)
    let keys = page.split(separator: "\n").filter { $0.hasPrefix(".It Cm ") }
      .flatMap { $0.dropFirst(7).split(separator: " ").filter { $0 != "," } }
    #expect(keys.count == 14)
    for key in keys + ["sauce"] {
      let manifest = try folder.write(Array("{\"\(key)\":{}}\n".utf8), as: "jobs.jsonl")
      let errors = try Tool.kerfless.run(["batch", "check", manifest]).errors
      #expect(errors.contains("there is no such key") == (key == "sauce"), "\(key): \(errors)")
    }
  }
}
