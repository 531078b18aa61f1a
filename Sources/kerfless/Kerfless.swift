import Glibc
import Remuxing
import SystemIO

/// The command: arguments → options → engine → exit code.
@main
enum Kerfless {
  static func main() {
    TemporaryFile.removeOnSignals()
    exit(run(ProgramArguments.words))
  }

  private static func run(_ words: [[UInt8]]) -> ExitCode {
    let console = Console(
      printsJSON: words.contains(Array("--json".utf8)), outputIsStandardOutput: writesToStandardOutput(words))
    var code: ExitCode
    do throws(CommandError) {
      code = try dispatch(words, console)
    } catch {
      console.printFailure(error.failure)
      code = error.exitCode
    }
    if let failure = console.failure {
      Console.printDiagnostic("error: \(failure)")
      if code == ExitStatus.done.rawValue { code = failure.code.exitStatus.rawValue }
    }
    return code
  }

  /// `-o -` in any spelling: then not even an error may be printed on standard output.
  private static func writesToStandardOutput(_ words: [[UInt8]]) -> Bool {
    let texts = words.map { String(decoding: $0, as: UTF8.self) }
    return texts.contains("-o-") || texts.contains("--output=-")
      || zip(texts, texts.dropFirst()).contains { ["-o", "--output"].contains($0) && $1 == "-" }
  }

  private static func dispatch(_ words: [[UInt8]], _ console: Console) throws(CommandError) -> ExitCode {
    guard let first = words.first else {
      throw .usage("no command is given", "see kerfless help")
    }
    let name = String(decoding: first, as: UTF8.self)
    let rest = Array(words.dropFirst())
    switch name {
    case "--version", "version":
      console.print([Help.version])
      return ExitStatus.done.rawValue
    case "--help", "-h":
      return try help(rest, console)
    default: break
    }
    guard !name.hasPrefix("-") else {
      throw .usage("there is no command in front of \(name)", "write the command first, then its options")
    }
    let options = rest.prefix { $0 != Array("--".utf8) }.map { String(decoding: $0, as: UTF8.self) }
    if options.contains("--help") || options.contains("-h") { return try help(words, console) }
    let (command, arguments) = try Command.starting(words)
    return try command.run(try Arguments(arguments, for: command), console)
  }
  private static func help(_ words: [[UInt8]], _ console: Console) throws(CommandError) -> ExitCode {
    console.print(try Help.lines(on: words.filter { $0.first != UInt8(ascii: "-") }))
    return ExitStatus.done.rawValue
  }
}
