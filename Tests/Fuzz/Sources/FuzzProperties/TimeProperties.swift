import EnhancedAC3
import Remuxing

/// What must hold of times and ranges as text, and of the arithmetic behind them.
enum TimeProperties {
  private static let rates = [48000, 44100, 32000, 24000, 22050, 16000, 8000, 65535, 1]

  /// Two lines: a range, or two times.
  static func check(_ input: [UInt8]) throws(Violation) {
    let text = String(decoding: input, as: UTF8.self)
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    try checkRange(lines[0])
    let times = lines.compactMap(TimeExpression.init)
    for time in times { try checkTime(time) }
    for rate in rates {
      let positions = times.map { $0.position(at: rate) }
      for position in positions {
        try checkRounding(position)
        for other in positions { try checkSum(position, other) }
      }
    }
  }

  private static func checkRange(_ text: String) throws(Violation) {
    guard let range = TimeRange(text) else { return }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    try requireEqual(ends.count, 2, "sides of \(text)")
    try requireEqual(range.start, TimeExpression(ends[0]), "the start of \(text)")
    switch range.end {
    case .trackEnd: try requireEqual(ends[1], "", "the end of \(text)")
    case .at(let time): try requireEqual(time, TimeExpression(ends[1]), "the end of \(text)")
    case .after: throw Violation("\(text) has a length")
    }
  }

  private static func checkTime(_ time: TimeExpression) throws(Violation) {
    switch time {
    case .samples(let count): try require((0..<1_000_000_000_000_000).contains(count), "\(count) samples")
    case .accessUnits(let count):
      try require((0..<1_000_000_000_000).contains(count), "\(count) access units")
    case .media: throw Violation("a time on the media clock was written")
    case .seconds(let time):
      try require(time.numerator >= 0, "\(time.numerator) is negative")
      var denominator = time.denominator
      while denominator > 1, denominator % 10 == 0 { denominator /= 10 }
      try requireEqual(denominator, 1, "\(time.denominator) without its factors of ten")
      for rate in rates {
        let samples = (2 * time.numerator * Int128(rate) + time.denominator) / (2 * time.denominator)
        try requireEqual(Int128(time.samples(at: rate).rounded), samples, "\(time) rounded at \(rate) Hz")
      }
    }
  }

  private static func checkRounding(_ position: ExactSamples) throws(Violation) {
    let unit = AccessUnit.samples
    let (down, up, near) = (position.floor(by: unit), position.ceiling(by: unit), position.nearest(by: unit))
    try require((0...1).contains(up - down), "rounded down \(down), up \(up)")
    try require((down...up).contains(near), "rounded down \(down), up \(up), to nearest \(near)")
    try require(!position.isBefore(down * unit), "\(position) lies before access unit \(down)")
    try require(position.isBefore((down + 1) * unit), "\(position) lies behind access unit \(down)")
    for rate in rates {
      let time = PCMTime(samples: position.rounded, rate: rate)
      guard case .seconds(let parsed)? = TimeExpression(time.seconds) else {
        // Nine digits of seconds can be written, and more can be counted.
        try require(position.rounded / rate >= 1_000_000_000, "\(time.seconds) cannot be parsed")
        continue
      }
      try requireEqual(parsed.samples(at: rate).rounded, position.rounded, "\(time.seconds) at \(rate) Hz")
    }
  }

  private static func checkSum(_ one: ExactSamples, _ other: ExactSamples) throws(Violation) {
    let sum = one.advanced(by: other)
    try require(!sum.isBefore(one) && !sum.isBefore(other), "\(sum) lies before \(one) or \(other)")
    try requireEqual(sum.rounded, other.advanced(by: one).rounded, "\(one) and \(other), added both ways")
    try require(!(one.isBefore(other) && other.isBefore(one)), "\(one) and \(other) lie before each other")
    let error = sum.rounded - one.rounded - other.rounded
    try require((-1...1).contains(error), "\(one) and \(other) add up to \(sum)")
    let shifted = one.advanced(by: 1 << 48)
    try requireEqual(shifted.rounded, one.rounded + 1 << 48, "\(one) shifted")
    for ticks in [1, 600, 1000, 90000, Int(UInt32.max)] {
      _ = one.isWithinTick(of: other.rounded, ticks: ticks, rate: 48000)
    }
  }
}

extension TimeExpression {
  /// The place that it means, counted from 0.
  fileprivate func position(at rate: Int) -> ExactSamples {
    switch self {
    case .seconds(let time): time.samples(at: rate)
    case .samples(let count): ExactSamples(count)
    case .accessUnits(let count): ExactSamples(count * AccessUnit.samples)
    case .media(let position): position
    }
  }
}
