/// Arithmetic on decimal digits as it is done on paper: slow, of any length, and plainly right.
enum Schoolbook {
  enum Rounding: CaseIterable {
    case floor
    case nearest
    case ceil
  }

  /// `seconds × rate / unit`, rounded; `seconds` is written with digits and at most one point.
  static func count(_ seconds: String, rate: Int, unit: Int, _ rounding: Rounding) -> Int {
    let parts = seconds.split(separator: ".", omittingEmptySubsequences: false)
    let decimals = parts.count > 1 ? parts[1].count : 0
    var samples = product(digits(seconds.filter { $0 != "." }), rate)
    // Half a unit more, shifted as far as the decimals reach.
    if rounding == .nearest {
      samples = sum(samples, digits(String(unit / 2) + String(repeating: "0", count: decimals)))
    }
    samples = Array(repeating: 0, count: max(0, decimals + 1 - samples.count)) + samples
    let whole = samples.dropLast(decimals)
    let hasRest = samples.suffix(decimals).contains { $0 != 0 }
    var quotient = 0
    var remainder = 0
    for digit in whole {
      remainder = remainder * 10 + digit
      quotient = quotient * 10 + remainder / unit
      remainder %= unit
    }
    return quotient + (rounding == .ceil && (hasRest || remainder != 0) ? 1 : 0)
  }

  private static func digits(_ text: String) -> [Int] {
    text.compactMap(\.wholeNumberValue)
  }

  private static func product(_ number: [Int], _ factor: Int) -> [Int] {
    var result: [Int] = []
    var carry = 0
    for digit in number.reversed() {
      carry += digit * factor
      result.append(carry % 10)
      carry /= 10
    }
    while carry > 0 {
      result.append(carry % 10)
      carry /= 10
    }
    return result.reversed()
  }

  private static func sum(_ one: [Int], _ other: [Int]) -> [Int] {
    var result: [Int] = []
    var carry = 0
    for place in 0..<max(one.count, other.count) {
      carry += place < one.count ? one[one.count - 1 - place] : 0
      carry += place < other.count ? other[other.count - 1 - place] : 0
      result.append(carry % 10)
      carry /= 10
    }
    if carry > 0 { result.append(carry) }
    return result.reversed()
  }
}

/// Seconds as somebody might write them, below a limit, with 0 to 15 decimals.
func randomSeconds(below limit: Int, using generator: inout some RandomNumberGenerator) -> String {
  let whole = String(Int.random(in: 0..<limit, using: &generator))
  let count = Int.random(in: 0...15, using: &generator)
  guard count > 0 else { return whole }
  return whole + "." + (0..<count).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
}
