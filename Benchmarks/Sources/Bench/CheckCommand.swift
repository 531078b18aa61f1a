import Foundation

/// `check` and `baseline`.
enum CheckCommand {
  private static let pairs = 15

  /// Measures the gate's scenarios and writes down what they came to.
  static func baseline(_ arguments: Arguments) throws -> Int32 {
    guard let path = arguments.text(.out) else { throw UsageError("baseline needs --out FILE") }
    try TargetFile.check(path)
    let harness = try opened(arguments, pairs: 3 * pairs)
    defer { harness.close() }
    let measurements = harness.measure(ScenarioTable.gate)
    guard measurements.count == ScenarioTable.gate.count, harness.programs.missing.isEmpty else {
      throw BenchError("not everything could be measured, so no baseline is written")
    }
    let entries = measurements.map { ($0.name, Baseline.Entry($0)) }
    try Baseline(
      toolchain: Host.current(harness.programs).toolchain,
      scenarios: Dictionary(uniqueKeysWithValues: entries)
    ).write(to: path)
    return 0
  }

  /// Fails where a build is worse than the baseline.
  static func check(_ arguments: Arguments) throws -> Int32 {
    guard let path = arguments.text(.baseline) else { throw UsageError("check needs --baseline FILE") }
    let baseline = try Baseline(readingFrom: path)
    try Report.checkTargets(arguments)
    let harness = try opened(arguments, pairs: pairs)
    defer { harness.close() }
    let host = Host.current(harness.programs)
    let comparable = ExactNumbers(baseline.toolchain, host.toolchain)
    if arguments.has(.requireExact) { try requireExact(comparable, missing: harness.programs.missing) }
    if let note = comparable.note { harness.note(note) }
    var measurements: [Measurement] = []
    var comparisons: [Comparison] = []
    for scenario in ScenarioTable.gate {
      guard let before = baseline.scenarios[scenario.name] else { continue }
      Progress.show(scenario.name)
      guard let bench = try harness.bench(scenario) else {
        throw BenchError("the check needs /dev/shm", advice: "mount a tmpfs there")
      }
      let counts = try harness.counts(bench)
      comparisons += Comparison.exact(scenario, before.counts, counts, comparable)
      let (timing, ratios) = try timed(bench, before, harness)
      comparisons += ratios
      measurements.append(try Measurement(bench, timing, counts))
    }
    Progress.clear()
    let report = Report(
      host: host, form: "check", pairs: pairs, measurements: measurements, budgets: [],
      comparisons: comparisons, notes: harness.notes)
    try report.publish(arguments)
    return report.isWorse ? 1 : 0
  }

  /// Throws, before anything is measured, where a check would pass over numbers that are exact.
  static func requireExact(_ comparable: ExactNumbers, missing: [String]) throws {
    let reasons = [comparable.note].compactMap(\.self) + missing
    guard !reasons.isEmpty else { return }
    throw BenchError(
      "--\(Option.requireExact.name): " + reasons.joined(separator: "; "),
      advice: "make the baseline on a machine of this kind, with kerfless-bench baseline", code: .unsupported)
  }

  /// Times a scenario. What is worse is timed once more: only pairs that have nothing to do with the first ones, and
  /// say the same, make a check fail.
  private static func timed(
    _ bench: Workbench, _ before: Baseline.Entry, _ harness: Harness
  ) throws -> (PairedTiming, [Comparison]) {
    let name = bench.scenario.name
    let first = try harness.timing(bench)
    let ratios = Comparison.ratios(name, before, first)
    guard ratios.contains(where: { $0.verdict == .worse }) else { return (first, ratios) }
    let second = try harness.timing(bench)
    return (second, Comparison.ratios(name, before, second))
  }

  private static func opened(_ arguments: Arguments, pairs: Int) throws -> Harness {
    var settings = try Harness.Settings(arguments)
    settings.pairs = try arguments.number(.pairs) ?? pairs
    // What is compared shall be the same on every machine, also if `mux` has changed since somebody's were made.
    settings.keepsMedia = false
    let harness = try Harness(settings)
    harness.open([.memory])
    return harness
  }
}
