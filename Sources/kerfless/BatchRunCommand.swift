import Batch
import Remuxing
import SystemIO

/// `batch run` and `batch check`: all jobs of a manifest, or of a shard of it.
enum BatchRunCommand {
  static func run(_ arguments: Arguments, _ console: Console) throws(CommandError) -> ExitCode {
    var options = try options(arguments)
    options.method = try arguments.choice(.io, else: .auto)
    options.replacesExisting = arguments.has(.force)
    options.publication = try arguments.choice(.publish, else: .rename)
    options.durability = try arguments.choice(.sync, else: .group)
    options.journal = try arguments.journal()
    options.retries = Int(try arguments.number(.retry) ?? 0)
    options.maximumFailures = try arguments.count(.maxErrors)
    return try run(arguments, options, console)
  }

  static func check(_ arguments: Arguments, _ console: Console) throws(CommandError) -> ExitCode {
    var options = try options(arguments)
    options.purpose = .check
    return try run(arguments, options, console)
  }

  private static func options(_ arguments: Arguments) throws(CommandError) -> BatchOptions {
    var options = BatchOptions()
    if let lanes = try arguments.count(.jobs) { options.laneCount = lanes }
    options.shard = try arguments.shard()
    return options
  }

  private static func run(
    _ arguments: Arguments, _ options: BatchOptions, _ console: Console
  ) throws(CommandError) -> ExitCode {
    Heap.returnLargeBlocks()
    let manifest = try ManifestArgument(arguments)
    let metrics = try arguments.path(.metrics).map { (path) throws(CommandError) in
      try engine { () throws(Failure) in try MetricsFile(path, shard: options.shard) }
    }
    let display = BatchDisplay(printsJSON: console.printsJSON, purpose: options.purpose, metrics: metrics)
    let input = try manifest.open()
    let rules = manifest.rules
    let run = try engine { () throws(Failure) in
      try BatchRun(input, rules: rules, options: options, observer: display)
    }
    if run.unreadableJournalLines > 0 {
      let lines = run.unreadableJournalLines.counted("torn line")
      Console.printDiagnostic("note: passed over \(lines) of the journal")
    }
    StopSignal.note(graceMilliseconds: BatchRun.graceMilliseconds)
    let summary = run.run()
    display.finish(summary)
    if summary.isComplete, summary.tally.finished == 0 {
      Console.printDiagnostic(
        "warning: there are no jobs in \(options.shard == .whole ? "the manifest" : "this shard")")
    }
    if summary.isAbandoned, let signal = summary.signal { StopSignal.endNow(signal) }
    let hasLostResults = summary.exitCode == ExitStatus.done.rawValue && !display.hasPrintedAll
    return hasLostResults ? ExitStatus.inputOutput.rawValue : summary.exitCode
  }
}

extension Arguments {
  /// A value that is a path.
  func path(_ option: Option) throws(CommandError) -> FilePath? {
    guard let bytes = bytes(option) else { return nil }
    return try Self.path(bytes)
  }

  /// `--shard`, or all of the manifest.
  func shard() throws(CommandError) -> Shard {
    guard let text = text(.shard) else { return .whole }
    return try engine { () throws(Failure) in try ShardEnvironment(Environment.value).shard(text) }
  }

  /// `--journal`, and what is to be done with it.
  fileprivate func journal() throws(CommandError) -> JournalFolder? {
    let resumes = has(.resume)
    let acceptsEdits = has(.edited)
    guard let path = try path(.journal) else {
      guard !resumes else { throw .usage("--resume needs to know what was done", "give --journal DIR") }
      return nil
    }
    guard resumes || !acceptsEdits else { throw .usage("--edited goes with --resume", nil) }
    return JournalFolder(path, use: acceptsEdits ? .resumeEdited : resumes ? .resume : .fresh)
  }

  /// A value that is a whole number from 1.
  func count(_ option: Option) throws(CommandError) -> Int? {
    guard let number = try number(option) else { return nil }
    guard (1...65536).contains(number) else { throw .usage("--\(option.name) must be from 1 to 65536", nil) }
    return Int(number)
  }
}
