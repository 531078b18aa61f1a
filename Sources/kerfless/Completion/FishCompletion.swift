/// Completion for fish from 3.1.
enum FishCompletion {
  static var script: [String] {
    [
      "# fish completion of kerfless, made by: kerfless help --completions fish",
      "function __kerfless_is --description 'whether the command line that is being written has this command'",
      "  set -l words (commandline -opc)",
      "  set -l command $words[2]",
      "  contains -- \"$command\" \(Command.groups.joined(separator: " ")); and set command $words[2..3]",
      "  test \"$command\" = \"$argv\"",
      "end",
      "function __kerfless_follows --description 'whether these words and no others stand in front of the cursor'",
      "  set -l words (commandline -opc)",
      "  set -e words[1]",
      "  test \"$words\" = \"$argv\"",
      "end",
      "complete -c kerfless -f",
      "complete -c kerfless -n __kerfless_is -l version -d 'print the version'",
    ] + Command.firstWords.map(firstWord) + Command.groups.flatMap(verbs) + Command.all.flatMap(command)
  }

  private static func firstWord(_ word: String) -> String {
    "complete -c kerfless -n __kerfless_is -a \(word) -d \(Command.summary(ofFirstWord: word).quoted)"
  }

  private static func verbs(of group: String) -> [String] {
    Command.all.filter { $0.name.hasPrefix(group + " ") }.map {
      "complete -c kerfless \(condition(group)) -a \($0.name.dropFirst(group.count + 1)) -d \($0.summary.quoted)"
    }
  }

  private static func command(_ command: Command) -> [String] {
    let prefix = "complete -c kerfless \(condition(command.name))"
    return operands(command)
      + command.options.map { option in
        let short = option.short.map { " -s \($0)" } ?? ""
        let value = option.value == nil ? "" : " -r \(arguments(option.offer))"
        return "\(prefix) -l \(option.name)\(short)\(value) -d \(option.help.quoted)"
      } + ["\(prefix) -l help -d 'print the options'"]
  }

  private static func operands(_ command: Command) -> [String] {
    guard case .commands = command.offer else {
      return ["complete -c kerfless \(condition(command.name)) \(arguments(command.offer))"]
    }
    let first = (words: command.name, offered: Command.firstWords)
    let groups = Command.groups.map { (words: "\(command.name) \($0)", offered: Command.verbs(of: $0)) }
    return ([first] + groups).map { words, offered in
      "complete -c kerfless -n '__kerfless_follows \(words)' \(arguments(.words { offered }))"
    }
  }

  private static func condition(_ command: String) -> String { "-n '__kerfless_is \(command)'" }

  private static func arguments(_ offer: Offer) -> String {
    switch offer {
    case .nothing, .commands: "-f"
    case .files: "-F"
    case .folders: "-f -a '(__fish_complete_directories)'"
    case .words(let words): "-f -a " + words().joined(separator: " ").quoted
    }
  }
}
