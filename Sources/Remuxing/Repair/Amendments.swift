import ByteParsing
import ISOMedia
import SystemIO

/// Byte ranges of a file and what is to stand in their place.
struct Amendments {
  private struct Amendment {
    let range: Range<Int>
    let bytes: [UInt8]
  }

  private var amendments: [Amendment] = []
  /// How much longer the content of boxes becomes, by the offset of each.
  private var growth: [Int: (box: Box, byteCount: Int)] = [:]

  var isEmpty: Bool { amendments.isEmpty }

  /// Replaces bytes; the range may be empty, to insert, and must not touch another one.
  mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) {
    amendments.append(Amendment(range: range, bytes: bytes))
  }

  /// Replaces bytes inside boxes, outermost first, which become longer or shorter by the difference.
  mutating func replace(_ range: Range<Int>, with bytes: [UInt8], inside boxes: [Box]) {
    replace(range, with: bytes)
    let difference = bytes.count - range.count
    guard difference != 0 else { return }
    for box in boxes { growth[box.offset, default: (box, 0)].byteCount += difference }
  }

  /// How much longer a box becomes.
  func growth(of box: Box) -> Int { growth[box.offset]?.byteCount ?? 0 }

  /// Amends the sizes of all boxes that become longer or shorter.
  ///
  /// Throws where a size no longer fits.
  mutating func amendSizes(in file: MappedFile) throws(Failure) {
    for (box, byteCount) in growth.values.sorted(by: { $0.box.offset < $1.box.offset }) where byteCount != 0 {
      let place: NumberPlace
      switch file.bytes.bigEndian(UInt32.self, at: box.offset) {
      case 0: continue  // to the end of the file
      case 1: place = NumberPlace(offset: box.offset + 8, byteCount: 8)
      default: place = NumberPlace(offset: box.offset, byteCount: 4)
      }
      guard let bytes = place.bytes(for: box.payload.upperBound - box.offset + byteCount) else {
        throw Failure(
          .unsupported, "\(box.type) would become too long for its 32-bit size", path: file.path,
          offset: box.offset)
      }
      replace(place.offset..<place.offset + place.byteCount, with: bytes)
    }
    growth = [:]
  }

  /// The amended file: what is not amended is borrowed from it.
  func plan(for file: MappedFile) -> Plan {
    var builder = PlanBuilder()
    var position = 0
    func borrow(to end: Int) {
      guard end > position else { return }
      builder.borrow(Extent(source: 0, offset: position, byteCount: end - position))
    }
    // What is inserted comes in front of what is replaced at the same place.
    let ordered = amendments.sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    for amendment in ordered {
      borrow(to: amendment.range.lowerBound)
      builder.make(amendment.bytes)
      position = max(position, amendment.range.upperBound)
    }
    borrow(to: file.byteCount)
    return builder.plan([file])
  }

  /// Whether all that is amended lies inside a few ranges, or is exactly one of others.
  func lie(inside ranges: [Range<Int>], or others: Set<Range<Int>>) -> Bool {
    amendments.allSatisfy { amendment in
      others.contains(amendment.range)
        || ranges.contains {
          $0.lowerBound <= amendment.range.lowerBound && amendment.range.upperBound <= $0.upperBound
        }
    }
  }
}
