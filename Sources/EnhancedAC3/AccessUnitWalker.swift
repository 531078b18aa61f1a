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
    /// The same for units whose frames agree in type, number, sample rate, blocks, channels and bitstream version.
    public let signature: UInt64
  }

  /// 8 programmes of 9 substreams in frames of one block: no access unit has more syncframes.
  private static let maximumFrames = 8 * 9 * AccessUnit.blocks

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

  /// The next access unit with the zeros behind it; nil at the end of the file, also where the last unit is cut off: then `position` is before the end.
  ///
  /// Throws where a frame should start and does not.
  @_lifetime(self: copy self)
  public mutating func next() throws(ParsingError) -> Unit? {
    var end = position
    var blocks = 0
    var frames = 0
    var signature: UInt64 = 0
    while true {
      if blocks >= AccessUnit.blocks { end += paddingByteCount(at: end) }
      let isWhole = blocks >= AccessUnit.blocks && frames >= usualFrameCount
      let next: SyncFrameOutline?
      do throws(ParsingError) {
        next = try outline(at: end)
      } catch {
        // What is wrong here is the next call's error, if the unit in front of it is whole.
        guard isWhole else { throw error }
        break
      }
      guard let outline = next else {
        // The data ends: the unit is whole if it has as many frames as the units before it.
        guard isWhole else { return nil }
        break
      }
      let startsRound = outline.streamType.isIndependent && outline.substreamID == 0
      if startsRound {
        if blocks >= AccessUnit.blocks { break }
        blocks += outline.blocks
        guard blocks <= AccessUnit.blocks else {
          throw .malformed("the blocks of independent substream 0 do not add up to six", at: end)
        }
      } else if blocks == 0 {
        throw .malformed("the stream does not start with independent substream 0", at: end)
      }
      guard frames < Self.maximumFrames else {
        throw .malformed("an access unit has more than \(Self.maximumFrames) syncframes", at: end)
      }
      signature = signature &* 0x100_0000_01b3 ^ structure(at: end, outline)
      end += outline.byteCount
      frames += 1
    }
    let unit = Unit(offset: position, byteCount: end - position, syncFrameCount: frames, signature: signature)
    position = end
    usualFrameCount = frames
    return unit
  }

  /// The header bits that an unchanging stream has the same in each of its frames.
  private func structure(at offset: Int, _ outline: SyncFrameOutline) -> UInt64 {
    func byte(_ index: Int) -> UInt64 {
      UInt64(bytes.byte(at: offset + (byteOrder == .bigEndian ? index : index ^ 1)))
    }
    switch outline.codec {
    case .enhancedAC3: return (byte(2) & 0xf8) << 16 | byte(4) << 8 | byte(5) & 0xf8
    case .ac3: return 1 << 32 | (byte(4) & 0xc0) << 8 | byte(5) & 0xf8
    }
  }

  /// Zeros behind a whole access unit belong to it, as in MP4; a frame's worth at the most. Zeros to the end of the file belong to nothing.
  ///
  /// Where words are swapped only whole words can: a byte more would tear all words behind it.
  private func paddingByteCount(at offset: Int) -> Int {
    var count = 0
    while count < 4096, offset + count < bytes.byteCount, bytes.byte(at: offset + count) == 0 { count += 1 }
    if count == 4096 || offset + count == bytes.byteCount,
      bytes.extracting(offset + count..<bytes.byteCount).isZero
    {
      return 0
    }
    return byteOrder == .bigEndian ? count : count & ~1
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
