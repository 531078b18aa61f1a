/// A 64-bit digest that is the same on every machine and in every run: FNV-1a.
///
/// It tells whether something is what it was; it is no defence against somebody who wants it to look so.
struct Digest {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Adds one byte.
  mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
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
