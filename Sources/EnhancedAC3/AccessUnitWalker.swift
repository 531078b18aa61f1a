public import ByteParsing

/// How the 16-bit words of a stream are stored.
public enum ByteOrder: Equatable, Sendable {
  /// As the standard and MP4 have them.
  case bigEndian
  /// Every two bytes exchanged, as some capture cards deliver them (sync word 0x770B).
  case littleEndian
}

/// Finds the access units of an elementary stream by its frame headers alone.
///
/// Source: ETSI TS 102 366, F.5: an access unit starts at the first I0 after six blocks.
public struct AccessUnitWalker: ~Escapable {
  /// One access unit's place.
  public struct Unit: Equatable, Sendable {
    /// Absolute offset in the file.
    public let offset: Int
    /// Bytes.
    public let byteCount: Int
    /// Syncframes.
    public let syncFrameCount: Int
  }

  private let bytes: RawSpan
  private let byteOrder: ByteOrder
  private var usualFrameCount = 0
  /// Absolute offset of the first byte that belongs to no access unit yet.
  public private(set) var position: Int

  /// A walker over a whole file, whose first access unit starts at `position`.
  @_lifetime(copy bytes)
  public init(_ bytes: RawSpan, from position: Int, byteOrder: ByteOrder) {
    self.bytes = bytes
    self.position = position
    self.byteOrder = byteOrder
  }

  /// The next access unit; nil at the end of the file, also where the last unit is cut off: then `position` is before the end.
  ///
  /// Throws where a frame should start and does not.
  @_lifetime(self: copy self)
  public mutating func next() throws(ParsingError) -> Unit? {
    var end = position
    var blocks = 0
    var frames = 0
    while true {
      guard let outline = try outline(at: end) else {
        // The data ends: the unit is whole if it has as many frames as the units before it.
        guard blocks >= AccessUnit.blocks, frames >= usualFrameCount else { return nil }
        break
      }
      let startsRound = outline.streamType.isIndependent && outline.substreamID == 0
      if startsRound {
        if blocks >= AccessUnit.blocks { break }
        blocks += outline.blocks
      } else if blocks == 0 {
        throw .malformed("the stream does not start with independent substream 0", at: end)
      }
      end += outline.byteCount
      frames += 1
    }
    let unit = Unit(offset: position, byteCount: end - position, syncFrameCount: frames)
    position = end
    usualFrameCount = frames
    return unit
  }

  /// The header of the frame at an offset; nil when the file ends before the frame does.
  private func outline(at offset: Int) throws(ParsingError) -> SyncFrameOutline? {
    guard offset + SyncFrameOutline.byteCount <= bytes.byteCount else { return nil }
    let head = bytes.extracting(offset..<offset + SyncFrameOutline.byteCount)
    let outline =
      switch byteOrder {
      case .bigEndian: try SyncFrameOutline(parsing: head, origin: offset)
      case .littleEndian: try SyncFrameOutline(parsing: head.swappingPairs().rawBytes, origin: offset)
      }
    return offset + outline.byteCount <= bytes.byteCount ? outline : nil
  }
}

extension RawSpan {
  /// The bytes with every two exchanged; an odd last byte stays.
  public func swappingPairs() -> [UInt8] {
    var swapped = copied()
    var index = 1
    while index < swapped.count {
      swapped.swapAt(index - 1, index)
      index += 2
    }
    return swapped
  }
}
