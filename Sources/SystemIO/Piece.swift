/// A byte range of one source file.
public struct Extent: Equatable, Sendable {
  /// Index of the source in the plan's list.
  public var source: Int
  /// Absolute offset in the source, in bytes.
  public var offset: Int
  /// Bytes.
  public var byteCount: Int
  /// Whether every two bytes are exchanged on the way: the one change that is ever made to payload.
  public var swapsPairs: Bool

  /// An extent from its parts.
  public init(source: Int, offset: Int, byteCount: Int, swapsPairs: Bool = false) {
    self.source = source
    self.offset = offset
    self.byteCount = byteCount
    self.swapsPairs = swapsPairs
  }

  /// The first bytes, at most so many, and the rest.
  func divided(at count: Int) -> (start: Extent, rest: Extent) {
    var (start, rest) = (self, self)
    start.byteCount = min(count, byteCount)
    rest.offset += start.byteCount
    rest.byteCount -= start.byteCount
    return (start, rest)
  }
}

/// A part of an output: bytes we make, or an extent we borrow.
public enum Piece: Equatable, Sendable {
  /// A range of the plan's own bytes.
  case made(Range<Int>)
  /// A range of a source.
  case extent(Extent)

  /// Bytes of the output.
  public var byteCount: Int {
    switch self {
    case .made(let range): range.count
    case .extent(let extent): extent.byteCount
    }
  }
}
