public import SystemIO

/// A whole output before anything is written: bytes we make plus extents we borrow.
///
/// It can be printed, tested without a disk, written to a file or streamed to a pipe.
public struct Plan: Sendable {
  /// All bytes we make, one after the other.
  public let made: [UInt8]
  /// The output in order: ranges of `made`, and extents of `sources`.
  public let pieces: [Piece]
  /// The files that extents are borrowed from.
  public let sources: [MappedFile]

  /// Bytes of the output.
  public var byteCount: Int { pieces.reduce(0) { $0 + $1.byteCount } }

  /// Bytes of the output that come from sources.
  public var payloadByteCount: Int { byteCount - made.count }
}

/// Collects the pieces of a plan; neighbours are merged.
struct PlanBuilder {
  private(set) var made: [UInt8] = []
  private(set) var pieces: [Piece] = []

  mutating func make(_ bytes: [UInt8]) {
    let range = made.count..<made.count + bytes.count
    made.append(contentsOf: bytes)
    if case .made(let last) = pieces.last {
      pieces[pieces.count - 1] = .made(last.lowerBound..<range.upperBound)
    } else {
      pieces.append(.made(range))
    }
  }

  mutating func borrow(_ extent: Extent) {
    pieces.append(.extent(extent))
  }

  func plan(_ sources: [MappedFile]) -> Plan {
    Plan(made: made, pieces: pieces, sources: sources)
  }
}
