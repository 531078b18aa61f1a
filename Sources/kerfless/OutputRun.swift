import EnhancedAC3
import Remuxing
import SystemIO

/// Plans outputs, writes them and reports, or prints the plans.
struct OutputRun {
  private let command: String
  private let settings: OutputSettings
  private let console: Console

  init(_ command: String, _ settings: OutputSettings, _ console: Console) {
    self.command = command
    self.settings = settings
    self.console = console
  }

  /// Plans one output and writes it.
  func run(_ requests: [SegmentRequest], _ name: OutputName) throws(CommandError) {
    try write(try plan(requests, name), name)
  }

  func plan(_ requests: [SegmentRequest], _ name: OutputName) throws(CommandError) -> PlannedOutput {
    let planner = OutputPlanner(options: settings.cutting, form: name.form)
    return try engine { () throws(Failure) in try planner.plan(requests) }
  }

  /// Writes a planned output, or finds out whether it could be written, and reports.
  func write(_ planned: PlannedOutput, _ name: OutputName) throws(CommandError) {
    let target = name.target(settings.output)
    let transfer = try engine { () throws(Failure) -> TransferReport? in
      guard settings.isDryRun else { return try settings.writer.write(planned.plan, to: target) }
      try settings.writer.check(planned.plan, for: target)
      return nil
    }
    let report = OutputReportText(command: command, output: name.text, planned: planned, transfer: transfer)
    if console.printsJSON {
      console.print(report.json)
    } else {
      console.printFindings(report.findings)
      console.print(report.lines)
    }
  }
}
