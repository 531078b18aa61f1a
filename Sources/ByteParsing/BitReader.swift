/// Reads bits, most significant first, from a run of bytes that need not be aligned to anything.
public struct BitReader: ~Escapable {
  @usableFromInline let bytes: RawSpan
  @usableFromInline let origin: Int
  /// Bits read so far.
  public private(set) var position = 0

  /// A reader at the first bit of `bytes`, whose first byte lies at `origin` in the file.
  @_lifetime(copy bytes)
  public init(_ bytes: RawSpan, origin: Int) {
    self.bytes = bytes
    self.origin = origin
  }

  /// Absolute offset of the byte that holds the next bit.
  public var offset: Int { origin + position >> 3 }

  /// Bits left.
  public var remaining: Int { bytes.byteCount * 8 - position }

  /// Reads up to 32 bits as a number.
  ///
  /// Throws `ParsingError` when fewer bits are left.
  @_lifetime(self: copy self)
  public mutating func read(_ count: Int) throws(ParsingError) -> Int {
    guard count <= remaining else {
      throw .malformed("the header needs \(count) more bits and \(remaining) are left", at: offset)
    }
    let start = position
    position += count
    return Int(truncatingIfNeeded: (window(at: start >> 3) << UInt64(start & 7)) >> UInt64(64 - count))
  }

  /// Reads one bit as a flag.
  @_lifetime(self: copy self)
  public mutating func readFlag() throws(ParsingError) -> Bool {
    try read(1) == 1
  }

  /// Passes over `count` bits.
  @_lifetime(self: copy self)
  public mutating func skip(_ count: Int) throws(ParsingError) {
    guard count <= remaining else {
      throw .malformed("the header needs \(count) more bits and \(remaining) are left", at: offset)
    }
    position += count
  }

  /// Reads a flag and, if it is set, passes over `count` bits: the pattern of every optional field of (E-)AC-3.
  @_lifetime(self: copy self)
  public mutating func skipIfFlagged(_ count: Int) throws(ParsingError) {
    if try readFlag() { try skip(count) }
  }

  /// Eight bytes from `index` on, zeros after the end.
  private func window(at index: Int) -> UInt64 {
    if index + 8 <= bytes.byteCount { return bytes.bigEndian(UInt64.self, at: index) }
    var value: UInt64 = 0
    for position in index..<index + 8 {
      value = value << 8 | (position < bytes.byteCount ? UInt64(bytes.byte(at: position)) : 0)
    }
    return value
  }
}
