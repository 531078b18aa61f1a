public import ByteParsing

/// Where a table lies in the file; its entries are read in place, one at a time.
public struct TableLocation: Equatable, Sendable {
  /// Absolute offset of the first entry.
  public let offset: Int
  /// Entries.
  public let count: Int

  /// Takes the rest of a box as `count` entries.
  ///
  /// Throws when the box has no room for them.
  init(parsing cursor: inout ByteCursor, count: Int, entryByteCount: Int) throws(ParsingError) {
    guard count <= cursor.remaining / entryByteCount else {
      throw .malformed(
        "the table counts \(count) entries and the box has room for \(cursor.remaining / entryByteCount)",
        at: cursor.offset - 4)
    }
    self.count = count
    offset = cursor.offset
    try cursor.skip(count * entryByteCount)
  }
}

/// `stts`: how long each sample lasts, in runs (ISO/IEC 14496-12, 8.6.1.2).
public struct TimeToSample: Equatable, Sendable {
  /// A run of samples of one duration.
  public struct Run: Equatable, Sendable {
    /// Samples in the run.
    public let sampleCount: Int
    /// Ticks of the media's timescale that each lasts.
    public let sampleDelta: Int
  }

  /// The runs' place.
  public let table: TableLocation

  /// Parses the payload of `stts`.
  public init(parsing cursor: inout ByteCursor) throws(ParsingError) {
    _ = try FullBoxHeader(parsing: &cursor)
    let count = Int(try cursor.read(UInt32.self))
    table = try TableLocation(parsing: &cursor, count: count, entryByteCount: 8)
  }

  /// The run with this index.
  public func run(_ index: Int, in bytes: RawSpan) -> Run {
    let entry = bytes.bigEndian(UInt64.self, at: table.offset + index * 8)
    return Run(sampleCount: Int(entry >> 32), sampleDelta: Int(entry & 0xffff_ffff))
  }

  /// Ticks that all samples last together.
  ///
  /// Throws when the sum exceeds 63 bits.
  public func totalTicks(in bytes: RawSpan) throws(ParsingError) -> Int {
    var sum = 0
    for index in 0..<table.count {
      let run = run(index, in: bytes)
      let place = table.offset + index * 8
      sum = try sum.adding(run.sampleCount.multiplied(by: run.sampleDelta, at: place), at: place)
    }
    return sum
  }

  /// Appends a table of one run.
  public static func write(sampleCount: UInt32, sampleDelta: UInt32, to boxes: inout BoxWriter) {
    boxes.fullBox("stts") { writer in
      writer.put(UInt32(1))
      writer.put(sampleCount)
      writer.put(sampleDelta)
    }
  }
}
