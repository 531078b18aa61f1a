import Remuxing
import SystemIO

/// `split`: a track into pieces of one length.
enum SplitCommand {
  static func run(_ arguments: Arguments, _ console: Console) throws(CommandError) -> ExitCode {
    let settings = try OutputSettings(arguments)
    let name = try OutputName(arguments)
    guard case .path(let pattern) = name.target else {
      throw .usage("split writes several files", "give -o a pattern such as clips/%06d.mp4")
    }
    guard let numbering = Numbering(pattern.bytes) else {
      throw .usage(
        "the output's name must hold one number",
        "write %d or %06d (a zero, then up to 32 digits) once; %% is a percent sign")
    }
    guard let every = try arguments.time(.every) else {
      throw .usage("split needs --every T", "see kerfless help split")
    }
    let path = try arguments.paths(1...1, "source")[0]
    let range = try arguments.range()
    let split = try engine { () throws(Failure) in
      let source = try Source(opening: path)
      let request = SegmentRequest(source: source, range: range, trackID: settings.trackID)
      return try Split(request, every: every, options: settings.cutting)
    }
    let run = OutputRun(arguments.command, settings, console)
    // All are planned, and all names looked at, before the first is written: what can be foreseen stops all of them.
    var count = 0
    for piece in split {
      let name = OutputName(form: name.form, path: try Arguments.path(numbering.name(count)))
      _ = try run.plan([piece], name)
      if !settings.isDryRun { try requireFree(name, settings) }
      count += 1
    }
    guard count > 0 else {
      throw CommandError(
        Failure(
          .rangeInvalid, "no piece would hold a whole access unit", path: path,
          advice: "widen the range, or use --snap"))
    }
    for (number, piece) in split.enumerated() {
      try run.run([piece], OutputName(form: name.form, path: try Arguments.path(numbering.name(number))))
    }
    return ExitStatus.done.rawValue
  }

  private static func requireFree(_ name: OutputName, _ settings: OutputSettings) throws(CommandError) {
    guard !settings.output.replacesExisting, case .path(let path) = name.target, path.exists else { return }
    throw CommandError(Failure(SystemError(.createTarget, path, .targetExists)))
  }
}

/// A name with one number in it: `clips/%06d.mp4`.
private struct Numbering {
  private let prefix: [UInt8]
  private let width: Int
  private let suffix: [UInt8]

  /// Nil when there is not exactly one number, or a percent sign means nothing.
  init?(_ pattern: [UInt8]) {
    var parts: [[UInt8]] = [[]]
    var width = 0
    var rest = pattern[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        parts[parts.count - 1].append(byte)
        continue
      }
      if rest.first == UInt8(ascii: "%") {
        rest.removeFirst()
        parts[parts.count - 1].append(byte)
        continue
      }
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(digits.count)
      guard rest.popFirst() == UInt8(ascii: "d"), digits.isEmpty || digits.first == UInt8(ascii: "0"),
        let number = digits.isEmpty ? 0 : Int(String(decoding: digits, as: UTF8.self)), number <= 32
      else { return nil }
      width = number
      parts.append([])
    }
    guard parts.count == 2 else { return nil }
    prefix = parts[0]
    suffix = parts[1]
    self.width = width
  }

  func name(_ number: Int) -> [UInt8] {
    let digits = Array(String(number).utf8)
    let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, width - digits.count))
    return prefix + zeros + digits + suffix
  }
}
