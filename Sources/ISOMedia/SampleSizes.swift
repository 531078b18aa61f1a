public import ByteParsing
import Synchronization

/// `stsz` or `stz2`: how many bytes each sample has (ISO/IEC 14496-12, 8.7.3).
public struct SampleSizes: Sendable {
  /// How the sizes are given.
  public enum Form: Equatable, Sendable {
    /// All samples have this size.
    case constant(Int)
    /// One entry a sample, of 4, 8, 16 or 32 bits.
    case table(TableLocation, bits: Int)
  }

  /// Samples of the track.
  public let count: Int
  /// How their sizes are given.
  public let form: Form
  private let sums: RunningSums

  /// Sums up to this many entries are made directly, longer ones from checkpoints.
  private static let samplesPerCheckpoint = 4096

  /// Parses the payload of `stsz`.
  public init(parsingSTSZ cursor: inout ByteCursor) throws(ParsingError) {
    _ = try FullBoxHeader(parsing: &cursor)
    let size = Int(try cursor.read(UInt32.self))
    count = Int(try cursor.read(UInt32.self))
    form =
      size != 0
      ? .constant(size)
      : .table(try TableLocation(parsing: &cursor, count: count, entryByteCount: 4), bits: 32)
    sums = RunningSums()
  }

  /// Parses the payload of `stz2`.
  public init(parsingSTZ2 cursor: inout ByteCursor) throws(ParsingError) {
    _ = try FullBoxHeader(parsing: &cursor)
    let place = cursor.offset
    let bits = Int(try cursor.read(UInt32.self) & 0xff)
    count = Int(try cursor.read(UInt32.self))
    guard [4, 8, 16].contains(bits) else {
      throw .malformed("stz2 has a field size of \(bits) bits; 4, 8 and 16 exist", at: place)
    }
    // Two 4-bit sizes share a byte; the table's place is all that is kept.
    let byteCount = bits == 4 ? (count + 1) / 2 : count * bits / 8
    let table = try TableLocation(parsing: &cursor, count: byteCount, entryByteCount: 1)
    form = .table(table, bits: bits)
    sums = RunningSums()
  }

  /// The size that all samples have, if the box says so.
  public var constantSize: Int? {
    if case .constant(let size) = form { size } else { nil }
  }

  /// Bytes of one sample.
  public func size(of sample: Int, in bytes: RawSpan) -> Int {
    switch form {
    case .constant(let size): size
    case .table(let table, let bits): Self.entry(sample, of: table, bits: bits, in: bytes)
    }
  }

  /// Bytes of a range of samples together.
  ///
  /// Throws when the sum exceeds 63 bits.
  public func byteCount(of samples: Range<Int>, in bytes: RawSpan) throws(ParsingError) -> Int {
    switch form {
    case .constant(let size):
      return try size.multiplied(by: samples.count, at: 0)
    case .table(let table, let bits):
      let step = Self.samplesPerCheckpoint
      guard samples.count > step else { return try Self.sum(samples, of: table, bits: bits, in: bytes) }
      let start = try prefix(samples.lowerBound, table, bits, bytes)
      return try prefix(samples.upperBound, table, bits, bytes) - start
    }
  }

  /// The size that all samples of a range have; nil when they differ, or when a table is asked about none.
  public func commonSize(of samples: Range<Int>, in bytes: RawSpan) -> Int? {
    switch form {
    case .constant(let size):
      return size
    case .table(let table, let bits):
      guard !samples.isEmpty else { return nil }
      let first = Self.entry(samples.lowerBound, of: table, bits: bits, in: bytes)
      for sample in samples where Self.entry(sample, of: table, bits: bits, in: bytes) != first { return nil }
      return first
    }
  }

  /// The smallest and the largest size in a range of samples; nil for an empty range.
  public func sizes(of samples: Range<Int>, in bytes: RawSpan) -> ClosedRange<Int>? {
    guard !samples.isEmpty else { return nil }
    switch form {
    case .constant(let size): return size...size
    case .table(let table, let bits):
      var found: ClosedRange<Int>?
      for sample in samples { found = found.union(Self.entry(sample, of: table, bits: bits, in: bytes)) }
      return found
    }
  }

  /// The size that all samples of the track have; nil when they differ. A table is searched once and the answer kept.
  public func commonSizeOfAll(in bytes: RawSpan) -> Int? {
    if case .constant(let size) = form { return size }
    return sums.commonSize { commonSize(of: 0..<count, in: bytes) }
  }

  /// Appends the sizes of a range as the entries of an `stsz` table: 32-bit tables are copied as bytes.
  public func appendEntries(of samples: Range<Int>, in bytes: RawSpan, to writer: inout ByteWriter) {
    switch form {
    case .table(let table, bits: 32):
      writer.put(
        bytes: bytes.extracting(table.offset + samples.lowerBound * 4..<table.offset + samples.upperBound * 4)
      )
    case .constant, .table:
      for sample in samples { writer.put(UInt32(size(of: sample, in: bytes))) }
    }
  }

  private func prefix(
    _ end: Int, _ table: TableLocation, _ bits: Int, _ bytes: RawSpan
  ) throws(ParsingError) -> Int {
    let step = Self.samplesPerCheckpoint
    let whole = end / step
    let base = try sums.sum(ofBlocks: whole) { (block) throws(ParsingError) in
      try Self.sum(block * step..<(block + 1) * step, of: table, bits: bits, in: bytes)
    }
    let rest = try Self.sum(whole * step..<end, of: table, bits: bits, in: bytes)
    return try base.adding(rest, at: table.offset)
  }

  private static func sum(
    _ samples: Range<Int>, of table: TableLocation, bits: Int, in bytes: RawSpan
  ) throws(ParsingError) -> Int {
    // At most 4,096 sizes of 32 bits: the sum stays below 2^44.
    var sum = 0
    for sample in samples { sum &+= entry(sample, of: table, bits: bits, in: bytes) }
    return sum
  }

  @inline(__always)
  private static func entry(_ sample: Int, of table: TableLocation, bits: Int, in bytes: RawSpan) -> Int {
    switch bits {
    case 32: return Int(bytes.bigEndian(UInt32.self, at: table.offset + sample * 4))
    case 16: return Int(bytes.bigEndian(UInt16.self, at: table.offset + sample * 2))
    case 8: return Int(bytes.byte(at: table.offset + sample))
    default:
      let pair = bytes.byte(at: table.offset + sample / 2)
      return Int(sample % 2 == 0 ? pair >> 4 : pair & 0xf)
    }
  }
}

/// What is told from a whole table of sizes: made when it is first asked for and then kept.
private final class RunningSums: Sendable {
  private let sums = Mutex<[Int]>([0])
  /// The common size, or one of the two below; an atomic costs no system call as a lock's first use does.
  private let common = Atomic(unknown)
  private static let unknown = -1
  private static let varying = -2

  func commonSize(_ search: () -> Int?) -> Int? {
    var known = common.load(ordering: .relaxed)
    if known == Self.unknown {
      known = search() ?? Self.varying
      common.store(known, ordering: .relaxed)
    }
    return known == Self.varying ? nil : known
  }

  func sum(
    ofBlocks count: Int, block: (Int) throws(ParsingError) -> Int
  ) throws(ParsingError) -> Int {
    try sums.withLock { (sums) throws(ParsingError) in
      while sums.count <= count {
        sums.append(try sums[sums.count - 1].adding(try block(sums.count - 1), at: 0))
      }
      return sums[count]
    }
  }
}
