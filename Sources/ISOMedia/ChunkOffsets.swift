public import ByteParsing

/// `stco` or `co64`: where each chunk starts in the file (ISO/IEC 14496-12, 8.7.5).
public struct ChunkOffsets: Equatable, Sendable {
  /// The width of an offset.
  public enum Width: Int, Sendable {
    case bits32 = 4
    case bits64 = 8

    /// The box with offsets of this width.
    public var boxType: FourCC { self == .bits32 ? "stco" : "co64" }
  }

  /// The offsets' place.
  public let table: TableLocation
  /// Their width.
  public let width: Width

  /// Parses the payload of `stco` or `co64`.
  public init(parsing cursor: inout ByteCursor, width: Width) throws(ParsingError) {
    _ = try FullBoxHeader(parsing: &cursor)
    let count = Int(try cursor.read(UInt32.self))
    table = try TableLocation(parsing: &cursor, count: count, entryByteCount: width.rawValue)
    self.width = width
  }

  /// Absolute offset of a chunk.
  ///
  /// Throws when a 64-bit offset exceeds 63 bits.
  @inlinable
  public func offset(ofChunk index: Int, in bytes: RawSpan) throws(ParsingError) -> Int {
    let place = table.offset + index * width.rawValue
    switch width {
    case .bits32: return Int(bytes.bigEndian(UInt32.self, at: place))
    case .bits64: return try Int(checking: bytes.bigEndian(UInt64.self, at: place), at: place)
    }
  }

  /// How many chunks, one behind the other from a place in the file on, each begin where the one before them ends.
  ///
  /// As many as `limit` must be in the table, and end no further than 63 bits reach.
  func adjacentCount(
    from first: Int, at offset: Int, byteCount: Int, atMost limit: Int, in bytes: RawSpan
  ) -> Int {
    let start = table.offset + first * width.rawValue
    let entries = bytes.extracting(start..<start + limit * width.rawValue)
    // There are hundreds of thousands of them in hours of audio. The buffer lives for the closure, and holds `limit`.
    return unsafe entries.withUnsafeBytes { entries in
      switch width {
      case .bits32:
        unsafe Self.adjacentCount(entries, UInt32.self, at: offset, byteCount: byteCount, atMost: limit)
      case .bits64:
        unsafe Self.adjacentCount(entries, UInt64.self, at: offset, byteCount: byteCount, atMost: limit)
      }
    }
  }

  @inline(__always)
  private static func adjacentCount<T: FixedWidthInteger & BitwiseCopyable>(
    _ entries: UnsafeRawBufferPointer, _ type: T.Type, at offset: Int, byteCount: Int, atMost limit: Int
  ) -> Int {
    var expected = offset
    for index in 0..<limit {
      let entry = unsafe T(
        bigEndian: entries.loadUnaligned(fromByteOffset: index &* MemoryLayout<T>.size, as: type))
      // What exceeds 63 bits is no such place.
      guard Int(truncatingIfNeeded: entry) == expected else { return index }
      expected &+= byteCount
    }
    return limit
  }

  /// Appends a table of these offsets.
  public static func write(_ offsets: [Int], width: Width, to boxes: inout BoxWriter) {
    boxes.fullBox(width.boxType) { writer in
      writer.put(UInt32(offsets.count))
      writer.put(each: offsets, byteCount: width.rawValue)
    }
  }
}
