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
  func adjacentCount(from first: Int, at offset: Int, byteCount: Int, atMost limit: Int, in bytes: RawSpan)
    -> Int
  {
    var expected = offset
    var place = table.offset + first * width.rawValue
    for index in 0..<limit {
      // What exceeds 63 bits is no such place.
      let found =
        switch width {
        case .bits32: Int(bytes.bigEndian(UInt32.self, at: place))
        case .bits64: Int(truncatingIfNeeded: bytes.bigEndian(UInt64.self, at: place))
        }
      guard found == expected else { return index }
      // No more than the file's length when the limit keeps to it.
      expected &+= byteCount
      place &+= width.rawValue
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
