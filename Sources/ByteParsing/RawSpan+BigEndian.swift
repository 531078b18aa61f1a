extension RawSpan {
  /// The big-endian integer at a byte offset. Traps when it does not lie wholly inside the span: check first.
  @inlinable
  public func bigEndian<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T {
    // Bounds are checked by the load itself; every bit pattern is a valid integer.
    unsafe T(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: type))
  }

  /// The byte at an offset. Traps when it lies outside the span.
  @inlinable
  public func byte(at offset: Int) -> UInt8 {
    // Bounds are checked by the load itself.
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  /// The bytes as an array of their own.
  public func copied() -> [UInt8] {
    // The buffer lives for the closure only, and the array copies it.
    unsafe withUnsafeBytes { unsafe [UInt8]($0) }
  }

  /// Whether both spans hold the same bytes.
  public func isEqual(to other: RawSpan) -> Bool {
    guard byteCount == other.byteCount else { return false }
    // Both buffers live for the closures only.
    return unsafe withUnsafeBytes { mine in
      unsafe other.withUnsafeBytes { theirs in unsafe mine.elementsEqual(theirs) }
    }
  }
}

extension [UInt8] {
  /// The array's bytes, without a copy.
  @inlinable
  public var rawBytes: RawSpan {
    @_lifetime(borrow self)
    get {
      // Bytes have no padding and no invalid pattern.
      unsafe span.bytes
    }
  }
}
