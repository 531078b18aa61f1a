import ByteParsing

/// A 64-bit digest that is the same on every machine and in every run: FNV-1a.
///
/// It tells whether something is what it was; it is no defence against somebody who wants it to look so.
struct Digest {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325
  private static let prime: UInt64 = 0x0000_0100_0000_01b3

  /// Adds one byte.
  mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* Self.prime
  }

  /// Adds bytes eight at a time, and those that are left one by one: an eighth of the work, for what is long.
  mutating func add(wordsOf bytes: RawSpan) {
    let whole = bytes.byteCount & ~7
    var offset = 0
    while offset < whole {
      value = (value ^ bytes.bigEndian(UInt64.self, at: offset)) &* Self.prime
      // A product carries only upwards; this brings what has come up down again.
      value ^= value >> 32
      offset += 8
    }
    for offset in whole..<bytes.byteCount { add(bytes.byte(at: offset)) }
  }

  /// Adds bytes, with nothing between them and what came before.
  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { add(byte) }
  }

  /// Adds bytes and their number, so that neighbouring texts cannot be mistaken for others.
  mutating func add(counted bytes: some Collection<UInt8>) {
    add(bytes.count)
    add(bytes)
  }

  /// Adds a number.
  mutating func add(_ number: Int) {
    for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
  }
}
