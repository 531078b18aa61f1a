/// A position in a run of bytes that knows its absolute offset, so that each error does too.
///
/// Numbers are big-endian. Every read checks once and then loads.
public struct ByteCursor: ~Escapable {
  /// The bytes that may be read.
  public let bytes: RawSpan
  /// Absolute offset of the first byte, in the file.
  public let origin: Int
  /// Bytes read so far.
  public private(set) var position = 0

  /// A cursor at the start of `bytes`, whose first byte lies at `origin` in the file.
  @_lifetime(copy bytes)
  public init(_ bytes: RawSpan, origin: Int) {
    self.bytes = bytes
    self.origin = origin
  }

  /// Absolute offset of the next byte.
  public var offset: Int { origin + position }

  /// Bytes left.
  public var remaining: Int { bytes.byteCount - position }

  /// Reads one big-endian integer.
  ///
  /// Throws `ParsingError` when fewer bytes are left.
  @_lifetime(self: copy self)
  public mutating func read<T: FixedWidthInteger & BitwiseCopyable>(
    _ type: T.Type = T.self
  ) throws(ParsingError) -> T {
    let start = try take(MemoryLayout<T>.size)
    return bytes.bigEndian(type, at: start)
  }

  /// Reads a four-character code.
  @_lifetime(self: copy self)
  public mutating func readFourCC() throws(ParsingError) -> FourCC {
    FourCC(rawValue: try read())
  }

  /// Passes over `count` bytes.
  @_lifetime(self: copy self)
  public mutating func skip(_ count: Int) throws(ParsingError) {
    _ = try take(count)
  }

  /// Reads `count` bytes as they are.
  @_lifetime(self: copy self)
  public mutating func readBytes(_ count: Int) throws(ParsingError) -> [UInt8] {
    let start = try take(count)
    return bytes.extracting(start..<start + count).copied()
  }

  @_lifetime(self: copy self)
  private mutating func take(_ count: Int) throws(ParsingError) -> Int {
    guard count >= 0, count <= remaining else {
      throw .malformed("\(count) bytes are needed and \(remaining) are left", at: offset)
    }
    let start = position
    position += count
    return start
  }
}
