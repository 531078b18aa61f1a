/// How long jobs took, in buckets that are at most a sixteenth wide of what they hold.
struct LatencyHistogram: Sendable {
  private var counts = [Int](repeating: 0, count: 61 * 16)
  private var total = 0

  /// Counts one job.
  mutating func add(_ nanoseconds: Int) {
    counts[Self.bucket(of: UInt64(clamping: nanoseconds))] += 1
    total += 1
  }

  /// Adds what another one has counted.
  mutating func add(_ other: LatencyHistogram) {
    for index in counts.indices { counts[index] += other.counts[index] }
    total += other.total
  }

  /// Nanoseconds that at least this share of all jobs did not exceed; nil when there were none.
  func quantile(_ share: Double) -> Int? {
    guard total > 0 else { return nil }
    let rank = max(1, Int((share * Double(total)).rounded(.up)))
    var seen = 0
    for (bucket, count) in counts.enumerated() {
      seen += count
      if seen >= rank { return Self.upperBound(of: bucket) }
    }
    return nil
  }

  /// Below 16 each number has its own; from there each power of two is divided into 16.
  private static func bucket(of value: UInt64) -> Int {
    guard value >= 16 else { return Int(value) }
    let exponent = 63 - value.leadingZeroBitCount
    return (exponent - 3) * 16 + Int(value >> UInt64(exponent - 4) & 15)
  }

  private static func upperBound(of bucket: Int) -> Int {
    guard bucket >= 16 else { return bucket }
    let exponent = bucket / 16 + 3
    return Int(clamping: UInt64(16 + bucket % 16 + 1) << UInt64(exponent - 4) - 1)
  }
}
