import Foundation

/// A column of the tables.
struct Column: Sendable {
  let title: String
  /// What it says, for those who have not read the documentation.
  let meaning: String
  let text: @Sendable (Measurement) -> String
}

extension Column {
  static let unknown = "n/a"

  /// What a terminal has room for.
  static let short: [Column] = [
    scenario, fileSystem, wall50, core50, rate, bandwidth, calls, allocations, wallRatio, coreRatio,
  ]

  static let scenario = Column(title: "scenario", meaning: "what is measured") { $0.label }
  static let fileSystem = Column(title: "on", meaning: "file system") { $0.fileSystem }
  static let wall50 = time("wall p50", "median by the clock on the wall, an operation") { $0.wall.p50 }
  static let wall90 = time("p90", "nine of ten are faster") { $0.wall.p90 }
  static let wall99 = time("p99", "99 of 100 are faster") { $0.wall.p99 }
  static let core50 = time("CPU p50", "median of user and system time, an operation") { $0.core.p50 }
  static let core90 = time("p90", "nine of ten use less") { $0.core.p90 }
  static let core99 = time("p99", "99 of 100 use less") { $0.core.p99 }
  static let operations = count("ops/s", "operations a second: clips, jobs, files") { $0.operationsPerSecond }
  static let rate = count("frames/s", "access units a second") { $0.unitsPerSecond }
  static let bandwidth = Column(title: "GB/s", meaning: "payload a second, of what is written or read") {
    measurement in
    measurement.gigabytesPerSecond.map { Format.significant($0) } ?? "–"
  }
  static let calls = count("calls", "system calls, an operation") { $0.counts.systemCalls }
  static let allocations = Column(title: "allocs", meaning: "heap allocations, an operation; + by json-c") {
    measurement in
    guard let own = measurement.counts.allocations else { return unknown }
    let json = measurement.counts.jsonAllocations ?? 0
    return Format.count(own) + (json > 0 ? " + \(Format.count(json))" : "")
  }
  static let instructions = count("instructions", "outside the kernel, an operation") {
    $0.counts.instructions
  }
  static let written = Column(title: "to disk", meaning: "bytes made dirty on a disk, an operation") {
    $0.counts.bytesWritten.map { Format.bytes($0) } ?? unknown
  }
  static let anonymous = memory("RssAnon", "memory of the process's own at its end") { $0.counts.anonymous }
  static let peak = memory("peak RSS", "the most that was resident, mapped files included") { $0.counts.peak }
  static let floor = Column(title: "floor", meaning: "the C program's median by the clock on the wall") {
    $0.floorWall.map { Format.time($0) } ?? "–"
  }
  static let wallRatio = ratio("floor/wall", "the floor's time by the clock to ours; 1 is as fast") {
    $0.wallRatio
  }
  static let coreRatio = ratio("floor/CPU", "the floor's time on a core to ours; 1 is as fast") {
    $0.coreRatio
  }

  private static func time(
    _ title: String, _ meaning: String, _ value: @escaping @Sendable (Measurement) -> Double
  ) -> Column {
    Column(title: title, meaning: meaning) { Format.time(value($0)) }
  }

  private static func count(
    _ title: String, _ meaning: String, _ value: @escaping @Sendable (Measurement) -> Double?
  ) -> Column {
    Column(title: title, meaning: meaning) { measurement in
      guard let value = value(measurement) else {
        return title == "frames/s" ? "–" : unknown
      }
      return Format.count(value)
    }
  }

  private static func memory(
    _ title: String, _ meaning: String, _ value: @escaping @Sendable (Measurement) -> Int?
  ) -> Column {
    Column(title: title, meaning: meaning) { value($0).map { Format.bytes(Double($0) * 1024) } ?? unknown }
  }

  private static func ratio(
    _ title: String, _ meaning: String, _ value: @escaping @Sendable (Measurement) -> Estimate?
  ) -> Column {
    Column(title: title, meaning: meaning) { value($0).map(Format.ratio) ?? "–" }
  }
}

/// Numbers for people.
enum Format {
  /// Microseconds.
  static func time(_ microseconds: Double) -> String {
    switch microseconds {
    case ..<1000: significant(microseconds) + " µs"
    case ..<1e6: significant(microseconds / 1000) + " ms"
    default: significant(microseconds / 1e6) + " s"
    }
  }

  static func bytes(_ count: Double) -> String {
    switch count {
    case ..<1024: "\(Int(count)) B"
    case ..<1_048_576: significant(count / 1024) + " KiB"
    case ..<1_073_741_824: significant(count / 1_048_576) + " MiB"
    default: significant(count / 1_073_741_824) + " GiB"
    }
  }

  /// Three digits, or all of a whole number up to 9999; then thousands, millions.
  static func count(_ value: Double) -> String {
    switch value {
    case ..<10_000: value == value.rounded() || value >= 100 ? "\(Int(value.rounded()))" : significant(value)
    case ..<1e6: significant(value / 1000) + " k"
    case ..<1e9: significant(value / 1e6) + " M"
    default: significant(value / 1e9) + " G"
    }
  }

  /// All digits, in groups of three.
  static func whole(_ value: Double) -> String {
    let digits = String(Int(value.rounded()))
    let groups = stride(from: digits.count, to: 0, by: -3).map {
      digits.dropLast(digits.count - $0).suffix(3)
    }
    return groups.reversed().joined(separator: ",")
  }

  static func ratio(_ estimate: Estimate) -> String {
    "\(two(estimate.median)) [\(two(estimate.low))–\(two(estimate.high))]"
  }

  static func two(_ value: Double) -> String { String(format: "%.2f", value) }

  /// Three digits.
  static func significant(_ value: Double) -> String {
    switch abs(value) {
    case 100...: String(format: "%.0f", value)
    case 10..<100: String(format: "%.1f", value)
    default: String(format: "%.2f", value)
    }
  }
}
