import Remuxing
import SystemIO

/// `trim`, `concat`, `extract` and `mux`: one output from one or more segments.
enum CutCommand {
  static func trim(_ arguments: Arguments, _ console: Console) throws(CommandError) -> ExitCode {
    try cutOne(arguments, console, into: try OutputName(arguments))
  }

  static func extract(_ arguments: Arguments, _ console: Console) throws(CommandError) -> ExitCode {
    let name = try OutputName(arguments)
    guard name.form == .elementaryStream else {
      throw .usage("extract writes an elementary stream", "name the output .ec3, .eac3 or .ac3, or use trim")
    }
    return try cutOne(arguments, console, into: name)
  }

  static func mux(_ arguments: Arguments, _ console: Console) throws(CommandError) -> ExitCode {
    let name = try OutputName(arguments)
    guard name.form != .elementaryStream else {
      throw .usage("mux writes an MP4 file", "name the output .mp4 or .m4a, or use trim")
    }
    return try cutOne(arguments, console, into: name) { (source) throws(CommandError) in
      guard source.container == .elementaryStream else {
        throw CommandError(
          Failure(
            .usage, "mux reads an elementary stream; this is an MP4 file", path: source.file.path,
            advice: "use trim"))
      }
    }
  }

  static func concat(_ arguments: Arguments, _ console: Console) throws(CommandError) -> ExitCode {
    let settings = try OutputSettings(arguments)
    let name = try OutputName(arguments)
    guard !arguments.operands.isEmpty else {
      throw .usage("concat needs at least 1 segment, not 0", "see kerfless help concat")
    }
    let requests = try SegmentArgument.requests(arguments.operands, trackID: settings.trackID)
    try OutputRun(arguments.command, settings, console).run(requests, name)
    return ExitStatus.done.rawValue
  }

  private static func cutOne(
    _ arguments: Arguments, _ console: Console, into name: OutputName,
    check: (Source) throws(CommandError) -> Void = { (_) throws(CommandError) in }
  ) throws(CommandError) -> ExitCode {
    let settings = try OutputSettings(arguments)
    let path = try arguments.paths(1...1, "source")[0]
    let range = try arguments.range()
    let source = try SegmentArgument.open(path, hint: "give the range as --start and --end")
    try check(source)
    try OutputRun(arguments.command, settings, console).run(
      [SegmentRequest(source: source, range: range, trackID: settings.trackID)], name)
    return ExitStatus.done.rawValue
  }
}
