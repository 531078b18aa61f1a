import Batch
import Remuxing
import SystemIO

/// `batch status`: how far the runs of a journal have come.
enum BatchStatusCommand {
  static func run(_ arguments: Arguments, _ console: Console) throws(CommandError) -> ExitCode {
    let paths = try arguments.paths(1...2, "paths, a journal and its manifest")
    let manifest = try paths.dropFirst().first.map { (path) throws(CommandError) in
      try ManifestArgument(path, arguments)
    }
    let listing = try listing(arguments, manifest, console)
    guard manifest != nil || arguments.bytes(.root) == nil else {
      throw .usage("--root goes with a manifest", nil)
    }
    let input = try manifest.map { (manifest) throws(CommandError) in try manifest.open() }
    if let input, listing != nil || arguments.has(.check),
      input.byteCount == nil || input.path == .standardInput
    {
      throw .usage("--check and --list read the manifest again", "give it as a file")
    }
    let status = try engine { () throws(Failure) in try JournalStatus(of: paths[0], manifest: input) }
    if status.unreadableLines > 0 {
      let lines = status.unreadableLines.counted("torn line")
      Console.printDiagnostic("note: passed over \(lines) of the journal")
    }
    if let listing {
      try list(listing, status, manifest)
    } else if console.printsJSON {
      console.print(json(status, of: paths[0]))
    } else {
      console.print(lines(status))
    }
    guard arguments.has(.check) else { return ExitStatus.done.rawValue }
    guard let manifest else { return status.verdict.exitCode }
    let again = try manifest.open()
    return try engine { () throws(Failure) in try status.verdict(on: again, manifest.rules) }.exitCode
  }

  private static func listing(
    _ arguments: Arguments, _ manifest: ManifestArgument?, _ console: Console
  ) throws(CommandError) -> JobListing? {
    guard let text = arguments.text(.list) else { return nil }
    // The choice has no default: without the option nothing is listed.
    let listing = try arguments.choice(.list, else: JobListing.failed)
    guard listing != .unbegun || manifest != nil else {
      throw .usage("a journal does not know the jobs that are \(text)", "give the manifest, too")
    }
    guard !console.printsJSON else {
      throw .usage("--list and --json exclude each other", "the lines of a manifest are JSON as they are")
    }
    return listing
  }

  /// Prints lines of the manifest, which are a manifest again, or ids.
  private static func list(
    _ listing: JobListing, _ status: JournalStatus, _ manifest: ManifestArgument?
  ) throws(CommandError) {
    var text: [UInt8] = []
    func flush(_ threshold: Int) throws(Failure) {
      guard text.count > threshold else { return }
      do throws(SystemError) { try StandardStream.output.write(text) } catch { throw Failure(error) }
      text.removeAll(keepingCapacity: true)
    }
    let input = try manifest.map { (manifest) throws(CommandError) in try manifest.open() }
    try engine { () throws(Failure) in
      if let manifest, let input {
        try status.forEachLine(of: input, manifest.rules, listing) { (line) throws(Failure) in
          text += line
          try flush(64 << 10)
        }
      } else {
        try status.forEachID(listing) { (id) throws(Failure) in
          text += Array((Console.printable(id) + "\n").utf8)
          try flush(64 << 10)
        }
      }
      try flush(0)
    }
  }

  private static func lines(_ status: JournalStatus) -> [String] {
    let counts = status.counts
    var parts = ["\(counts.done) done", counts.failures.counted(counts.failed)]
    if counts.begun > 0 {
      // Where no run is at work, theirs was killed or lost its power.
      let advice =
        status.runningCount == 0
        ? " (their outputs may be complete; batch run --resume makes them again)" : ""
      parts.append("\(counts.begun) begun and not over\(advice)")
    }
    if let unbegun = status.unbegun { parts.append("\(unbegun) not begun") }
    let runs =
      switch status.runningCount {
      case 0: "no run is at work"
      case 1: "a run is at work"
      default: "\(status.runningCount) runs are at work"
      }
    return [parts.joined(separator: ", ")] + counts.failures.lines + [runs]
  }

  private static func json(_ status: JournalStatus, of folder: FilePath) -> JSONValue {
    let counts = status.counts
    return .object([
      ("schema", .string("kerfless.batch.status/1")), ("journal", .string(folder.description)),
      ("jobs", .optional(status.jobCount)), ("done", .number(counts.done)),
      ("failed", .number(counts.failed)),
      ("failedTemporarily", .number(counts.failures.temporary)),
      ("failures", .object(counts.failures.sorted.map { ($0.code.rawValue, .number($0.count)) })),
      ("begun", .number(counts.begun)), ("unbegun", .optional(status.unbegun)),
      ("running", .number(status.runningCount)), ("unreadableLines", .number(status.unreadableLines)),
    ])
  }
}
