import Remuxing

/// Writes one object after the other as JSON Lines, straight into bytes.
///
/// A batch writes several lines a job; json-c would build a tree of each member first.
struct JSONLine {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Writes an object on a line of its own.
  mutating func line(_ body: (inout JSONLine) -> Void) {
    braces(body)
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  /// Forgets what has been written and keeps the memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// A member that is a text; the key is written as it is.
  mutating func member(_ key: StaticString, _ text: String) {
    self.key(key)
    quote(text.utf8)
  }

  /// A member that is a path.
  mutating func member(_ key: StaticString, bytes path: ArraySlice<UInt8>) {
    self.key(key)
    quote(path)
  }

  /// A member that is a number.
  mutating func member(_ key: StaticString, _ number: Int) {
    self.key(key)
    put(number)
  }

  /// A member that is a number, under a failure's code.
  mutating func member(_ code: Failure.Code, _ number: Int) {
    startMember()
    quote(code.rawValue.utf8)
    bytes.append(UInt8(ascii: ":"))
    put(number)
  }

  /// A member that is a 64-bit number in hexadecimal digits.
  mutating func member(_ key: StaticString, hex number: UInt64) {
    self.key(key)
    bytes.append(UInt8(ascii: "\""))
    for shift in stride(from: 60, through: 0, by: -4) {
      bytes.append(Self.digits[Int(number >> UInt64(shift) & 15)])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// A member that is an object.
  mutating func object(_ key: StaticString, _ body: (inout JSONLine) -> Void) {
    self.key(key)
    braces(body)
    needsComma = true
  }

  /// A member that is an array of objects.
  mutating func array<E>(_ key: StaticString, _ elements: [E], _ body: (inout JSONLine, E) -> Void) {
    self.key(key)
    bytes.append(UInt8(ascii: "["))
    for (number, element) in elements.enumerated() {
      if number > 0 { bytes.append(UInt8(ascii: ",")) }
      braces { body(&$0, element) }
    }
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  private mutating func braces(_ body: (inout JSONLine) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    body(&self)
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func key(_ key: StaticString) {
    startMember()
    bytes.append(UInt8(ascii: "\""))
    key.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func startMember() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func put(_ number: Int) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var place: UInt = 1
    while number.magnitude / place >= 10 { place *= 10 }
    while place > 0 {
      bytes.append(Self.digits[Int(number.magnitude / place % 10)])
      place /= 10
    }
  }

  private mutating func quote(_ text: some Sequence<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20, 0x7f:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(Self.digits[Int(byte >> 4)])
        bytes.append(Self.digits[Int(byte & 15)])
      default:
        bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
