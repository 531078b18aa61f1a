import EnhancedAC3

/// A time as a user writes it.
///
/// `12`, `12.5`, `12.5s`, `500ms`, `01:02:03.5`, `240000smp` (PCM samples), `156au` (access units).
public enum TimeExpression: Equatable, Sendable {
  /// Seconds of presentation time.
  case seconds(ExactTime)
  /// PCM samples of presentation time.
  case samples(Int)
  /// Access units from the track's first, before any edit list.
  case accessUnits(Int)
  /// A place on the media clock, before any edit list. Nobody writes it; splitting makes it.
  case media(ExactSamples)

  /// Longer numbers are refused, so that exact arithmetic cannot overflow.
  private static let maximumDigits = (whole: 9, decimals: 18)

  /// Nil when the text is no time, negative, or has more than nine digits before or eighteen behind the point.
  public init?(_ text: String) {
    if let number = text.dropping(suffix: "smp") {
      guard let count = Self.wholeNumber(number, digits: 15) else { return nil }
      self = .samples(count)
    } else if let number = text.dropping(suffix: "au") {
      guard let count = Self.wholeNumber(number, digits: 12) else { return nil }
      self = .accessUnits(count)
    } else if let number = text.dropping(suffix: "ms") {
      guard let time = Self.decimal(number) else { return nil }
      self = .seconds(ExactTime(time.numerator, over: time.denominator * 1000))
    } else if text.contains(":") {
      guard let time = Self.clock(text) else { return nil }
      self = .seconds(time)
    } else {
      guard let time = Self.decimal(text.dropping(suffix: "s") ?? text[...]) else { return nil }
      self = .seconds(time)
    }
  }

  private static func wholeNumber(_ text: Substring, digits: Int) -> Int? {
    guard !text.isEmpty, text.utf8.count <= digits, text.utf8.allSatisfy(\.isDigit) else { return nil }
    return Int(text)
  }

  private static func decimal(_ text: Substring) -> ExactTime? {
    var numerator: Int128 = 0
    var denominator: Int128 = 1
    var digits = (whole: 0, decimals: 0)
    var isBehindPoint = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: "."), !isBehindPoint {
        isBehindPoint = true
        continue
      }
      guard byte.isDigit else { return nil }
      numerator = numerator * 10 + Int128(byte - UInt8(ascii: "0"))
      if isBehindPoint {
        denominator *= 10
        digits.decimals += 1
      } else {
        digits.whole += 1
      }
      guard digits.whole <= maximumDigits.whole, digits.decimals <= maximumDigits.decimals else { return nil }
    }
    return digits.whole + digits.decimals > 0 ? ExactTime(numerator, over: denominator) : nil
  }

  /// `HH:MM:SS.fff` or `MM:SS.fff`; minutes and seconds below 60.
  private static func clock(_ text: String) -> ExactTime? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let last = parts.last, let seconds = decimal(last),
      seconds.numerator < 60 * seconds.denominator,
      let minutes = wholeNumber(parts[parts.count - 2], digits: 2), minutes < 60,
      let hours = parts.count == 3 ? wholeNumber(parts[0], digits: 5) : 0
    else { return nil }
    let whole = Int128(hours * 3600 + minutes * 60)
    return ExactTime(whole * seconds.denominator + seconds.numerator, over: seconds.denominator)
  }
}

extension TimeExpression {
  /// The length that it means as a duration, on a clock of `rate` PCM samples a second.
  func length(at rate: Int) -> ExactSamples {
    switch self {
    case .seconds(let time): time.samples(at: rate)
    case .samples(let count): ExactSamples(count)
    case .accessUnits(let count): ExactSamples(count * AccessUnit.samples)
    case .media(let position): position
    }
  }
}

extension String {
  fileprivate func dropping(suffix: String) -> Substring? {
    hasSuffix(suffix) ? dropLast(suffix.count) : nil
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
