import Glibc
import Remuxing
import SystemIO

/// The command: arguments → options → engine → exit code.
@main
enum Kerfless {
  static func main() {
    TemporaryFile.removeOnSignals()
    exit(run(arguments()))
  }

  /// The words behind the program's name, as bytes.
  private static func arguments() -> [[UInt8]] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      // The kernel ends each word with a zero; the array itself is as long as argc says.
      guard let word = unsafe CommandLine.unsafeArgv[index] else { return nil }
      return unsafe Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))
    }
  }

  private static func run(_ words: [[UInt8]]) -> ExitCode {
    let console = Console(printsJSON: words.contains(Array("--json".utf8)))
    do throws(CommandError) {
      return try dispatch(words, console)
    } catch {
      console.printFailure(error.failure)
      return error.exitCode
    }
  }

  private static func dispatch(_ words: [[UInt8]], _ console: Console) throws(CommandError) -> ExitCode {
    guard let first = words.first else {
      throw .usage("no command is given", "see kerfless help")
    }
    let name = String(decoding: first, as: UTF8.self)
    let rest = Array(words.dropFirst())
    switch name {
    case "--version", "version":
      try console.printResult(Help.version)
      return ExitStatus.done.rawValue
    case "help", "--help", "-h":
      return try help(rest, console)
    default: break
    }
    if Command.later.contains(name) {
      throw CommandError(Failure(.unavailable, "kerfless \(name) is not available yet"))
    }
    guard let command = Command.all.first(where: { $0.name == name }) else {
      throw .usage("there is no command '\(name)'", "see kerfless help")
    }
    if rest.prefix(while: { $0 != Array("--".utf8) }).contains(Array("--help".utf8)) {
      return try help([first], console)
    }
    return try command.run(try Arguments(rest, for: command))
  }

  private static func help(_ words: [[UInt8]], _ console: Console) throws(CommandError) -> ExitCode {
    guard let word = words.first else {
      try console.printResult(Help.overview)
      return ExitStatus.done.rawValue
    }
    let name = String(decoding: word, as: UTF8.self)
    guard let command = Command.all.first(where: { $0.name == name }) else {
      throw .usage("there is no command '\(name)'", "see kerfless help")
    }
    try console.printResult(Help.text(for: command))
    return ExitStatus.done.rawValue
  }
}
