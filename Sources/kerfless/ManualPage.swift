/// A manual page in mdoc(7), made from the table of commands.
struct ManualPage {
  /// The name that it is installed under: "kerfless-trim.1".
  let name: String
  let lines: [String]

  /// All pages: one of the program, one a command or group of commands, and one of the manifest's format.
  static var all: [ManualPage] {
    [program] + Command.all.map(ManualPage.init) + [batch, .manifest]
  }

  /// The names of all pages.
  static var names: [String] { all.map(\.name) }

  init(name: String, lines: [String]) {
    self.name = name
    self.lines = Self.head(name) + lines
  }

  private init(_ command: Command) {
    let title = Self.title(of: command)
    var lines = [".Sh NAME", ".Nm \(title)", ".Nd \(command.summary.troff)", ".Sh SYNOPSIS"]
    lines += [".Nm kerfless \(command.name)", ".Op Ar options"] + Self.synopsis(command.operands)
    lines += [".Sh DESCRIPTION"] + Self.paragraphs(command.manual.description)
    lines += [".Pp", "The options are:"] + Self.list(command.options.map { (Self.head($0), $0.help) })
    for note in Help.notes(on: command) { lines += [".Pp"] + Self.sentences(note) }
    lines += Self.environment(command.options.contains { $0.name == Option.shard.name })
    lines += Self.exitStatus(Help.exitCodes(of: command))
    lines += [".Sh EXAMPLES"] + Self.literal(command.manual.examples)
    lines += Self.seeAlso(except: title)
    self.init(name: title + ".1", lines: lines)
  }

  /// kerfless-batch(1): the group's commands.
  private static var batch: ManualPage {
    let commands = Command.all.filter { $0.name.hasPrefix("batch ") }
    var lines = [".Sh NAME", ".Nm kerfless-batch", ".Nd run and look at manifests of jobs", ".Sh SYNOPSIS"]
    lines += [".Nm kerfless batch", ".Ar command", ".Op Ar options", ".Ar operands"]
    lines += [".Sh DESCRIPTION"] + paragraphs(Manual.batch.description) + [".Pp", "The commands are:"]
    lines += list(commands.map { (".It Xr \(title(of: $0)) 1", $0.summary) })
    lines += environment(true) + exitStatus(Help.exitCodes)
    lines += [".Sh EXAMPLES"] + literal(Manual.batch.examples)
    return ManualPage(name: "kerfless-batch.1", lines: lines + seeAlso(except: "kerfless-batch"))
  }

  private static var program: ManualPage {
    var lines = [".Sh NAME", ".Nm kerfless", ".Nd \(Help.purpose.troff)", ".Sh SYNOPSIS"]
    lines += [".Nm", ".Ar command", ".Op Ar options", ".Op Ar operands"]
    lines += [".Sh DESCRIPTION"] + paragraphs(description) + [".Pp", "The commands are:"]
    lines += list(Command.all.map { (".It Xr \(title(of: $0)) 1", $0.summary) })
    for note in [Help.times, Help.segments] { lines += [".Pp"] + sentences(note) }
    lines += environment(true) + exitStatus(Help.exitCodes)
    lines +=
      [".Sh EXAMPLES"] + literal([Manual.trim, .concat, .verify].map(\.examples).joined(separator: "\n"))
    return ManualPage(name: "kerfless.1", lines: lines + seeAlso(except: "kerfless"))
  }

  private static let description = """
    An output is made of whole access units of its sources, whose bytes are not changed. On file systems that can share \
    blocks (XFS, Btrfs) it shares those of its source instead of copying them.

    Options are written --name value, --name=value, -o value or -ovalue; -- ends them. Results go to standard output, \
    everything else to standard error.
    """
}

extension ManualPage {
  private static func head(_ name: String) -> [String] {
    let title = name.dropLast(2).uppercased()
    return [".Dd \(Help.date)", ".Dt \(title) \(name.suffix(1))", ".Os \(Help.version)"]
  }

  private static func title(of command: Command) -> String {
    "kerfless-" + command.name.split(separator: " ").joined(separator: "-")
  }

  /// Operands as help writes them: options, values that are quoted or not, and "…" where there may be more.
  private static func synopsis(_ operands: String) -> [String] {
    operands.split(separator: " ").map { word in
      if word.hasPrefix("-") { return ".Fl \(word.dropFirst())" }
      if word.hasPrefix("[") { return ".Op Ar \(word.dropFirst().dropLast())" }
      if word.hasSuffix("…") { return ".Ar \(word.dropLast()) ..." }
      return ".Ar \(String(word.filter { $0 != "'" }).troff)"
    }
  }

  private static func head(_ option: Option) -> String {
    let value = option.value.map { " Ar \($0)" } ?? ""
    let short = option.short.map { "Fl \($0)\(value) , " } ?? ""
    return ".It \(short)Fl -\(option.name)\(value)"
  }

  /// A list of terms, each with what it means; none where there is no term.
  static func list(_ items: [(head: String, text: String)]) -> [String] {
    [".Bl -tag -width Ds"] + items.flatMap { [$0.head] + sentences($0.text) } + [".El"]
  }

  static func paragraphs(_ text: String) -> [String] {
    text.split(separator: "\n").enumerated().flatMap { (index, paragraph) in
      (index == 0 ? [] : [".Pp"]) + sentences(String(paragraph))
    }
  }

  /// A sentence begins a line, which lets troff space them, and no line is longer than a terminal is wide.
  private static func sentences(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + word.count >= 72 || line.hasSuffix(".") {
        lines.append(line.troff)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [line.troff]
  }

  static func literal(_ text: String) -> [String] {
    [".Bd -literal"] + text.split(separator: "\n").map { String($0).troff } + [".Ed"]
  }

  private static func environment(_ hasShards: Bool) -> [String] {
    let shards =
      ["With", ".Fl -shard Cm auto", "these tell which part of a manifest to run:"]
      + list(Help.arrayVariables.map { (".It Ev \($0.names)", $0.meaning) })
    return [".Sh ENVIRONMENT"] + (hasShards ? shards + [".Pp"] : [])
      + sentences("Locale, home folder and folders for temporary files are neither needed nor looked at.")
  }

  private static func exitStatus(_ codes: [(codes: String, meaning: String)]) -> [String] {
    [".Sh EXIT STATUS"] + list(codes.map { (".It \($0.codes)", $0.meaning) })
  }

  private static func seeAlso(except title: String) -> [String] {
    let pages = ["kerfless", "kerfless-batch"] + Command.all.map(Self.title)
    let references = pages.sorted().filter { $0 != title }.map { ".Xr \($0) 1 ," }
    return [".Sh SEE ALSO"] + references + [".Xr kerfless-manifest 5"]
  }
}

extension String {
  /// The text as troff reads it: no control line, no escape, hyphens that can be copied.
  var troff: String {
    var text = ""
    for character in self {
      switch character {
      case "\\": text += "\\e"
      case "-": text += "\\-"
      case "…": text += "..."
      case "'": text += "\\(aq"
      case "`": text += "\\(ga"
      case "~": text += "\\(ti"
      case "^": text += "\\(ha"
      default: text.append(character)
      }
    }
    return text.hasPrefix(".") ? "\\&" + text : text
  }
}
