import Foundation

/// What later builds are compared with.
struct Baseline: Codable {
  /// One scenario.
  struct Entry: Codable {
    let counts: Counts
    /// floor / kerfless by the clock on the wall and on a core; nil where there is no floor.
    let wallRatio: Double?
    let coreRatio: Double?
  }

  private static let schema = "kerfless.bench.baseline/1"

  let schema: String
  /// Exact numbers hold for this only.
  let toolchain: Toolchain
  let scenarios: [String: Entry]

  init(toolchain: Toolchain, scenarios: [String: Entry]) {
    schema = Self.schema
    self.toolchain = toolchain
    self.scenarios = scenarios
  }

  /// Reads one that was written for a gate.
  ///
  /// Throws, too, where it has not every number that this gate compares: what is not there would pass.
  init(readingFrom path: String, for gate: [Scenario] = ScenarioTable.gate) throws {
    let advice = "kerfless-bench baseline --out FILE makes one"
    self = try JSON.read(Baseline.self, from: path, called: "baseline", advice: advice) {
      $0.schema == Self.schema
    }
    for scenario in gate where scenarios[scenario.name]?.isComplete(for: scenario) != true {
      throw BenchError("\(path) has not all numbers of \(scenario.name)", advice: advice, code: .malformed)
    }
  }

  func write(to path: String) throws {
    try TargetFile.write(try JSON.encoder.encode(self) + Data("\n".utf8), to: path)
  }
}

extension Baseline.Entry {
  /// Memory and what reaches a disk depend on more than the build, so they are not kept.
  init(_ measurement: Measurement) {
    var counts = measurement.counts
    counts.bytesWritten = nil
    counts.anonymous = nil
    counts.peak = nil
    self.counts = counts
    wallRatio = measurement.wallRatio.map { ($0.median * 1000).rounded() / 1000 }
    coreRatio = measurement.coreRatio.map { ($0.median * 1000).rounded() / 1000 }
  }

  /// Whether it has, and could have measured, all that is compared.
  func isComplete(for scenario: Scenario) -> Bool {
    var numbers = [counts.systemCalls]
    if case .probe = scenario.subject { numbers += [counts.allocations, counts.jsonAllocations] }
    if scenario.instructionMargin != nil { numbers.append(counts.instructions) }
    let ratios = scenario.floor == .none ? [] : [wallRatio, coreRatio]
    return (numbers + ratios).allSatisfy { $0?.isPlausible ?? false } && !ratios.contains(0)
  }
}
