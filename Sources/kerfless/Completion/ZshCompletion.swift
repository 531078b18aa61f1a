/// Completion for zsh, to be put into a folder of `$fpath` as `_kerfless`.
enum ZshCompletion {
  static var script: [String] {
    [
      "#compdef kerfless",
      "# zsh completion of kerfless, made by: kerfless help --completions zsh",
      "_kerfless() {",
      "  local command=$words[2]",
    ] + choice(of: firstWords, named: "command", at: 2)
      + Command.groups.flatMap { name in
        ["  if [[ $command == \(name) ]]; then"]
          + choice(of: verbs(of: name), named: "\(name) command", at: 3).map { "  " + $0 }
          + ["    command+=\" $words[3]\"", "    shift words; ((CURRENT--))", "  fi"]
      } + ["  shift words; ((CURRENT--))", "  case $command in"] + Command.all.flatMap(command)
      + ["  esac", "}", "_kerfless \"$@\""]
  }

  /// One of some words, when the cursor is at a word of this number.
  private static func choice(of words: [String], named name: String, at position: Int) -> [String] {
    ["  if ((CURRENT == \(position))); then", "    local -a choices=("] + words.map { "      \($0)" }
      + ["    )", "    _describe -t commands \(name.quoted) choices", "    return", "  fi"]
  }

  private static var firstWords: [String] {
    Command.firstWords.map { "\($0):\(Command.summary(ofFirstWord: $0))".quoted }
  }

  private static func verbs(of group: String) -> [String] {
    Command.all.filter { $0.name.hasPrefix(group + " ") }.map {
      "\($0.name.dropFirst(group.count + 1)):\($0.summary)".quoted
    }
  }

  private static func command(_ command: Command) -> [String] {
    let specifications =
      command.options.map(specification) + [
        "'(- *)--help[print the options]'"
      ] + operands(command.offer)
    return ["    \(command.name.quoted))", "      _arguments -s -S \\"]
      + specifications.dropLast().map { "        \($0) \\" } + [
        "        \(specifications.last ?? "")", "      ;;",
      ]
  }

  private static func operands(_ offer: Offer) -> [String] {
    guard case .commands = offer else { return ["*:operand:\(action(offer))".quoted] }
    return ["1:command:\(action(.words { Command.firstWords }))".quoted]
      + Command.groups.map {
        "2:\($0) command:{ [[ $words[2] == \($0) ]] && compadd \(Command.verbs(of: $0).joined(separator: " ")) }"
          .quoted
      }
  }

  private static func specification(_ option: Option) -> String {
    let long = "--\(option.name)" + (option.value == nil ? "" : "=")
    let value = option.value.map { ":\($0):\(action(option.offer))" } ?? ""
    let text = "[\(option.help.escapingBrackets)]\(value)".quoted
    guard let short = option.short else { return (option.isRepeatable ? "\\*" : "") + long + text }
    return "'(-\(short) --\(option.name))'{-\(short)\(option.value == nil ? "" : "+"),\(long)}\(text)"
  }

  private static func action(_ offer: Offer) -> String {
    switch offer {
    case .nothing: " "
    case .files: "_files"
    case .folders: "_files -/"
    case .commands: " "
    case .words(let words): "(" + words().joined(separator: " ") + ")"
    }
  }
}

extension String {
  fileprivate var escapingBrackets: String {
    map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
