import Batch
import Remuxing
import SystemIO

/// `batch run`: all jobs of a manifest.
enum BatchRunCommand {
  static func run(_ arguments: Arguments, _ console: Console) throws(CommandError) -> ExitCode {
    let manifest = try ManifestArgument(arguments)
    var options = BatchOptions()
    options.method = try arguments.choice(.io, else: .auto)
    options.replacesExisting = arguments.has(.force)
    options.publication = try arguments.choice(.publish, else: .rename)
    options.durability = try arguments.choice(.sync, else: .group)
    options.journal = try arguments.journal()
    if let lanes = try arguments.count(.jobs) { options.laneCount = lanes }
    options.retries = Int(try arguments.number(.retry) ?? 0)
    options.maximumFailures = try arguments.count(.maxErrors)

    let display = BatchDisplay(printsJSON: console.printsJSON)
    let input = try manifest.open()
    let rules = manifest.rules
    let run = try engine { () throws(Failure) in
      try BatchRun(input, rules: rules, options: options, observer: display)
    }
    if run.unreadableJournalLines > 0 {
      Console.printDiagnostic("note: \(run.unreadableJournalLines) torn lines of the journal are passed over")
    }
    StopSignal.note()
    let summary = run.run()
    display.finish(summary)
    if summary.isAbandoned, let signal = summary.signal { StopSignal.endNow(signal) }
    return summary.exitCode
  }
}

/// The manifest that a command is given, and how its paths are understood.
struct ManifestArgument {
  let path: FilePath
  let rules: PathRules
  private let isStandardInput: Bool

  init(_ arguments: Arguments) throws(CommandError) {
    let path = try arguments.paths(1...1, "manifest")[0]
    isStandardInput = path.bytes == [UInt8(ascii: "-")]
    self.path = path
    // A manifest on standard input has no folder; the working folder is the nearest thing.
    let folder = isStandardInput ? FilePath.workingFolder : path.folder
    let root = try arguments.path(.root) ?? folder
    let confinement = try arguments.path(.confine)
    rules = try engine { () throws(Failure) in try PathRules(root: root, confinement: confinement) }
  }

  func open() throws(CommandError) -> InputFile {
    try engine { () throws(Failure) in
      guard !isStandardInput else { return InputFile() }
      do throws(SystemError) { return try InputFile(opening: path) } catch { throw Failure(error) }
    }
  }
}

extension Arguments {
  /// A value that is a path.
  func path(_ option: Option) throws(CommandError) -> FilePath? {
    guard let bytes = bytes(option) else { return nil }
    return try Self.path(bytes)
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
