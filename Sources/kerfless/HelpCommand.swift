import Remuxing

/// `help`: what the table of commands says, as text, manual pages, or completions for a shell.
enum HelpCommand {
  static func run(_ arguments: Arguments, _ console: Console) throws(CommandError) -> ExitCode {
    console.print(try lines(arguments))
    return ExitStatus.done.rawValue
  }

  private static func lines(_ arguments: Arguments) throws(CommandError) -> [String] {
    let asked = [Option.pages, .page, .completions].filter { arguments.has($0) || arguments.bytes($0) != nil }
    guard let option = asked.first else { return try Help.lines(on: arguments.operands) }
    guard asked.count == 1, arguments.operands.isEmpty else {
      throw .usage("--\(option.name) prints nothing else", "leave out the rest, or run help again")
    }
    if arguments.has(.pages) { return ManualPage.names }
    if let name = arguments.text(.page) { return try page(name).lines }
    return try arguments.choice(.completions, else: Shell.bash).script
  }

  private static func page(_ name: String) throws(CommandError) -> ManualPage {
    let pages = ManualPage.all
    guard let page = pages.first(where: { $0.name == name }) else {
      throw .usage(
        "there is no page '\(name)'",
        Suggestion.text(for: name, among: pages.map(\.name)) ?? "see kerfless help --pages")
    }
    return page
  }
}
