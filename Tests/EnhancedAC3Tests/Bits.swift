/// Bits put together one field at a time, the most significant first, without the code under test.
struct Bits: Sendable {
  /// One element a bit, 0 or 1.
  private(set) var digits: [UInt8] = []

  init() {}

  /// Fields of a value and a width each.
  init(_ fields: (value: Int, width: Int)...) {
    for field in fields { put(field.value, field.width) }
  }

  mutating func put(_ value: Int, _ width: Int) {
    for shift in (0..<width).reversed() { digits.append(UInt8(value >> shift & 1)) }
  }

  mutating func put(_ more: Bits) {
    digits += more.digits
  }

  mutating func put(bytes: [UInt8]) {
    for byte in bytes { put(Int(byte), 8) }
  }

  /// A flag and, if the value is there, the value.
  mutating func putFlagged(_ value: Int?, _ width: Int) {
    put(value == nil ? 0 : 1, 1)
    if let value { put(value, width) }
  }

  /// The bits as bytes, the rest of `count` bytes filled with 10101010.
  func bytes(_ count: Int) -> [UInt8] {
    let filled = digits + (0..<max(0, count * 8 - digits.count)).map { UInt8(($0 + digits.count + 1) % 2) }
    return (0..<count).map { byte in filled[byte * 8..<byte * 8 + 8].reduce(0) { $0 << 1 | $1 } }
  }
}
