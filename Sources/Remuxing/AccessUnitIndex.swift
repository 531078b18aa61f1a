import ByteParsing
import EnhancedAC3
import ISOMedia
import SystemIO

/// Where the access units of a track are and how large, whatever holds them.
///
/// Every question is answered from the file's own tables, which are never expanded.
public struct AccessUnitIndex: Sendable {
  private enum Storage {
    case sampleTable(SampleTable)
    case elementary(ElementaryIndex)
  }

  private let storage: Storage

  init(_ table: SampleTable) {
    storage = .sampleTable(table)
  }

  init(_ index: ElementaryIndex) {
    storage = .elementary(index)
  }

  /// Access units of the track.
  public var count: Int {
    switch storage {
    case .sampleTable(let table): table.sampleCount
    case .elementary(let index): index.count
    }
  }

  /// The size that all access units have, where the file says so without being searched.
  public var declaredConstantSize: Int? {
    switch storage {
    case .sampleTable(let table): table.sizes.constantSize
    case .elementary(let index): index.constantSize
    }
  }

  /// The size that all access units of a range have; nil when they differ.
  func commonSize(of units: Range<Int>, in bytes: RawSpan) -> Int? {
    switch storage {
    case .sampleTable(let table): table.sizes.commonSize(of: units, in: bytes)
    case .elementary(let index): index.commonSize(of: units)
    }
  }

  /// The largest access unit of a range.
  func largestSize(of units: Range<Int>, in bytes: RawSpan) -> Int {
    if let size = declaredConstantSize { return size }
    return units.reduce(0) { max($0, size(of: $1, in: bytes)) }
  }

  /// Bytes of a range of access units together.
  ///
  /// Throws when the sum exceeds 63 bits.
  func byteCount(of units: Range<Int>, in bytes: RawSpan) throws(ParsingError) -> Int {
    switch storage {
    case .sampleTable(let table): try table.sizes.byteCount(of: units, in: bytes)
    case .elementary(let index): index.extent(of: units).byteCount
    }
  }

  /// Bytes of one access unit.
  func size(of unit: Int, in bytes: RawSpan) -> Int {
    switch storage {
    case .sampleTable(let table): table.sizes.size(of: unit, in: bytes)
    case .elementary(let index): index.size(of: unit)
    }
  }

  /// Where a range of access units lies, neighbours merged.
  ///
  /// Throws when a part lies outside the file.
  func extents(of units: Range<Int>, in bytes: RawSpan) throws(ParsingError) -> [SampleExtent] {
    switch storage {
    case .sampleTable(let table): try table.extents(of: units, in: bytes)
    case .elementary(let index): [index.extent(of: units)]
    }
  }

  /// Appends the sizes of a range as big-endian 32-bit numbers.
  func appendSizes(of units: Range<Int>, in bytes: RawSpan, to writer: inout ByteWriter) {
    switch storage {
    case .sampleTable(let table):
      table.sizes.appendEntries(of: units, in: bytes, to: &writer)
    case .elementary(let index):
      for unit in units { writer.put(UInt32(index.size(of: unit))) }
    }
  }
}

/// The access units of an elementary stream, found by one walk over its frame headers.
struct ElementaryIndex: Sendable {
  /// Absolute offset of the first access unit.
  let start: Int
  /// Whole access units.
  let count: Int
  /// Their size, if it is the same for all.
  let constantSize: Int?
  /// Bytes behind the last whole access unit.
  let tornByteCount: Int
  private let sizes: [UInt32]
  /// Bytes in front of every 4,096th access unit.
  private let sums: [Int]

  private static let unitsPerSum = 4096

  /// Walks over the whole stream.
  ///
  /// Throws where a syncframe should start and does not, and when there is not one whole access unit.
  init(walking bytes: RawSpan, from start: Int, byteOrder: ByteOrder) throws(ParsingError) {
    var walker = AccessUnitWalker(bytes, from: start, byteOrder: byteOrder)
    var sizes: [UInt32] = []
    var sums: [Int] = []
    var count = 0
    var firstSize = 0
    while let unit = try walker.next() {
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
    tornByteCount = bytes.byteCount - walker.position
    self.sizes = sizes
    self.sums = sums
  }

  func size(of unit: Int) -> Int {
    constantSize ?? Int(sizes[unit])
  }

  func commonSize(of units: Range<Int>) -> Int? {
    if let constantSize { return constantSize }
    let first = sizes[units.lowerBound]
    return sizes[units].allSatisfy { $0 == first } ? Int(first) : nil
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
