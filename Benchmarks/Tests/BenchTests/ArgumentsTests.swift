import Testing

@testable import Bench

@Suite struct ArgumentsTests {
  private let command = Command(
    name: "run", operands: "", summary: "", options: [.quick, .pairs, .only], run: { _ in 0 })

  @Test(arguments: [
    ["file"], ["-q"], ["--fast"], ["--quick=yes"], ["--only"], ["--only="], ["--quick", "--pairs"],
  ])
  func `what cannot be understood is refused`(words: [String]) {
    #expect(throws: UsageError.self) { try Arguments(words[...], for: command) }
  }

  @Test(arguments: ["0", "-1", "1e3", "x", "100001", "9223372036854775807", "99999999999999999999"])
  func `a number is one that a run can come to an end with`(text: String) throws {
    let arguments = try Arguments(["--pairs", text], for: command)
    #expect(throws: UsageError.self) { try arguments.number(.pairs) }
  }

  @Test func `values stand behind a space or a sign`() throws {
    let arguments = try Arguments(["--pairs=3", "--only", "a=b", "--quick"], for: command)
    #expect(try arguments.number(.pairs) == 3)
    #expect(arguments.text(.only) == "a=b")
    #expect(arguments.has(.quick))
  }

  @Test(arguments: [
    ("check --baseline /nowhere/baseline.json", 66), ("report /nowhere/report.json", 66),
    ("report /etc/passwd", 65), ("check --baseline /etc/passwd --require-exact", 65), ("check --help", 0),
    ("help check", 0),
  ])
  func `a baseline or report that is missing, or none, ends with a code of its own`(line: String, code: Int32)
  {
    #expect(BenchCommand.code(of: line.split(separator: " ").map(String.init)) == code)
  }

  @Test(arguments: [["check", "--help"], ["help", "check"], ["check", "-h", "--baseline", "run"]])
  func `help of a command is that of no other`(words: [String]) {
    let help = BenchCommand.help(for: words)
    #expect(help.contains("kerfless-bench check"))
    #expect(help.contains("--require-exact"))
    #expect(!help.contains("kerfless-bench run"))
  }

  @Test func `help without a command is that of all`() {
    for words in [["--help"], ["help"], ["help", "no"], []] {
      let help = BenchCommand.help(for: words)
      for name in ["run", "list", "check", "baseline", "report"] {
        #expect(help.contains("  kerfless-bench \(name)"))
      }
    }
  }

  @Test(arguments: [
    "run --only zzz", "run --on ,", "run --on xfs,", "list more", "check", "baseline", "report", "no",
  ])
  func `usage errors end with 64`(line: String) throws {
    // In this process: nothing is measured before they are found.
    #expect(BenchCommand.code(of: line.split(separator: " ").map(String.init)) == 64)
  }
}
