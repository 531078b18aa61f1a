import Remuxing
import SystemIO

/// `trim`, `concat`, `extract` and `mux`: one output from one or more segments.
enum CutCommand {
  static func trim(_ arguments: Arguments) throws(CommandError) -> ExitCode {
    try cutOne(arguments, into: try OutputName(arguments))
  }

  static func extract(_ arguments: Arguments) throws(CommandError) -> ExitCode {
    let name = try OutputName(arguments)
    guard name.form == .elementaryStream else {
      throw .usage("extract writes an elementary stream", "name the output .ec3, .eac3 or .ac3, or use trim")
    }
    return try cutOne(arguments, into: name)
  }

  static func mux(_ arguments: Arguments) throws(CommandError) -> ExitCode {
    let name = try OutputName(arguments)
    guard name.form != .elementaryStream else {
      throw .usage("mux writes an MP4 file", "name the output .mp4 or .m4a, or use trim")
    }
    return try cutOne(arguments, into: name) { (source) throws(CommandError) in
      guard source.container == .elementaryStream else {
        throw CommandError(
          Failure(
            .usage, "mux reads an elementary stream; this is an MP4 file", path: source.file.path,
            advice: "use trim"))
      }
    }
  }

  static func concat(_ arguments: Arguments) throws(CommandError) -> ExitCode {
    let settings = try OutputSettings(arguments)
    let name = try OutputName(arguments)
    guard !arguments.operands.isEmpty else {
      throw .usage("concat needs at least 1 segment, not 0", "see kerfless help concat")
    }
    var sources: [FilePath: Source] = [:]
    var requests: [SegmentRequest] = []
    for operand in arguments.operands {
      let segment = try SegmentArgument(operand)
      // One file is opened once, so that contiguous ranges of it join without a seam.
      let source: Source
      if let opened = sources[segment.path] {
        source = opened
      } else {
        source = try engine { () throws(Failure) in try Source(opening: segment.path) }
        sources[segment.path] = source
      }
      requests.append(SegmentRequest(source: source, range: segment.range, trackID: settings.trackID))
    }
    try OutputRun(arguments, settings).run(requests, name)
    return ExitStatus.done.rawValue
  }

  private static func cutOne(
    _ arguments: Arguments, into name: OutputName,
    check: (Source) throws(CommandError) -> Void = { (_) throws(CommandError) in }
  ) throws(CommandError) -> ExitCode {
    let settings = try OutputSettings(arguments)
    let path = try arguments.paths(1...1, "source")[0]
    let range = try arguments.range()
    let source = try engine { () throws(Failure) in try Source(opening: path) }
    try check(source)
    try OutputRun(arguments, settings).run(
      [SegmentRequest(source: source, range: range, trackID: settings.trackID)], name)
    return ExitStatus.done.rawValue
  }
}

/// Plans one output, writes it and reports, or prints the plan.
struct OutputRun {
  private let arguments: Arguments
  private let settings: OutputSettings

  init(_ arguments: Arguments, _ settings: OutputSettings) {
    self.arguments = arguments
    self.settings = settings
  }

  func run(_ requests: [SegmentRequest], _ name: OutputName) throws(CommandError) {
    let console = Console(printsJSON: arguments.has(.json), outputIsStandardOutput: name.isStandardOutput)
    let planner = OutputPlanner(options: settings.cutting, form: name.form)
    let planned = try engine { () throws(Failure) in try planner.plan(requests) }
    let transfer =
      settings.isDryRun
      ? nil
      : try engine { () throws(Failure) in
        try settings.writer.write(planned.plan, to: name.target(settings.output))
      }
    let report = OutputReportText(
      command: arguments.command, output: name.text, planned: planned, transfer: transfer)
    if console.printsJSON {
      try console.printResult(report.json.text)
    } else {
      console.printFindings(planned.report.findings)
      try console.printResult(report.text)
    }
  }
}
