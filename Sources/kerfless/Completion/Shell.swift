/// A shell that can complete command lines by a script, which is made from the table of commands.
enum Shell: String, CaseIterable {
  case bash
  case zsh
  case fish

  var script: [String] {
    switch self {
    case .bash: BashCompletion.script
    case .zsh: ZshCompletion.script
    case .fish: FishCompletion.script
    }
  }
}

extension Command {
  /// The words that stand in front of others: "batch".
  static var groups: [String] { firstWords.filter { !verbs(of: $0).isEmpty } }

  /// What the first word of a command line stands for.
  static func summary(ofFirstWord word: String) -> String {
    all.first { $0.name == word }?.summary ?? verbs(of: word).joined(separator: ", ")
  }
}

extension Option {
  /// How it is written, the short way last.
  var spellings: [String] { ["--\(name)"] + (short.map { ["-\($0)"] } ?? []) }
}

extension String {
  /// In single quotes, as every shell here reads them.
  var quoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
