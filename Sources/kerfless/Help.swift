/// Help, generated from the table of commands.
enum Help {
  static let version = "kerfless 0.1.0"

  private static let times =
    "A time T is 12, 12.5s, 500ms, 01:02:03.5, 02:03.5, 240000smp (PCM samples) or 156au (access units)."
  private static let segments =
    "A SEGMENT is FILE or FILE@START-END, either end left out at will; FILE@ takes a name with an @ in it as it is."

  static var overview: [String] {
    [
      "Cut and join Dolby Digital Plus (E-AC-3, AC-3; with or without JOC) in MP4 without decoding.", "",
      "usage: kerfless COMMAND …", "",
    ] + summaries(of: Command.all) + [
      "", "  kerfless help COMMAND   its options", "  kerfless --version", "", times, segments,
    ]
  }

  /// The commands whose names start with the same word.
  static func lines(forGroup name: String) -> [String] {
    ["usage: kerfless \(name) COMMAND …", ""]
      + summaries(of: Command.all.filter { $0.name.hasPrefix(name + " ") })
      + ["", "  kerfless help \(name) COMMAND   its options"]
  }

  private static func summaries(of commands: [Command]) -> [String] {
    let width = commands.map(\.name.count).max() ?? 0
    return commands.map { "  \($0.name.padded(to: width))  \($0.summary)" }
  }

  static func lines(for command: Command) -> [String] {
    let names = command.options.map(name)
    let width = names.map(\.count).max() ?? 0
    var lines = [command.summary, "", "usage: kerfless \(command.name) \(command.operands) [options]", ""]
    lines += zip(names, command.options).map { "  \($0.padded(to: width))  \($1.help)" }
    let takesTimes = command.options.contains { $0.value == "T" } || command.operands.contains("SEGMENT")
    if takesTimes { lines += ["", times] }
    if command.operands.contains("SEGMENT") { lines.append(segments) }
    return lines
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
