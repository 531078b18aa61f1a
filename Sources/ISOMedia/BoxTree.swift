public import ByteParsing

/// A walk over a box and all that it holds, into the containers that are known.
///
/// A box that does not fit ends its level and no other. Source: ISO/IEC 14496-12, 4.2 and Table 1.
public struct BoxTree: ~Escapable {
  /// Something that is wrong with how boxes nest.
  public enum Fault: Equatable, Sendable {
    /// A box's header is malformed, or the box reaches beyond its enclosure.
    case malformed(ParsingError)
    /// Bytes behind the last box of a container that are neither a box nor zeros.
    case tail(offset: Int, byteCount: Int)
    /// A second box of a kind of which the container may have one.
    case duplicate(Box)
    /// Containers inside containers, deeper than any file needs.
    case tooDeep(Box)
  }

  private let bytes: RawSpan
  private static let maximumDepth = 16

  /// Types of which a container holds at most one.
  private static let single: Set<FourCC> = [
    "mvhd", "tkhd", "edts", "elst", "mdia", "mdhd", "hdlr", "elng", "minf", "smhd", "vmhd", "hmhd", "nmhd",
    "sthd",
    "dinf", "dref", "stbl", "stsd", "stts", "ctts", "cslg", "stsc", "stsz", "stco", "stss", "stsh", "stdp",
    "padb", "mvex", "mehd", "mfhd", "tfhd", "tfdt", "mfro", "udta", "meta", "dec3", "frma", "schm", "schi",
  ]

  /// Types of which a container holds one or the other.
  private static let alternatives: [FourCC: FourCC] = ["co64": "stco", "stz2": "stsz", "dac3": "dec3"]

  /// A walk over boxes of a file whose first byte is the span's.
  @_lifetime(copy bytes)
  public init(_ bytes: RawSpan) {
    self.bytes = bytes
  }

  /// Calls `visit` for the box and each box in it, in file order, with the types around it, and `fault` for what is wrong.
  public func walk(
    _ box: Box, visit: (Box, [FourCC]) -> Void, fault: (Fault, [FourCC]) -> Void
  ) {
    walk(box, inside: [], visit, fault)
  }

  private func walk(
    _ box: Box, inside path: [FourCC], _ visit: (Box, [FourCC]) -> Void, _ fault: (Fault, [FourCC]) -> Void
  ) {
    visit(box, path)
    guard let children = children(of: box) else { return }
    let inner = path + [box.type]
    guard inner.count < Self.maximumDepth else {
      fault(.tooDeep(box), path)
      return
    }
    var seen: Set<FourCC> = []
    var end = children.lowerBound
    do throws(ParsingError) {
      try bytes.forEachBox(in: children) { (child) throws(ParsingError) in
        let kind = Self.alternatives[child.type] ?? child.type
        if Self.single.contains(kind), !seen.insert(kind).inserted {
          fault(.duplicate(child), inner)
        }
        walk(child, inside: inner, visit, fault)
        end = child.payload.upperBound
      }
    } catch {
      fault(.malformed(error), inner)
      return
    }
    let rest = bytes.extracting(end..<children.upperBound)
    for index in 0..<rest.byteCount where rest.byte(at: index) != 0 {
      fault(.tail(offset: end, byteCount: rest.byteCount), inner)
      return
    }
  }

  /// Where the boxes inside a box lie; nil when it holds none or is not known.
  private func children(of box: Box) -> Range<Int>? {
    let start: Int
    switch box.type {
    case "moov", "trak", "edts", "mdia", "minf", "dinf", "stbl", "mvex", "moof", "traf", "mfra", "udta",
      "sinf", "schi",
      "wave":
      start = 0
    case "dref", "stsd": start = 8
    case "meta": start = hasVersion(box) ? 4 : 0
    case "avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "dva1", "dvav", "av01", "mp4v", "vp09", "encv":
      start = 78
    case "ec-3", "ac-3", "ac-4", "enca":
      guard let entry = try? AudioSampleEntry(parsing: box, in: bytes) else { return nil }
      return entry.childrenStart..<box.payload.upperBound
    default: return nil
    }
    return start <= box.payload.count ? box.payload.lowerBound + start..<box.payload.upperBound : nil
  }

  /// QuickTime's `meta` is no full box: its first child starts at once.
  private func hasVersion(_ box: Box) -> Bool {
    guard box.payload.count >= 8 else { return true }
    return bytes.bigEndian(UInt32.self, at: box.payload.lowerBound + 4) != ("hdlr" as FourCC).rawValue
  }
}
