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

  /// Appends the last bytes of numbers, four or eight of each.
  public mutating func put(each values: [Int], byteCount: Int) {
    let start = count
    putZeros(values.count * byteCount)
    patch(each: values, byteCount: byteCount, at: start)
  }

  /// Overwrites numbers that were written one behind the other.
  public mutating func patch(each values: [Int], byteCount: Int, at offset: Int) {
    var span = bytes.mutableSpan
    var place = unsafe span.mutableBytes
    var offset = offset
    for value in values {
      place.store(UInt64(truncatingIfNeeded: value), byteCount: byteCount, at: offset)
      offset += byteCount
    }
  }

  // Not generic, so that one copy serves all modules.

  @usableFromInline
  mutating func append(_ value: UInt64, byteCount: Int) {
    bytes.append(addingCapacity: byteCount) { rest in
      // The buffer has room for as many bytes; the store checks it again.
      unsafe rest.withUnsafeMutableBufferPointer { buffer, initializedCount in
        var place = unsafe UnsafeMutableRawBufferPointer(buffer).mutableBytes
        place.store(value, byteCount: byteCount, at: initializedCount)
        initializedCount += byteCount
      }
    }
  }

  @usableFromInline
  mutating func replace(at offset: Int, with value: UInt64, byteCount: Int) {
    var span = bytes.mutableSpan
    var place = unsafe span.mutableBytes
    place.store(value, byteCount: byteCount, at: offset)
  }
}

extension MutableRawSpan {
  /// Stores the last bytes of a number, big-endian. Traps when they do not all lie inside the span.
  @inline(__always)
  fileprivate mutating func store(_ value: UInt64, byteCount: Int, at offset: Int) {
    switch byteCount {
    case 1: storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: offset, as: UInt8.self)
    case 2: storeBytes(of: UInt16(truncatingIfNeeded: value).bigEndian, toByteOffset: offset, as: UInt16.self)
    case 4: storeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian, toByteOffset: offset, as: UInt32.self)
    default: storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt64.self)
    }
  }
}
