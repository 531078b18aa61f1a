public import ByteParsing

/// `dref`: where the media's bytes are (ISO/IEC 14496-12, 8.7.2).
public struct DataReference: Equatable, Sendable {
  /// Entries.
  public let count: Int
  /// For each entry, at most 64, whether the bytes are in this same file (flag 1).
  public let isSelfContained: [Bool]

  /// One entry: this file.
  public init() {
    isSelfContained = [true]
    count = 1
  }

  /// Parses the payload of `dref`.
  public init(parsing payload: Range<Int>, in bytes: RawSpan) throws(ParsingError) {
    var cursor = bytes.cursor(payload)
    _ = try FullBoxHeader(parsing: &cursor)
    _ = try cursor.read(UInt32.self)
    var flags: [Bool] = []
    var count = 0
    try bytes.forEachBox(in: cursor.offset..<payload.upperBound) { (box) throws(ParsingError) in
      var entry = bytes.cursor(box.payload)
      let full = try FullBoxHeader(parsing: &entry)
      count += 1
      if flags.count < 64 { flags.append(full.flags & 1 == 1) }
    }
    isSelfContained = flags
    self.count = count
  }

  /// Whether the entry with a 1-based index, as sample entries hold it, lies in another file.
  public func isExternal(_ index: UInt16) -> Bool {
    let position = Int(index) - 1
    return isSelfContained.indices.contains(position) && !isSelfContained[position]
  }

  /// Appends `dinf` with the reference in it.
  public func write(to boxes: inout BoxWriter) {
    boxes.container("dinf") { dinf in
      dinf.container("dref") { dref in
        dref.writer.put(UInt32(0))
        dref.writer.put(UInt32(isSelfContained.count))
        for own in isSelfContained { dref.fullBox("url ", flags: own ? 1 : 0) { _ in } }
      }
    }
  }
}
