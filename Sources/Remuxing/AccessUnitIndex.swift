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

  /// The size that all access units have; nil when they differ.
  func constantSize(in bytes: RawSpan) -> Int? {
    switch storage {
    case .sampleTable(let table): table.sizes.commonSizeOfAll(in: bytes)
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

  /// The largest access unit of an elementary stream; nil for others, which declare a rate.
  var largestSizeOfAll: Int? {
    if case .elementary(let index) = storage { index.largestSize } else { nil }
  }

  /// The largest access unit of a range.
  func largestSize(of units: Range<Int>, in bytes: RawSpan) -> Int {
    units.reduce(0) { max($0, size(of: $1, in: bytes)) }
  }

  /// Whether a range may hold a change of the stream that its ends do not show: only an elementary stream's walk can tell.
  func mayChange(inside units: Range<Int>) -> Bool {
    switch storage {
    case .sampleTable: false
    case .elementary(let index): index.firstChange.map { $0 < units.upperBound } ?? false
    }
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
