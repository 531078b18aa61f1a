public import ByteParsing

/// `stsd`: how the samples of a track are coded (ISO/IEC 14496-12, 8.5.2).
public struct SampleDescription: Equatable, Sendable {
  /// The sample entries, in order; the first has the 1-based index 1 in other boxes.
  public let entries: [Box]

  /// More sample entries than these are refused.
  public static let maximumEntries = 1024

  /// Parses the payload of `stsd`; the entries themselves stay unread.
  public init(parsing payload: Range<Int>, in bytes: RawSpan) throws(ParsingError) {
    var cursor = bytes.cursor(payload)
    _ = try FullBoxHeader(parsing: &cursor)
    let count = Int(try cursor.read(UInt32.self))
    guard (1...Self.maximumEntries).contains(count) else {
      throw .malformed(
        "stsd counts \(count) sample entries; 1 to \(Self.maximumEntries) are supported",
        at: payload.lowerBound + 4)
    }
    var found: [Box] = []
    try bytes.forEachBox(in: cursor.offset..<payload.upperBound) { (box) throws(ParsingError) in
      if found.count < count { found.append(box) }
    }
    guard found.count == count else {
      throw .malformed(
        "stsd counts \(count) sample entries and holds \(found.count)", at: payload.lowerBound + 4)
    }
    entries = found
  }
}

/// From which sample on a sample entry holds.
public struct SampleEntryUse: Equatable, Sendable {
  /// 1-based index of the sample entry.
  public let index: Int
  /// The first sample that uses it.
  public var firstSample: Int

  /// A use from its parts.
  public init(index: Int, firstSample: Int) {
    self.index = index
    self.firstSample = firstSample
  }
}
