import Foundation

/// A median, and where the true one lies: with 95 % confidence, told from ranks, whatever the distribution is.
struct Estimate: Codable, Equatable {
  let median: Double
  let low: Double
  let high: Double
  /// How many values it rests on.
  let count: Int

  /// Nil when there are no values.
  ///
  /// The k-th smallest and k-th largest of n values enclose the median unless fewer than k of n fair coins fall on one
  /// side; k is the largest for which that is not above 5 %. Up to five values are too few: then it is the whole range.
  init?(_ values: [Double]) {
    guard let median = values.median else { return nil }
    let sorted = values.sorted()
    let rank = Self.rank(of: sorted.count)
    self.median = median
    low = sorted[rank]
    high = sorted[sorted.count - 1 - rank]
    count = sorted.count
  }

  /// How many of the smallest and of the largest values lie outside the interval.
  private static func rank(of count: Int) -> Int {
    var outside = 0.0
    for rank in 0..<count / 2 {
      // log2 of the number of ways in which `rank` of `count` coins fall on one side.
      let ways =
        (lgamma(Double(count + 1)) - lgamma(Double(rank + 1)) - lgamma(Double(count - rank + 1))) / log(2)
      outside += 2 * exp2(ways - Double(count))
      if outside > 0.05 { return max(0, rank - 1) }
    }
    return 0
  }
}

extension [Double] {
  /// The middle value, or the mean of the middle two; nil when there is none.
  var median: Double? { quantile(0.5) }

  /// The value below which a share lies, between neighbours in proportion; nil when there is none.
  func quantile(_ share: Double) -> Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    let place = share * Double(count - 1)
    let index = Int(place)
    guard index + 1 < count else { return sorted[count - 1] }
    return sorted[index] + (sorted[index + 1] - sorted[index]) * (place - Double(index))
  }
}

/// How values are spread.
struct Distribution: Codable, Equatable {
  let p50: Double
  let p90: Double
  let p99: Double
  /// How many values it rests on.
  let count: Int
  /// Every twentieth of the values, from the smallest to the largest, for plots.
  let shape: [Double]

  static let steps = 20

  /// Nil when there are no values.
  init?(_ values: [Double]) {
    guard let p50 = values.quantile(0.5), let p90 = values.quantile(0.9), let p99 = values.quantile(0.99)
    else {
      return nil
    }
    self.p50 = p50
    self.p90 = p90
    self.p99 = p99
    count = values.count
    let sorted = values.sorted()
    shape = (0...Self.steps).map { step in
      (sorted[(sorted.count - 1) * step / Self.steps] * 100).rounded() / 100
    }
  }
}

/// Random numbers that are the same in each run (Steele, Lea, Flood: Fast splittable pseudorandom number generators).
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }
}
