/// How much may change before a check fails.
enum Margin {
  /// Heap allocations and system calls are exact.
  static let calls = 0.0
  /// A share of the instructions: the compiler places things differently when anything changes.
  static let instructions = 0.02
  /// The same of a batch: it looks at its progress by the clock, however slow the machine is.
  static let batchInstructions = 0.05
  /// A share of a ratio, below which its whole confidence interval must lie to fail.
  static let coreRatio = 0.15
  static let wallRatio = 0.2
}

/// One number of one scenario, then and now.
struct Comparison: Codable {
  enum Verdict: String, Codable {
    case worse
    case same
    case better
    /// It could not be measured, here or then.
    case unknown
  }

  let scenario: String
  let quantity: String
  let before: String
  let now: String
  let verdict: Verdict
}

extension Comparison {
  /// A number that is exact, and should be small.
  init(_ scenario: String, _ quantity: String, exactly before: Double?, _ now: Double?, tolerance: Double) {
    self.scenario = scenario
    self.quantity = quantity
    self.before = before.map(Format.whole) ?? Column.unknown
    self.now = now.map(Format.whole) ?? Column.unknown
    guard let before, let now else {
      verdict = .unknown
      return
    }
    verdict = now > before * (1 + tolerance) ? .worse : now < before * (1 - tolerance) ? .better : .same
  }

  /// A ratio to the floor, which should be large. It is worse where all of its confidence interval is below the margin;
  /// it is never better: beside other work on the machine one side may gain by the clock without any merit.
  init(_ scenario: String, _ quantity: String, ratio before: Double, _ now: Estimate, margin: Double) {
    self.scenario = scenario
    self.quantity = quantity
    self.before = "\(Format.two(before)), at least \(Format.two(before * (1 - margin)))"
    self.now = Format.ratio(now)
    verdict = now.high < before * (1 - margin) ? .worse : .same
  }

  /// The exact numbers of a scenario, as far as they can be compared.
  static func exact(
    _ scenario: Scenario, _ before: Counts, _ now: Counts, _ comparable: ExactNumbers
  ) -> [Comparison] {
    if case .none = comparable { return [] }
    let name = scenario.name
    var comparisons = [
      Comparison(name, "allocations", exactly: before.allocations, now.allocations, tolerance: Margin.calls),
      Comparison(
        name, "by json-c", exactly: before.jsonAllocations, now.jsonAllocations, tolerance: Margin.calls),
      Comparison(name, "system calls", exactly: before.systemCalls, now.systemCalls, tolerance: Margin.calls),
    ]
    if let margin = scenario.instructionMargin, comparable == .all {
      comparisons.append(
        Comparison(name, "instructions", exactly: before.instructions, now.instructions, tolerance: margin))
    }
    return comparisons.filter { $0.before != Column.unknown }
  }

  /// The ratios of a scenario.
  static func ratios(_ name: String, _ before: Baseline.Entry, _ timing: PairedTiming) -> [Comparison] {
    var comparisons: [Comparison] = []
    if let ratio = before.coreRatio, let now = Estimate(timing.coreRatios) {
      comparisons.append(Comparison(name, "floor / CPU", ratio: ratio, now, margin: Margin.coreRatio))
    }
    if let ratio = before.wallRatio, let now = Estimate(timing.wallRatios) {
      comparisons.append(Comparison(name, "floor / wall", ratio: ratio, now, margin: Margin.wallRatio))
    }
    return comparisons
  }
}
