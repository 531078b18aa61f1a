import ByteParsing
import EnhancedAC3
import ISOMedia

/// The access units of an elementary stream, found by one walk over its frame headers.
struct ElementaryIndex: Sendable {
  /// Absolute offset of the first access unit.
  let start: Int
  /// Whole access units.
  let count: Int
  /// Their size, if it is the same for all.
  let constantSize: Int?
  /// The largest of their sizes.
  let largestSize: Int
  /// What follows the last whole access unit.
  let tail: Tail
  /// The first access unit whose frame headers differ from those of access unit 0.
  let firstChange: Int?
  private let sizes: [UInt32]
  /// Bytes in front of every 4,096th access unit.
  private let sums: [Int]

  /// What follows the last whole access unit of a stream.
  enum Tail: Equatable {
    case none
    /// The beginning of one more.
    case torn(Int)
    /// A tag, or zeros.
    case foreign(Int)
  }

  private static let unitsPerSum = 4096

  /// Walks over the whole stream; `reads` is told of each access unit's bytes in front of the next.
  ///
  /// Throws where a syncframe should start and does not, and when there is not one whole access unit.
  init(
    walking bytes: RawSpan, from start: Int, byteOrder: ByteOrder, reads: (Int) -> Void = { _ in }
  ) throws(ParsingError) {
    var walker = AccessUnitWalker(bytes, from: start, byteOrder: byteOrder)
    var sizes: [UInt32] = []
    var sums: [Int] = []
    var count = 0
    var firstSize = 0
    var firstSignature: UInt64?
    var firstChange: Int?
    var isForeign = false
    reads(0)
    while let unit = try Self.next(&walker, in: bytes, isForeign: &isForeign) {
      reads(unit.byteCount)
      if let firstSignature, unit.signature != firstSignature { firstChange = firstChange ?? count }
      firstSignature = firstSignature ?? unit.signature
      if count == 0 { firstSize = unit.byteCount }
      // Sizes are kept only from the first one that differs.
      if sizes.isEmpty, unit.byteCount != firstSize {
        sizes = Array(repeating: UInt32(firstSize), count: count)
        sums = stride(from: 0, through: count, by: Self.unitsPerSum).map { $0 * firstSize }
      }
      if !sizes.isEmpty {
        if count % Self.unitsPerSum == 0, sums.count == count / Self.unitsPerSum {
          sums.append(unit.offset - start)
        }
        sizes.append(UInt32(unit.byteCount))
      }
      count += 1
    }
    guard count > 0 else {
      throw .malformed("there is not one whole access unit in the stream", at: start)
    }
    self.start = start
    self.count = count
    constantSize = sizes.isEmpty ? firstSize : nil
    largestSize = sizes.max().map(Int.init) ?? firstSize
    let rest = bytes.byteCount - walker.position
    isForeign = isForeign || Self.isForeignTail(bytes.extracting(walker.position..<bytes.byteCount))
    tail = rest == 0 ? .none : isForeign ? .foreign(rest) : .torn(rest)
    self.firstChange = firstChange
    self.sizes = sizes
    self.sums = sums
  }

  /// The next access unit; nil at the end, and where a tag or nothing but zeros follows.
  private static func next(
    _ walker: inout AccessUnitWalker, in bytes: RawSpan, isForeign: inout Bool
  ) throws(ParsingError) -> AccessUnitWalker.Unit? {
    let start = walker.position
    do throws(ParsingError) {
      return try walker.next()
    } catch {
      guard isForeignTail(bytes.extracting(start..<bytes.byteCount)) else { throw error }
      isForeign = true
      return nil
    }
  }

  /// ID3v1 is 128 bytes at the very end; APE tags are short; anything longer may hide frames.
  private static func isForeignTail(_ tail: RawSpan) -> Bool {
    if tail.starts(with: "TAG"), tail.byteCount == 128 { return true }
    if tail.starts(with: "APETAGEX"), tail.byteCount <= 1 << 16 { return true }
    for index in 0..<tail.byteCount where tail.byte(at: index) != 0 { return false }
    return true
  }

  func size(of unit: Int) -> Int {
    constantSize ?? Int(sizes[unit])
  }

  func commonSize(of units: Range<Int>) -> Int? {
    if let constantSize { return constantSize }
    let first = sizes[units.lowerBound]
    return sizes[units].allSatisfy { $0 == first } ? Int(first) : nil
  }

  /// The smallest and the largest access unit of a range; nil for an empty range.
  func sizes(of units: Range<Int>) -> ClosedRange<Int>? {
    guard !units.isEmpty else { return nil }
    if let constantSize { return constantSize...constantSize }
    return sizes[units].reduce(nil) { $0.union(Int($1)...Int($1)) }
  }

  func extent(of units: Range<Int>) -> SampleExtent {
    let offset = self.offset(of: units.lowerBound)
    return SampleExtent(
      offset: offset, byteCount: self.offset(of: units.upperBound) - offset, sampleCount: units.count)
  }

  private func offset(of unit: Int) -> Int {
    if let constantSize { return start + unit * constantSize }
    let block = min(unit / Self.unitsPerSum, sums.count - 1)
    return sizes[block * Self.unitsPerSum..<unit].reduce(start + sums[block]) { $0 + Int($1) }
  }
}

extension RawSpan {
  fileprivate func starts(with text: String) -> Bool {
    let characters = Array(text.utf8)
    return byteCount >= characters.count && extracting(0..<characters.count).isEqual(to: characters.rawBytes)
  }
}
