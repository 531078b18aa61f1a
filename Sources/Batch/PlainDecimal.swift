extension String {
  /// A JSON number written without an exponent: "1.25e-1" is "0.125". Nil when it is none, or beyond 10⁹ or 10⁻¹⁸.
  ///
  /// Digits behind the eighteenth decimal, which programs print of binary fractions, are left out where there was an
  /// exponent: they are less than a millionth of a millionth of a PCM sample.
  var withoutExponent: String? {
    let parts = split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
    guard parts.count == 2 else { return self }
    guard let exponent = Int(parts[1]), (-400...9).contains(exponent) else { return nil }
    let mantissa = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let whole = mantissa[0]
    let fraction = mantissa.count == 2 ? mantissa[1] : ""
    let padded =
      String(repeating: "0", count: max(0, -exponent)) + whole + fraction
      + String(repeating: "0", count: max(0, exponent))
    let point = whole.count + max(0, exponent)
    let decimals = padded.dropFirst(point).prefix(18)
    return padded.prefix(point) + (decimals.isEmpty ? "" : "." + decimals)
  }
}
