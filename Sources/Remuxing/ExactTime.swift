/// A time as the quotient of two whole numbers of seconds; nothing is ever rounded on the way in.
public struct ExactTime: Equatable, Sendable {
  /// Never negative.
  public let numerator: Int128
  /// A power of ten.
  public let denominator: Int128

  /// A quotient.
  public init(_ numerator: Int128, over denominator: Int128) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The same time on a clock of `rate` PCM samples a second.
  public func samples(at rate: Int) -> ExactSamples {
    ExactSamples(numerator * Int128(rate), over: denominator)
  }
}

/// A position on a PCM clock that may lie between two samples.
public struct ExactSamples: Equatable, Sendable {
  private let numerator: Int128
  private let denominator: Int128

  init(_ numerator: Int128, over denominator: Int128) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// A whole number of samples.
  public init(_ samples: Int) {
    numerator = Int128(samples)
    denominator = 1
  }

  /// The position that lies `samples` later.
  public func advanced(by samples: Int) -> ExactSamples {
    ExactSamples(numerator + Int128(samples) * denominator, over: denominator)
  }

  /// The position as much later as another one is from 0.
  ///
  /// Denominators are powers of ten, so the larger one is a multiple of the other.
  public func advanced(by other: ExactSamples) -> ExactSamples {
    let common = max(denominator, other.denominator)
    let sum = numerator * (common / denominator) + other.numerator * (common / other.denominator)
    return ExactSamples(sum, over: common)
  }

  /// The position that lies so many whole steps later that one more would be behind `limit`; a step is positive.
  func advanced(inStepsOf step: ExactSamples, upTo limit: ExactSamples) -> ExactSamples {
    let common = max(denominator, step.denominator, limit.denominator)
    let start = numerator * (common / denominator)
    let width = step.numerator * (common / step.denominator)
    let distance = limit.numerator * (common / limit.denominator) - start
    guard distance > 0 else { return self }
    return ExactSamples(start + distance / width * width, over: common)
  }

  /// The nearest whole sample, halves up.
  public var rounded: Int { Int(clamping: (2 * numerator + denominator).floored(by: 2 * denominator)) }

  /// `floor(self / unit)`.
  public func floor(by unit: Int) -> Int {
    Int(clamping: numerator.floored(by: Int128(unit) * denominator))
  }

  /// `ceil(self / unit)`.
  public func ceiling(by unit: Int) -> Int {
    Int(clamping: -((-numerator).floored(by: Int128(unit) * denominator)))
  }

  /// `floor((self + unit / 2) / unit)`: the nearest, halves up. `unit` must be even.
  public func nearest(by unit: Int) -> Int {
    advanced(by: unit / 2).floor(by: unit)
  }

  /// Whether it lies before a whole sample.
  public func isBefore(_ sample: Int) -> Bool {
    numerator < Int128(sample) * denominator
  }

  /// Whether it lies before another position.
  public func isBefore(_ other: ExactSamples) -> Bool {
    let common = max(denominator, other.denominator)
    return numerator * (common / denominator) < other.numerator * (common / other.denominator)
  }

  /// Whether it lies at or after `sample - 1/tick seconds` on a clock of `rate` samples a second.
  public func isWithinTick(of sample: Int, ticks: Int, rate: Int) -> Bool {
    let missing = Int128(sample) * denominator - numerator
    if missing <= 0 { return true }
    // A tick is at most a second; what is further off need not be multiplied.
    guard missing <= Int128(rate) * denominator else { return false }
    return missing * Int128(ticks) <= Int128(rate) * denominator
  }
}

extension Int128 {
  /// Division that rounds down; the divisor is positive.
  fileprivate func floored(by divisor: Int128) -> Int128 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

/// A whole number of PCM samples on a clock.
public struct PCMTime: Equatable, Sendable {
  /// Samples, the truth.
  public let samples: Int
  /// Samples a second.
  public let rate: Int

  /// A time from its parts.
  public init(samples: Int, rate: Int) {
    self.samples = samples
    self.rate = rate
  }

  /// Decimal seconds: exact where the decimals end, else twelve of them, halves up.
  public var seconds: String {
    let sign = samples < 0 ? "-" : ""
    let magnitude = samples.magnitude
    let whole = magnitude / UInt(rate)
    var rest = magnitude % UInt(rate)
    var digits = ""
    while rest != 0, digits.count < 12 {
      rest *= 10
      digits += String(rest / UInt(rate))
      rest %= UInt(rate)
    }
    guard rest != 0 else { return sign + String(whole) + (digits.isEmpty ? "" : "." + digits) }
    // The decimals do not end: round the twelfth.
    let scale: UInt64 = 1_000_000_000_000
    let scaled = (UInt128(magnitude) * UInt128(scale) * 2 + UInt128(rate)) / (2 * UInt128(rate))
    let fraction = String(UInt64(scaled % UInt128(scale)))
    let padded = String(repeating: "0", count: 12 - fraction.count) + fraction
    return sign + String(UInt64(scaled / UInt128(scale))) + "." + padded
  }
}
