extension String {
  /// A JSON number written without an exponent: "1.25e-1" is "0.125". Nil when it is none, or beyond 10⁹ or 10⁻¹⁸.
  ///
  /// Digits behind the eighteenth decimal, which programs print of binary fractions, are left out where there was an
  /// exponent: they are less than a millionth of a millionth of a PCM sample.
  var withoutExponent: String? {
    guard let mark = utf8.firstIndex(where: { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }) else {
      return self
    }
    guard let exponent = Int(self[utf8.index(after: mark)...]), (-400...9).contains(exponent) else {
      return nil
    }
    let mantissa = self[..<mark].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let whole = mantissa[0]
    let fraction = mantissa.count == 2 ? mantissa[1] : ""
    let padded =
      String(repeating: "0", count: max(0, -exponent)) + whole + fraction
      + String(repeating: "0", count: max(0, exponent))
    let point = whole.count + max(0, exponent)
    let decimals = padded.dropFirst(point).prefix(18)
    return padded.prefix(point) + (decimals.isEmpty ? "" : "." + decimals)
  }

  /// Whether a JSON number is a zero with a sign: "-0", "-0.0e1".
  var isNegativeZero: Bool {
    guard utf8.first == UInt8(ascii: "-") else { return false }
    return utf8.dropFirst().prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
      .allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
  }
}
