/// Collects bytes; numbers are written big-endian.
public struct ByteWriter {
  /// The bytes written so far.
  public private(set) var bytes: [UInt8] = []

  /// An empty writer.
  public init() {}

  /// Bytes written so far.
  public var count: Int { bytes.count }

  /// Makes room for `count` more bytes.
  public mutating func reserve(_ count: Int) {
    bytes.reserveCapacity(bytes.count + count)
  }

  /// Appends one integer.
  @inlinable
  public mutating func put<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
    var shift = T.bitWidth
    while shift > 0 {
      shift -= 8
      append(UInt8(truncatingIfNeeded: value >> T(shift)))
    }
  }

  /// Appends a four-character code.
  public mutating func put(_ code: FourCC) {
    put(code.rawValue)
  }

  /// Appends bytes as they are.
  public mutating func put(bytes more: [UInt8]) {
    bytes.append(contentsOf: more)
  }

  /// Appends bytes as they are.
  public mutating func put(bytes more: RawSpan) {
    // The buffer lives for the closure only, and append copies it.
    unsafe more.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }

  /// Appends zeros.
  public mutating func putZeros(_ count: Int) {
    bytes.append(contentsOf: repeatElement(0, count: count))
  }

  /// Overwrites an integer that was written before.
  public mutating func patch<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, at offset: Int) {
    let size = MemoryLayout<T>.size
    for index in 0..<size {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> T(8 * (size - 1 - index)))
    }
  }

  @usableFromInline
  mutating func append(_ byte: UInt8) {
    bytes.append(byte)
  }
}
