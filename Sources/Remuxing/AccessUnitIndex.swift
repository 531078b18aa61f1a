import ByteParsing
import EnhancedAC3
import ISOMedia
import SystemIO

/// Where the access units of a track are and how large, whatever holds them.
///
/// Every question is answered from the file's own tables, which are never expanded.
public final class AccessUnitIndex: Sendable {
  private enum Storage {
    case sampleTable(SampleTable)
    /// What `moov` itself holds comes first; in most fragmented files that is nothing.
    case fragmented(SampleTable, FragmentedSamples)
    case elementary(ElementaryIndex)
  }

  private let storage: Storage

  init(_ table: SampleTable) {
    storage = .sampleTable(table)
  }

  init(_ head: SampleTable, _ fragments: FragmentedSamples) {
    storage = .fragmented(head, fragments)
  }

  init(_ index: ElementaryIndex) {
    storage = .elementary(index)
  }

  /// What the fragments of the file hold of the track; nil where they hold nothing.
  var fragments: FragmentedSamples? {
    if case .fragmented(_, let fragments) = storage, fragments.count > 0 { fragments } else { nil }
  }

  /// Access units of the track.
  public var count: Int {
    switch storage {
    case .sampleTable(let table): table.sampleCount
    case .fragmented(let head, let fragments): head.sampleCount + fragments.count
    case .elementary(let index): index.count
    }
  }

  /// The size that all access units have; nil when they differ.
  func constantSize(in bytes: RawSpan) -> Int? {
    switch storage {
    case .sampleTable(let table): return table.sizes.commonSizeOfAll(in: bytes)
    case .elementary(let index): return index.constantSize
    case .fragmented(let head, let fragments):
      if head.sampleCount == 0 { return fragments.commonSize }
      let size = head.sizes.commonSizeOfAll(in: bytes)
      return fragments.count == 0 || size == fragments.commonSize ? size : nil
    }
  }

  /// The size that all access units of a range have; nil when they differ.
  func commonSize(of units: Range<Int>, in bytes: RawSpan) -> Int? {
    switch storage {
    case .sampleTable(let table):
      return table.sizes.commonSize(of: units, in: bytes)
    case .elementary(let index):
      return index.commonSize(of: units)
    case .fragmented:
      if let size = constantSize(in: bytes) { return size }
      let sizes = sizes(of: units, in: bytes)
      return sizes?.lowerBound == sizes?.upperBound ? sizes?.lowerBound : nil
    }
  }

  /// The largest access unit of an elementary stream; nil for others, which declare a rate.
  var largestSizeOfAll: Int? {
    if case .elementary(let index) = storage { index.largestSize } else { nil }
  }

  /// The largest access unit of a range.
  func largestSize(of units: Range<Int>, in bytes: RawSpan) -> Int {
    sizes(of: units, in: bytes)?.upperBound ?? 0
  }

  /// The smallest and the largest access unit of a range; nil for an empty range.
  private func sizes(of units: Range<Int>, in bytes: RawSpan) -> ClosedRange<Int>? {
    switch storage {
    case .sampleTable(let table): return table.sizes.sizes(of: units, in: bytes)
    case .elementary(let index): return index.sizes(of: units)
    case .fragmented(let head, let fragments):
      let (front, back) = Self.parts(of: units, at: head.sampleCount)
      let both = [head.sizes.sizes(of: front, in: bytes), fragments.sizes(of: back, in: bytes)]
      return both.compactMap { $0 }.reduce(nil) { $0.union($1) }
    }
  }

  /// Whether a range may hold a change of the stream that its ends do not show: only an elementary stream's walk can tell.
  func mayChange(inside units: Range<Int>) -> Bool {
    switch storage {
    case .sampleTable, .fragmented: false
    case .elementary(let index): index.firstChange.map { $0 < units.upperBound } ?? false
    }
  }

  /// Bytes of a range of access units together.
  ///
  /// Throws when the sum exceeds 63 bits.
  func byteCount(of units: Range<Int>, in bytes: RawSpan) throws(ParsingError) -> Int {
    switch storage {
    case .sampleTable(let table): return try table.sizes.byteCount(of: units, in: bytes)
    case .elementary(let index): return index.extent(of: units).byteCount
    case .fragmented(let head, let fragments):
      let (front, back) = Self.parts(of: units, at: head.sampleCount)
      let inHead = try head.sizes.byteCount(of: front, in: bytes)
      return try inHead.adding(try fragments.byteCount(of: back, in: bytes), at: 0)
    }
  }

  /// Bytes of one access unit.
  func size(of unit: Int, in bytes: RawSpan) -> Int {
    switch storage {
    case .sampleTable(let table): table.sizes.size(of: unit, in: bytes)
    case .elementary(let index): index.size(of: unit)
    case .fragmented(let head, let fragments):
      unit < head.sampleCount
        ? head.sizes.size(of: unit, in: bytes) : fragments.size(of: unit - head.sampleCount, in: bytes)
    }
  }

  /// Hands out where a range of access units lies, neighbours merged.
  ///
  /// Throws when a part lies outside the file.
  func forEachExtent(
    of units: Range<Int>, in bytes: RawSpan, _ body: (SampleExtent) -> Void
  ) throws(ParsingError) {
    switch storage {
    case .sampleTable(let table): try table.forEachExtent(of: units, in: bytes, body)
    case .elementary(let index): body(index.extent(of: units))
    case .fragmented(let head, let fragments):
      let (inHead, inFragments) = Self.parts(of: units, at: head.sampleCount)
      var found = try head.extents(of: inHead, in: bytes)
      for extent in try fragments.extents(of: inFragments, in: bytes) { found.append(merging: extent) }
      found.forEach(body)
    }
  }

  /// Where a range of access units lies, neighbours merged.
  ///
  /// Throws when a part lies outside the file.
  func extents(of units: Range<Int>, in bytes: RawSpan) throws(ParsingError) -> [SampleExtent] {
    var extents: [SampleExtent] = []
    try forEachExtent(of: units, in: bytes) { extents.append($0) }
    return extents
  }

  /// Appends the sizes of a range as big-endian 32-bit numbers.
  func appendSizes(of units: Range<Int>, in bytes: RawSpan, to writer: inout ByteWriter) {
    if case .sampleTable(let table) = storage {
      table.sizes.appendEntries(of: units, in: bytes, to: &writer)
    } else {
      for unit in units { writer.put(UInt32(size(of: unit, in: bytes))) }
    }
  }

  /// The 1-based index of the sample entry that all access units use, where that is known without looking at them.
  var onlySampleEntry: Int? {
    if case .sampleTable(let table) = storage { table.onlySampleEntry } else { nil }
  }

  /// The sample entries that a range uses, and the access units from which they hold.
  func sampleEntries(of units: Range<Int>, in bytes: RawSpan) -> [SampleEntryUse] {
    switch storage {
    case .elementary: return []
    case .sampleTable(let table): return table.sampleEntries(of: units, in: bytes)
    case .fragmented(let head, let fragments):
      let (inHead, inFragments) = Self.parts(of: units, at: head.sampleCount)
      var found = head.sampleEntries(of: inHead, in: bytes)
      for var use in fragments.sampleEntries(of: inFragments) where found.last?.index != use.index {
        use.firstSample += head.sampleCount
        found.append(use)
      }
      return found
    }
  }

  /// The part of a range in front of a border, and the part behind it, counted from there.
  private static func parts(of units: Range<Int>, at border: Int) -> (Range<Int>, Range<Int>) {
    let front = min(units.lowerBound, border)..<min(units.upperBound, border)
    let back = max(units.lowerBound, border) - border..<max(units.upperBound, border) - border
    return (front, back)
  }
}
