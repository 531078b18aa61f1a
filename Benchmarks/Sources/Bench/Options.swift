/// An option: how it is written, and what help says of it.
struct Option: Sendable {
  let name: String
  /// What stands for the value in help; nil for a flag.
  var value: String?
  let help: String
}

extension Option {
  static let quick = Option(name: "quick", help: "a short form: one scenario of each kind, five pairs")
  static let only = Option(name: "only", value: "TEXT", help: "only scenarios whose name holds this")
  static let pairs = Option(
    name: "pairs", value: "N", help: "runs of both sides in turns (default: 11; quick: 5; check: 15)")
  static let on = Option(
    name: "on", value: "PLACES", help: "here,memory,xfs,btrfs or some of them (default: all that can be had)")
  static let kerfless = Option(
    name: "kerfless", value: "PATH", help: "the command (default: .build/static/kerfless)")
  static let floor = Option(name: "floor", value: "PATH", help: "the C floor (default: .build/perf/floor)")
  static let media = Option(
    name: "media", value: "DIR",
    help: "where sources are kept (default: .build/bench-media; check and baseline keep none)")
  static let work = Option(
    name: "work", value: "DIR", help: "where clips are written (default: TMPDIR, or /tmp)")
  static let json = Option(name: "json", value: "FILE", help: "write the report as JSON")
  static let markdown = Option(
    name: "markdown", value: "FILE", help: "append it as Markdown, for a CI summary")
  static let html = Option(name: "html", value: "FILE", help: "write it as a page with plots, in one file")
  static let baseline = Option(name: "baseline", value: "FILE", help: "what to compare with")
  static let requireExact = Option(
    name: "require-exact",
    help: "end with 69 where exact numbers cannot be compared: other toolchain, processor or valgrind")
  static let out = Option(name: "out", value: "FILE", help: "where to write the baseline")

  static let setting: [Option] = [.pairs, .kerfless, .floor, .media, .work]
  static let output: [Option] = [.json, .markdown, .html]
}

/// A command: how it is written, and what runs.
struct Command: Sendable {
  let name: String
  let operands: String
  let summary: String
  let options: [Option]
  let run: @Sendable (Arguments) throws -> Int32
}

/// What stands behind a command's name: `--name value`, `--name=value`.
struct Arguments {
  private(set) var operands: [String] = []
  private var values: [String: String] = [:]

  /// Throws a usage error that names the argument.
  init(_ words: ArraySlice<String>, for command: Command) throws {
    var rest = words
    while let word = rest.popFirst() {
      guard word.hasPrefix("-") else {
        guard !command.operands.isEmpty else { throw UsageError("\(command.name) does not take '\(word)'") }
        operands.append(word)
        continue
      }
      guard word.hasPrefix("--") else { throw UsageError("\(command.name) has no option \(word)") }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let option = command.options.first(where: { $0.name == parts[0] }) else {
        throw UsageError("\(command.name) has no option --\(parts[0])")
      }
      guard option.value != nil else {
        guard parts.count == 1 else { throw UsageError("--\(option.name) takes no value") }
        values[option.name] = ""
        continue
      }
      guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst(), !value.isEmpty else {
        throw UsageError("--\(option.name) needs a value: \(option.value ?? "")")
      }
      values[option.name] = value
    }
  }

  func has(_ option: Option) -> Bool { values[option.name] != nil }

  func text(_ option: Option) -> String? { values[option.name] }

  /// A number above zero, and of a size that a run can come to an end with.
  func number(_ option: Option) throws -> Int? {
    guard let text = values[option.name] else { return nil }
    guard let number = Int(text), 1...100_000 ~= number else {
      throw UsageError("--\(option.name) cannot be '\(text)': write a number from 1 to 100000")
    }
    return number
  }
}

/// The command line cannot be understood.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
