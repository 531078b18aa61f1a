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
    append(UInt64(truncatingIfNeeded: value), byteCount: MemoryLayout<T>.size)
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
    bytes.append(addingCapacity: count) { $0.append(repeating: 0, count: count) }
  }

  /// Overwrites an integer that was written before.
  @inlinable
  public mutating func patch<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, at offset: Int) {
    replace(at: offset, with: UInt64(truncatingIfNeeded: value), byteCount: MemoryLayout<T>.size)
  }

  /// Not generic, so that one copy serves all modules: the last bytes of a number.
  @usableFromInline
  mutating func append(_ value: UInt64, byteCount: Int) {
    // The number lives for the closure only, and append copies it.
    unsafe withUnsafeBytes(of: value.bigEndian) {
      // Rebased: appending a slice goes through its generic way, which takes five times as long.
      unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0.suffix(byteCount)))
    }
  }

  /// Appends integers, one behind the other.
  public mutating func put<T: FixedWidthInteger & BitwiseCopyable>(each values: [Int], as type: T.Type) {
    let start = count
    putZeros(values.count * MemoryLayout<T>.size)
    patch(each: values, as: type, at: start)
  }

  /// Overwrites integers that were written one behind the other.
  public mutating func patch<T: FixedWidthInteger & BitwiseCopyable>(
    each values: [Int], as type: T.Type, at offset: Int
  ) {
    var place = bytes.mutableSpan
    var rest = unsafe place.mutableBytes
    for (index, value) in values.enumerated() {
      // Bounds are checked by the store itself.
      rest.storeBytes(
        of: T(truncatingIfNeeded: value).bigEndian,
        toByteOffset: offset + index * MemoryLayout<T>.size, as: type)
    }
  }

  @usableFromInline
  mutating func replace(at offset: Int, with value: UInt64, byteCount: Int) {
    for index in 0..<byteCount {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (byteCount - 1 - index)))
    }
  }
}
