import ByteParsing

/// How many bytes a table box needs for the entries that it counts.
public struct TableShape: Equatable, Sendable {
  /// Entries.
  public let count: Int
  /// Bytes of the payload up to the last entry's end.
  public let byteCount: Int

  /// The shape that the payload of a table box states; nil for a box without a table, or one too short to count.
  ///
  /// Source: ISO/IEC 14496-12, 8.6 and 8.7.
  public init?(of box: Box, in bytes: RawSpan) {
    var cursor = bytes.cursor(box.payload)
    guard let full = try? FullBoxHeader(parsing: &cursor), let first = try? cursor.read(UInt32.self) else {
      return nil
    }
    switch box.type {
    case "stsz", "stz2":
      guard let samples = try? cursor.read(UInt32.self) else { return nil }
      count = Int(samples)
      let bits = box.type == "stz2" ? Int(first & 0xff) : first == 0 ? 32 : 0
      byteCount = 12 + (count * bits + 7) / 8
    default:
      guard let size = Self.entryByteCount(of: box.type, version: full.version) else { return nil }
      count = Int(first)
      byteCount = 8 + count * size
    }
  }

  private static func entryByteCount(of type: FourCC, version: UInt8) -> Int? {
    switch type {
    case "stts", "ctts", "co64": 8
    case "stsc": 12
    case "stco", "stss": 4
    case "elst": version == 1 ? 20 : 12
    default: nil
    }
  }
}
