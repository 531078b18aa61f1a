import Batch
import Remuxing
import SystemIO

/// `batch status`: how far the runs of a journal have come.
enum BatchStatusCommand {
  static func run(_ arguments: Arguments, _ console: Console) throws(CommandError) -> ExitCode {
    let paths = try arguments.paths(1...2, "paths, a journal and its manifest")
    let manifest = try paths.dropFirst().first.map { (path) throws(CommandError) in
      try ManifestArgument.open(path)
    }
    let status = try engine { () throws(Failure) in try JournalStatus(of: paths[0], manifest: manifest) }
    if status.unreadableLines > 0 {
      let lines = status.unreadableLines.counted("torn line")
      Console.printDiagnostic("note: passed over \(lines) of the journal")
    }
    if console.printsJSON { console.print(json(status, of: paths[0])) } else { console.print(lines(status)) }
    return ExitStatus.done.rawValue
  }

  private static func lines(_ status: JournalStatus) -> [String] {
    let counts = status.counts
    var parts = ["\(counts.done) done", counts.failures.counted(counts.failed)]
    if counts.begun > 0 { parts.append("\(counts.begun) begun and not over") }
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
