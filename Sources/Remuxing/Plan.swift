import ByteParsing
import ISOMedia
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

  /// Bytes of memory that the plan holds, about.
  public var heldByteCount: Int { made.count + pieces.count * MemoryLayout<Piece>.stride }

  /// Bytes of the output that come from sources.
  public var payloadByteCount: Int { byteCount - made.count }
}

/// Collects the pieces of a plan; neighbours are merged.
struct PlanBuilder {
  private var made: BoxWriter
  private var pieces: [Piece] = []

  /// Starts with what has been written, or with nothing.
  init(_ head: consuming BoxWriter = BoxWriter(), pieceCount: Int = 0) {
    made = head
    pieces.reserveCapacity(pieceCount)
    noteMade(from: 0)
  }

  mutating func make(_ bytes: [UInt8]) {
    make { $0.writer.put(bytes: bytes) }
  }

  mutating func make(_ body: (inout BoxWriter) -> Void) {
    let start = made.writer.count
    body(&made)
    noteMade(from: start)
  }

  private mutating func noteMade(from start: Int) {
    let end = made.writer.count
    guard start < end else { return }
    if case .made(let last) = pieces.last {
      pieces[pieces.count - 1] = .made(last.lowerBound..<end)
    } else {
      pieces.append(.made(start..<end))
    }
  }

  mutating func borrow(_ extent: Extent) {
    pieces.append(.extent(extent))
  }

  /// Ends the collection.
  mutating func plan(_ sources: [MappedFile]) -> Plan {
    Plan(made: made.writer.take(), pieces: pieces, sources: sources)
  }
}
