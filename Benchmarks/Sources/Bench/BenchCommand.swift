import CChildren
import Foundation

/// The command `kerfless-bench`.
public enum BenchCommand {
  /// Runs it with the words behind its name; returns the exit code.
  ///
  /// 0: done; 1: the check failed; 64: usage; 65, 66: a baseline or a report that is none or is missing; 69: exact numbers
  /// are required and cannot be compared here; 70: it could not be measured.
  public static func run(_ words: [String]) -> Int32 {
    _ = cchild_own_mounts()
    Leftovers.removeOnSignals()
    return code(of: words)
  }

  static func code(of words: [String]) -> Int32 {
    do {
      let isHelp = words.first == "help" || words.contains("--help") || words.contains("-h")
      guard !isHelp, let name = words.first else {
        try StandardOutput.print(help(for: words))
        return words.isEmpty ? 64 : 0
      }
      guard let command = commands.first(where: { $0.name == name }) else {
        throw UsageError(
          "there is no command '\(name)': choose one of \(commands.map(\.name).joined(separator: ", "))")
      }
      return try command.run(try Arguments(words.dropFirst(), for: command))
    } catch {
      Leftovers.waitForSignalsEnd()
      Progress.print("kerfless-bench: \(error.text)")
      return error is UsageError ? 64 : ((error as? BenchError)?.code ?? .notMeasured).rawValue
    }
  }

  private static let commands: [Command] = [
    Command(
      name: "run", operands: "", summary: "measure, and print a table",
      options: [.quick, .only, .on] + Option.setting + Option.output, run: RunCommand.run),
    Command(
      name: "list", operands: "", summary: "print the scenarios", options: [.quick, .on], run: RunCommand.list
    ),
    Command(
      name: "check", operands: "", summary: "fail where a build is worse than a baseline",
      options: [.baseline, .requireExact] + Option.setting + Option.output, run: CheckCommand.check),
    Command(
      name: "baseline", operands: "", summary: "measure what later builds are compared with",
      options: [.out] + Option.setting, run: CheckCommand.baseline),
    Command(
      name: "report", operands: "FILE.json",
      summary: "print a report that was written, or turn it into others",
      options: Option.output, run: RunCommand.report),
  ]

  /// What is asked for with these words: of one command, or of all.
  static func help(for words: [String]) -> String {
    let name = words.first == "help" ? words.dropFirst().first : words.first
    let meant = commands.filter { $0.name == name }
    var lines = ["kerfless-bench: how fast Kerfless is, and how near to the least that a clip can cost", ""]
    for command in meant.isEmpty ? commands : meant {
      lines.append(
        ["  kerfless-bench", command.name, command.operands].filter { !$0.isEmpty }.joined(separator: " "))
      lines.append("      \(command.summary)")
      for option in command.options {
        let written = "--\(option.name)\(option.value.map { " \($0)" } ?? "")"
        lines.append(
          "        " + written.padding(toLength: 20, withPad: " ", startingAt: 0) + " \(option.help)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
