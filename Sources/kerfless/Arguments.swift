import Remuxing
import SystemIO

/// What stands behind a command's name, read by its table of options.
///
/// GNU style: `--name value`, `--name=value`, `-o value`, `-ovalue`; `--` ends the options. Values are bytes, not text.
struct Arguments: Sendable {
  /// What is no option, in order.
  private(set) var operands: [[UInt8]] = []
  private var values: [Given] = []
  private var flags: [String] = []
  let command: String

  /// An option and its value. There are few, so a list is searched sooner than a dictionary is made.
  private struct Given {
    let name: String
    let value: [UInt8]
  }

  /// Throws a usage error that names the argument.
  init(_ words: [[UInt8]], for command: Command) throws(CommandError) {
    self.command = command.name
    var rest = words[...]
    var takesOptions = true
    while let word = rest.popFirst() {
      let text = String(decoding: word, as: UTF8.self)
      if takesOptions, text == "--" {
        takesOptions = false
      } else if takesOptions, text.hasPrefix("--") {
        try takeLong(word, &rest, command)
      } else if takesOptions, text.hasPrefix("-"), text != "-" {
        try takeShort(word, text, &rest, command)
      } else {
        operands.append(word)
      }
    }
  }

  private mutating func takeLong(
    _ word: [UInt8], _ rest: inout ArraySlice<[UInt8]>, _ command: Command
  ) throws(CommandError) {
    let parts = word.dropFirst(2).split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(decoding: parts[0], as: UTF8.self)
    guard let option = command.options.first(where: { $0.name == name }) else {
      throw .usage(
        "\(command.name) has no option --\(name)",
        Suggestion.text(for: name, among: command.options.map(\.name)) ?? "see kerfless help \(command.name)")
    }
    try take(option, attached: parts.count > 1 ? Array(parts[1]) : nil, &rest)
  }

  private mutating func takeShort(
    _ word: [UInt8], _ text: String, _ rest: inout ArraySlice<[UInt8]>, _ command: Command
  ) throws(CommandError) {
    let letter = text.dropFirst().first
    guard let letter, let option = command.options.first(where: { $0.short == letter }) else {
      throw .usage("\(command.name) has no option \(text)", "see kerfless help \(command.name)")
    }
    let attached = Array(word.dropFirst(2))
    guard option.value != nil || attached.isEmpty else {
      throw .usage("-\(letter) takes no value", "write options one by one")
    }
    try take(option, attached: attached.isEmpty ? nil : attached, &rest)
  }

  private mutating func take(
    _ option: Option, attached: [UInt8]?, _ rest: inout ArraySlice<[UInt8]>
  ) throws(CommandError) {
    guard option.value != nil else {
      guard attached == nil else { throw .usage("--\(option.name) takes no value", nil) }
      flags.append(option.name)
      return
    }
    guard let value = attached ?? rest.popFirst() else {
      throw .usage("--\(option.name) needs a value", "write --\(option.name) \(option.value ?? "")")
    }
    guard option.isRepeatable || bytes(option) == nil else {
      throw .usage("--\(option.name) is given twice", nil)
    }
    values.append(Given(name: option.name, value: value))
  }
}

extension Arguments {
  /// Whether a flag is given.
  func has(_ option: Option) -> Bool { flags.contains(option.name) }

  /// A value as bytes.
  func bytes(_ option: Option) -> [UInt8]? { values.first { $0.name == option.name }?.value }

  /// All values of a repeatable option, in order.
  func all(_ option: Option) -> [[UInt8]] { values.filter { $0.name == option.name }.map(\.value) }

  /// A value as text.
  func text(_ option: Option) -> String? {
    bytes(option).map { String(decoding: $0, as: UTF8.self) }
  }

  /// A value that is one of the names of an enumeration.
  func choice<T: RawRepresentable<String> & CaseIterable>(_ option: Option, else standard: T)
    throws(CommandError) -> T
  {
    guard let text = text(option) else { return standard }
    guard let value = T(rawValue: text) else {
      let names = T.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("--\(option.name) cannot be '\(text)'", "choose one of: \(names)")
    }
    return value
  }

  /// A value that is a time.
  func time(_ option: Option) throws(CommandError) -> TimeExpression? {
    guard let text = text(option) else { return nil }
    guard let time = TimeExpression(text) else {
      throw .usage(
        "--\(option.name) cannot be '\(text)'",
        "write a time as 12.5, 500ms, 02:03.5 (minutes and seconds below 60), 240000smp or 156au")
    }
    return time
  }

  /// A value that is a whole number.
  func number(_ option: Option) throws(CommandError) -> UInt32? {
    guard let text = text(option) else { return nil }
    guard let number = UInt32(text), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .usage("--\(option.name) cannot be '\(text)'", "write a whole number")
    }
    return number
  }

  /// The operands as paths.
  ///
  /// Throws when there are fewer or more than allowed.
  func paths(_ counts: ClosedRange<Int>, _ name: String) throws(CommandError) -> [FilePath] {
    guard counts.contains(operands.count) else {
      let wanted =
        switch counts.count {
        case 1: "\(counts.lowerBound)"
        case 2: "\(counts.lowerBound) or \(counts.upperBound)"
        default: "at least \(counts.lowerBound)"
        }
      throw .usage(
        "\(command) needs \(wanted) \(name), not \(operands.count)", "see kerfless help \(command)")
    }
    var paths: [FilePath] = []
    for operand in operands { paths.append(try Self.path(operand)) }
    return paths
  }

  /// A path from its bytes.
  static func path(_ bytes: [UInt8]) throws(CommandError) -> FilePath {
    guard let path = FilePath(bytes: bytes) else { throw .usage("a path is empty", nil) }
    return path
  }
}
