public import ByteParsing

/// A box: its type and where it lies. Its payload is not read until somebody asks.
///
/// Source: ISO/IEC 14496-12, 4.2.
public struct Box: Equatable, Sendable {
  /// The four-character type; `uuid` for extended types.
  public let type: FourCC
  /// Absolute offset of the first header byte.
  public let offset: Int
  /// Absolute range of the bytes behind the header.
  public let payload: Range<Int>
}

/// A box's header, before it is known whether the box fits into what encloses it.
public struct BoxHeader: Equatable, Sendable {
  /// The four-character type.
  public let type: FourCC
  /// Absolute offset of the first header byte.
  public let offset: Int
  /// 8, 16 with a 64-bit size, 16 more for `uuid`.
  public let headerByteCount: Int
  /// The whole box in bytes; nil when it reaches to the end of the file.
  public let byteCount: Int?

  /// The most bytes that a header can take.
  public static let maximumByteCount = 32

  /// The bytes that a header takes, told from its first eight; the most that it can take where those are missing.
  public static func byteCount(startingAt offset: Int, in bytes: RawSpan) -> Int {
    guard offset >= 0, offset + 8 <= bytes.byteCount else { return maximumByteCount }
    let plain = bytes.bigEndian(UInt32.self, at: offset) == 1 ? 16 : 8
    return bytes.bigEndian(UInt32.self, at: offset + 4) == ("uuid" as FourCC).rawValue ? plain + 16 : plain
  }

  /// Parses a header.
  ///
  /// Throws when bytes are missing or the size is smaller than the header itself.
  public init(parsing cursor: inout ByteCursor) throws(ParsingError) {
    offset = cursor.offset
    let size32 = try cursor.read(UInt32.self)
    type = try cursor.readFourCC()
    var header = 8
    var size: Int? = Int(size32)
    if size32 == 1 {
      size = try Int(checking: try cursor.read(UInt64.self), at: offset + 8)
      header = 16
    } else if size32 == 0 {
      size = nil
    }
    if type == "uuid" {
      try cursor.skip(16)
      header += 16
    }
    if let size, size < header {
      throw .malformed(
        "box \(type) states a size of \(size), less than its own header of \(header)", at: offset)
    }
    headerByteCount = header
    byteCount = size
  }

  /// The box, if it fits in front of `end`.
  ///
  /// Throws when it reaches further.
  public func box(endingBefore end: Int) throws(ParsingError) -> Box {
    let limit =
      try byteCount.map { (count) throws(ParsingError) in try offset.adding(count, at: offset) } ?? end
    guard limit <= end, offset + headerByteCount <= end else {
      throw .malformed(
        "box \(type) reaches to byte \(limit), beyond its enclosure's end at \(end)", at: offset)
    }
    return Box(type: type, offset: offset, payload: offset + headerByteCount..<limit)
  }
}

/// The version and flags that start a full box's payload (ISO/IEC 14496-12, 4.2).
public struct FullBoxHeader: Equatable, Sendable {
  /// Layout version of the box.
  public let version: UInt8
  /// 24 bits of flags.
  public let flags: UInt32

  /// Parses the four bytes.
  public init(parsing cursor: inout ByteCursor) throws(ParsingError) {
    let word = try cursor.read(UInt32.self)
    version = UInt8(truncatingIfNeeded: word >> 24)
    flags = word & 0xff_ffff
  }
}

extension RawSpan {
  /// A cursor over an absolute range of a file that starts at this span's first byte.
  @_lifetime(copy self)
  public func cursor(_ range: Range<Int>) -> ByteCursor {
    ByteCursor(extracting(range), origin: range.lowerBound)
  }

  /// Calls `body` for each box of a range, in order; a tail shorter than a header is padding.
  ///
  /// QuickTime ends some containers with four zero bytes and pads others, so a zero type ends the walk.
  public func forEachBox(
    in range: Range<Int>, _ body: (Box) throws(ParsingError) -> Void
  ) throws(ParsingError) {
    var next = range.lowerBound
    while next + 8 <= range.upperBound {
      var cursor = cursor(next..<range.upperBound)
      guard bigEndian(UInt64.self, at: next) != 0 else { return }
      let header = try BoxHeader(parsing: &cursor)
      guard header.byteCount != nil else {
        throw .malformed(
          "box \(header.type) has size 0, which only a box of the file's top level may have", at: next)
      }
      let box = try header.box(endingBefore: range.upperBound)
      do {
        try body(box)
      } catch {
        throw error.inside(box.type)
      }
      next = box.payload.upperBound
    }
  }
}
