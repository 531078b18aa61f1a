public import ByteParsing

/// `elst`: which part of the media is presented, and when (ISO/IEC 14496-12, 8.6.6).
public struct EditList: Equatable, Sendable {
  /// One edit.
  public struct Entry: Equatable, Sendable {
    /// Length in ticks of the movie's timescale; 0 in a fragmented file means "to the end".
    public var segmentDuration: UInt64
    /// Start in ticks of the media's timescale; -1 for an empty edit.
    public var mediaTime: Int64
    /// Speed as 16.16 fixed point; 0x10000 is normal.
    public var mediaRate: UInt32

    /// An edit from its parts.
    public init(segmentDuration: UInt64, mediaTime: Int64, mediaRate: UInt32 = 0x1_0000) {
      self.segmentDuration = segmentDuration
      self.mediaTime = mediaTime
      self.mediaRate = mediaRate
    }
  }

  /// How many edits the list has.
  public let count: Int
  /// The first edits, at most `EditList.keptEntries` of them.
  public let entries: [Entry]
  /// The lengths of all edits together, also of those that are not kept; at most 2^64 - 1.
  public let totalDuration: UInt64
  /// Absolute offset of the first entry.
  public let offset: Int

  /// More edits than these are counted and not kept: no list that long can be followed.
  public static let keptEntries = 16

  /// A list to be written.
  public init(entries: [Entry]) {
    self.entries = entries
    count = entries.count
    totalDuration = entries.reduce(0) { $0.saturatingAdding($1.segmentDuration) }
    offset = 0
  }

  /// Parses the payload of `elst`, version 0 or 1.
  public init(parsing cursor: inout ByteCursor) throws(ParsingError) {
    let full = try FullBoxHeader(parsing: &cursor)
    count = Int(try cursor.read(UInt32.self))
    offset = cursor.offset
    let entrySize = full.version == 1 ? 20 : 12
    guard count <= cursor.remaining / entrySize else {
      throw .malformed(
        "elst counts \(count) edits and has room for \(cursor.remaining / entrySize)", at: offset - 4)
    }
    var kept: [Entry] = []
    var total: UInt64 = 0
    for index in 0..<count {
      let duration = try cursor.readVersioned(full.version)
      let start = full.version == 1 ? try cursor.read(Int64.self) : Int64(try cursor.read(Int32.self))
      let rate = try cursor.read(UInt32.self)
      total = total.saturatingAdding(duration)
      if index < Self.keptEntries {
        kept.append(Entry(segmentDuration: duration, mediaTime: start, mediaRate: rate))
      }
    }
    entries = kept
    totalDuration = total
  }

  /// Appends `edts` with the list in it, in version 1 only where a number needs it.
  public func write(to boxes: inout BoxWriter) {
    let fits = entries.allSatisfy { $0.segmentDuration <= UInt32.max && Int32(exactly: $0.mediaTime) != nil }
    let version: UInt8 = fits ? 0 : 1
    boxes.container("edts") { edts in
      edts.fullBox("elst", version: version) { writer in
        writer.put(UInt32(entries.count))
        for entry in entries {
          writer.putVersioned(entry.segmentDuration, version)
          if version == 1 { writer.put(entry.mediaTime) } else { writer.put(Int32(entry.mediaTime)) }
          writer.put(entry.mediaRate)
        }
      }
    }
  }
}

extension UInt64 {
  fileprivate func saturatingAdding(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
