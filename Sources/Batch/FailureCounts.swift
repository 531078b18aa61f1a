public import Remuxing

/// How many jobs failed, by why.
public struct FailureCounts: Equatable, Sendable {
  private var counts: [Failure.Code: Int] = [:]

  init() {}

  /// All together.
  public var total: Int { counts.values.reduce(0, +) }

  /// Those that may work if tried again.
  public var temporary: Int { counts.reduce(0) { $0 + ($1.key.exitStatus == .temporary ? $1.value : 0) } }

  /// Each code that there was, the most frequent first.
  public var sorted: [(code: Failure.Code, count: Int)] {
    counts.map { (code: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.code.rawValue) < ($0.count, $1.code.rawValue) }
  }

  mutating func add(_ code: Failure.Code) {
    counts[code, default: 0] += 1
  }

  mutating func add(_ other: FailureCounts) {
    counts.merge(other.counts, uniquingKeysWith: +)
  }

  /// A member for each code.
  func write(to json: inout JSONLine) {
    for (code, count) in sorted { json.member(code, count) }
  }
}
