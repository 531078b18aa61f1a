/// Help, generated from the table of commands.
enum Help {
  static let version = "kerfless 0.1.0"

  static var overview: String {
    let width = Command.all.map(\.name.count).max() ?? 0
    let commands = Command.all.map { "  \($0.name.padded(to: width))  \($0.summary)" }
    return """
      Cut and join Dolby Digital Plus (E-AC-3, AC-3; with or without JOC) in MP4 without decoding.

      usage: kerfless COMMAND …

      \(commands.joined(separator: "\n"))

        kerfless help COMMAND   its options
        kerfless --version

      A time T is 12, 12.5s, 500ms, 01:02:03.5, 240000smp (PCM samples) or 156au (access units).
      A SEGMENT is FILE or FILE@START-END; either end may be left out.
      """
  }

  static func text(for command: Command) -> String {
    let names = command.options.map(name)
    let width = names.map(\.count).max() ?? 0
    let lines = zip(names, command.options).map { "  \($0.padded(to: width))  \($1.help)" }
    return """
      \(command.summary)

      usage: kerfless \(command.name) \(command.operands) [options]

      \(lines.joined(separator: "\n"))
      """
  }

  private static func name(_ option: Option) -> String {
    let short = option.short.map { "-\($0), " } ?? "    "
    return short + "--" + option.name + (option.value.map { " " + $0 } ?? "")
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
