/// Completion for bash from 4.4, without the package bash-completion.
enum BashCompletion {
  static var script: [String] {
    head + Command.groups.flatMap(group) + [middle] + Command.all.flatMap(command) + tail
  }

  /// `--io=c` comes as three words, because `=` breaks words; the value is then the last, or the `=` itself.
  private static let head = [
    "# bash completion of kerfless, made by: kerfless help --completions bash",
    "_kerfless() {",
    "  local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} options=",
    "  COMPREPLY=()",
    "  [[ $option == '=' ]] && option=${COMP_WORDS[COMP_CWORD-2]}",
    "  [[ $word == '=' ]] && word=",
    "  if ((COMP_CWORD == 1)); then",
    "    COMPREPLY=($(compgen -W \((Command.firstWords + ["--version"]).joined(separator: " ").quoted) -- \"$word\"))",
    "    return",
    "  fi",
  ]

  private static func group(_ name: String) -> [String] {
    [
      "  if [[ $command == \(name) ]]; then",
      "    if ((COMP_CWORD == 2)); then",
      "      COMPREPLY=($(compgen -W \(Command.verbs(of: name).joined(separator: " ").quoted) -- \"$word\"))",
      "      return",
      "    fi",
      "    command+=\" ${COMP_WORDS[2]}\"",
      "  fi",
    ]
  }

  private static let middle = "  case $command in"

  private static func command(_ command: Command) -> [String] {
    let cases = command.options.filter { $0.value != nil }.map {
      "        \($0.spellings.joined(separator: " | "))) \(reply($0.offer))return ;;"
    }
    let options = (command.options.map { "--\($0.name)" } + ["--help"]).joined(separator: " ")
    return ["    \(command.name.quoted))"]
      + (cases.isEmpty ? [] : ["      case $option in"] + cases + ["      esac"])
      + [
        "      options=\(options.quoted)", "      [[ $word == -* ]] || { \(reply(command.offer))return; }",
        "      ;;",
      ]
  }

  private static func reply(_ offer: Offer) -> String {
    switch offer {
    case .nothing: ""
    case .files: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); "
    case .folders: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); "
    case .commands: commands
    case .words(let words):
      "COMPREPLY=($(compgen -W \(words().joined(separator: " ").quoted) -- \"$word\")); "
    }
  }

  /// Behind the command that takes them, which is one word.
  private static var commands: String {
    let firstWords = "((COMP_CWORD == 2)) && \(reply(.words { Command.firstWords }))"
    return Command.groups.reduce(firstWords) { reply, group in
      reply
        + "((COMP_CWORD == 3)) && [[ ${COMP_WORDS[2]} == \(group) ]] && "
        + Self.reply(.words { Command.verbs(of: group) })
    }
  }

  private static let tail = [
    "  esac",
    "  COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))",
    "}",
    "complete -F _kerfless kerfless",
  ]
}
