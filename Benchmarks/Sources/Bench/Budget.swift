import Foundation

/// A promise of DESIGN.md, section 8, and what was measured.
struct BudgetResult: Codable {
  /// On which side of the limit it is good to be.
  enum Direction: String, Codable {
    case atLeast = "at least"
    case atMost = "at most"
  }

  let title: String
  let measured: Double
  let limit: Double
  let direction: Direction
  /// What stands behind the numbers.
  let unit: String

  var isMet: Bool { direction == .atLeast ? measured >= limit : measured <= limit }
  var verdict: String { isMet ? "met" : "MISSED" }
  var measuredText: String { text(measured) }
  var limitText: String { "\(direction.rawValue) \(text(limit))" }

  private func text(_ value: Double) -> String {
    let number = String(format: "%.3g", value)
    return unit.isEmpty ? Format.count(value) : "\(number) \(unit)"
  }
}

/// Tells which budgets are met.
struct Budgets {
  let measurements: [Measurement]
  let programs: Programs

  /// Those for which everything was measured.
  func results() throws -> [BudgetResult] {
    var results = bulk
    results += [processRatio, sourceLength, allocations, memory, verify, cloneGrowth, cloneDisk].compactMap(
      \.self)
    results += [try size(), start, callsBeyondEmpty].compactMap(\.self)
    return results
  }

  private func named(_ name: String) -> Measurement? { measurements.first { $0.name == name } }

  private var bulk: [BudgetResult] {
    measurements.filter { $0.group == .bulk && $0.units > 1000 }.compactMap { measurement in
      guard let ratio = measurement.coreRatio else { return nil }
      return BudgetResult(
        title: "\(measurement.title), \(measurement.fileSystem), to the floor", measured: ratio.median,
        limit: 0.9,
        direction: .atLeast, unit: "×")
    }
  }

  private var processRatio: BudgetResult? {
    named("process-1mb")?.coreRatio.map {
      BudgetResult(
        title: "A clip of 1 MB as a process, CPU / floor, median", measured: 1 / max($0.median, 0.001),
        limit: 1.5,
        direction: .atMost, unit: "×")
    }
  }

  private var sourceLength: BudgetResult? {
    guard let short = named("length-regular-1min"), let long = named("length-regular-10h") else { return nil }
    return BudgetResult(
      title: "Open and plan, 10 h against 1 min", measured: long.core.p50 / short.core.p50, limit: 1.5,
      direction: .atMost, unit: "×")
  }

  private var allocations: BudgetResult? {
    named("bulk-1mb-gather-here")?.counts.allocations.map {
      BudgetResult(
        title: "Heap allocations a clip in a batch, without json-c's", measured: $0, limit: 16,
        direction: .atMost,
        unit: "")
    }
  }

  /// 32 MiB, and 32 bytes for each of the jobs that were counted last.
  private var memory: BudgetResult? {
    named("batch")?.counts.anonymous.map {
      BudgetResult(
        title: "Memory of its own of a batch of 1,000 jobs", measured: Double($0) / 1024,
        limit: 32 + 32 * 1000 / 1_048_576, direction: .atMost, unit: "MiB")
    }
  }

  private var verify: BudgetResult? {
    named("verify").map {
      BudgetResult(
        title: "verify, a core", measured: Double($0.bytes) / max($0.core.p50, 1) / 1000, limit: 1,
        direction: .atLeast, unit: "GB/s")
    }
  }

  /// Cloning 100 MB must cost what cloning 1 MB does; the limit is ours, the design says flat.
  private var cloneGrowth: BudgetResult? {
    guard let short = named("clip-length-3125-xfs"), let long = named("clip-length-312500-xfs") else {
      return nil
    }
    return BudgetResult(
      title: "Clone on XFS, 100 MB against 1 MB", measured: long.core.p50 / short.core.p50, limit: 2,
      direction: .atMost, unit: "×")
  }

  private var cloneDisk: BudgetResult? {
    named("bulk-1mb-clone-xfs")?.counts.bytesWritten.map {
      BudgetResult(
        title: "Disk space of a cloned clip on XFS", measured: $0 / 1024, limit: 16, direction: .atMost,
        unit: "KiB")
    }
  }

  private func size() throws -> BudgetResult {
    let size = try FileManager.default.attributesOfItem(atPath: programs.kerfless)[.size] as? Int ?? 0
    return BudgetResult(
      title: "Size of the command", measured: Double(size) / 1e6, limit: 12, direction: .atMost, unit: "MB")
  }

  /// The same statistic of the same way to start as a clip that is a process has.
  private var start: BudgetResult? {
    named("start").map {
      BudgetResult(
        title: "Start and end of the command, median", measured: $0.wall.p50 / 1000, limit: 2,
        direction: .atMost, unit: "ms")
    }
  }

  /// Printing the version makes four calls more than an empty program: three for signals, one to write.
  private var callsBeyondEmpty: BudgetResult? {
    guard let idle = named("start")?.counts.systemCalls,
      let trim = named("process-1mb")?.counts.systemCalls
    else { return nil }
    return BudgetResult(
      title: "System calls of a trim beyond an empty program", measured: trim - (idle - 4), limit: 20,
      direction: .atMost, unit: "")
  }
}
