/// Bytes from hexadecimal digits; spaces are passed over.
public func hex(_ text: String) -> [UInt8] {
  let digits = text.filter { $0 != " " }
  return stride(from: 0, to: digits.count, by: 2).map { index in
    let start = digits.index(digits.startIndex, offsetBy: index)
    return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16) ?? 0
  }
}

/// A box around a payload, written without the code under test.
public func box(_ type: String, _ payload: [UInt8]...) -> [UInt8] {
  let content = payload.flatMap { $0 }
  return bigEndian(UInt32(content.count + 8)) + Array(type.utf8) + content
}

/// The big-endian bytes of a number.
public func bigEndian<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
  withUnsafeBytes(of: value.bigEndian) { Array($0) }
}

/// Numbers that look random and are the same for the same seed, so that a failing run can be repeated.
public struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// A generator that always yields the same numbers for a seed.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next number (SplitMix64).
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
