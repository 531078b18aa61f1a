/// Collects bytes; numbers are written big-endian.
public struct ByteWriter {
  /// What was written, and zeros behind it: a number that fits in there is stored without growing anything.
  private var storage: [UInt8] = []
  /// Bytes written so far.
  public private(set) var count = 0

  /// Zeros that are made at once, if there is capacity for them.
  private static let roomByteCount = 1024

  /// An empty writer.
  public init() {}

  /// A copy of the bytes written so far.
  public var bytes: [UInt8] { [UInt8](storage.prefix(count)) }

  /// Hands over the bytes written so far, without a copy, and is empty then.
  public mutating func take() -> [UInt8] {
    dropRoom()
    count = 0
    var taken: [UInt8] = []
    swap(&taken, &storage)
    return taken
  }

  /// Reserves memory for `count` more bytes.
  public mutating func reserve(_ count: Int) {
    storage.reserveCapacity(self.count + count)
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
    put(bytes: more.rawBytes)
  }

  /// Appends bytes as they are.
  public mutating func put(bytes more: RawSpan) {
    let start = count
    count += more.byteCount
    // The buffer lives for the closure only, and its bytes are copied.
    unsafe more.withUnsafeBytes { more in
      if count <= storage.count {
        unsafe storage.withUnsafeMutableBytes { unsafe $0[start..<count].copyBytes(from: more) }
      } else {
        storage.removeLast(storage.count - start)
        unsafe storage.append(contentsOf: more)
      }
    }
  }

  /// Appends zeros.
  public mutating func putZeros(_ count: Int) {
    makeRoom(count)
    self.count += count
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

  /// Overwrites numbers, of four or eight bytes, that were written one behind the other.
  public mutating func patch(each values: [Int], byteCount: Int, at offset: Int) {
    precondition(offset + values.count * byteCount <= count, "only what was written can be overwritten")
    var span = storage.mutableSpan
    var place = unsafe span.mutableBytes
    var offset = offset
    if byteCount == 4 {
      for value in values {
        place.store(UInt64(truncatingIfNeeded: value), byteCount: 4, at: offset)
        offset += 4
      }
    } else {
      for value in values {
        place.store(UInt64(truncatingIfNeeded: value), byteCount: 8, at: offset)
        offset += 8
      }
    }
  }

  // Not generic, so that one copy serves all modules.

  @usableFromInline
  mutating func append(_ value: UInt64, byteCount: Int) {
    makeRoom(byteCount)
    store(value, byteCount: byteCount, at: count)
    count += byteCount
  }

  @usableFromInline
  mutating func replace(at offset: Int, with value: UInt64, byteCount: Int) {
    precondition(offset + byteCount <= count, "only what was written can be overwritten")
    store(value, byteCount: byteCount, at: offset)
  }

  @inline(__always)
  private mutating func store(_ value: UInt64, byteCount: Int, at offset: Int) {
    var span = storage.mutableSpan
    var place = unsafe span.mutableBytes
    place.store(value, byteCount: byteCount, at: offset)
  }

  /// Makes sure that `count` zeros lie behind what was written.
  @inline(__always)
  private mutating func makeRoom(_ count: Int) {
    if storage.count - self.count < count { addRoom(count) }
  }

  @inline(never)
  private mutating func addRoom(_ count: Int) {
    let zeros = max(count, min(Self.roomByteCount, storage.capacity - storage.count))
    storage.append(addingCapacity: zeros) { $0.append(repeating: 0, count: zeros) }
  }

  private mutating func dropRoom() {
    if storage.count > count { storage.removeLast(storage.count - count) }
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
