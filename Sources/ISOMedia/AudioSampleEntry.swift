public import ByteParsing

/// A sample entry of an audio track, ISO or QuickTime.
///
/// Sources: ISO/IEC 14496-12, 12.2.3; ETSI TS 102 366, F.3 and F.5; QuickTime File Format, "Sound Sample Descriptions".
public struct AudioSampleEntry: Equatable, Sendable {
  /// Which of the known layouts the fixed part has.
  public enum Layout: UInt16, Sendable {
    /// ISO, and QuickTime version 0: 28 bytes.
    case version0 = 0
    /// QuickTime version 1: 16 more bytes.
    case quickTime1 = 1
    /// QuickTime version 2: 36 more bytes.
    case quickTime2 = 2

    var fixedByteCount: Int {
      switch self {
      case .version0: 28
      case .quickTime1: 44
      case .quickTime2: 64
      }
    }
  }

  /// The entry's own box; its type is the codec's code, or `enca` when encrypted.
  public let box: Box
  /// 1-based index into `dref`.
  public let dataReferenceIndex: UInt16
  /// The layout of the fixed part.
  public let layout: Layout
  /// What the writer put there; readers must not derive the layout from it (TS 102 366, F.5.2).
  public let channelCount: UInt16
  /// Bits, 16 by convention.
  public let sampleSize: UInt16
  /// 16.16 fixed point, in Hz.
  public let sampleRate: UInt32
  /// Boxes behind the fixed part, at most 256.
  public let children: [Box]
  /// Boxes inside QuickTime's `wave`, at most 256.
  public let waveChildren: [Box]

  /// Larger entries are refused: they are copied into each output.
  private static let maximumByteCount = 1 << 20

  /// Parses a sample entry of a sound track.
  public init(parsing box: Box, in bytes: RawSpan) throws(ParsingError) {
    guard box.payload.count <= Self.maximumByteCount else {
      throw .unsupported(
        "sample entry \(box.type) has \(box.payload.count) bytes; \(Self.maximumByteCount) are the most",
        at: box.offset)
    }
    self.box = box
    var cursor = bytes.cursor(box.payload)
    try cursor.skip(6)
    dataReferenceIndex = try cursor.read()
    let version = try cursor.read(UInt16.self)
    try cursor.skip(6)
    let channels = try cursor.read(UInt16.self)
    sampleSize = try cursor.read()
    try cursor.skip(4)
    let rate = try cursor.read(UInt32.self)
    (layout, children) = try Self.children(of: box, stating: version, in: bytes)
    // Version 2 has constants there and the real numbers behind them.
    (channelCount, sampleRate) = layout == .quickTime2 ? try Self.quickTime2(&cursor) : (channels, rate)
    waveChildren =
      try children.first { $0.type == "wave" }.map { (wave) throws(ParsingError) in
        try Self.boxes(in: wave.payload, of: bytes)
      } ?? []
  }

  /// Absolute offset just behind the fixed part, where the first child is or would be.
  public var childrenStart: Int { box.payload.lowerBound + layout.fixedByteCount }

  /// The codec's configuration: a direct child, or else inside `wave`.
  public func child(_ type: FourCC) -> Box? {
    children.first { $0.type == type } ?? waveChildren.first { $0.type == type }
  }

  /// An ISO file may state version 1 without the 16 extra bytes, so the stated layout is tried first, then the others.
  /// One that finds no box counts only where no other finds any: short boxes can end where longer layouts begin.
  private static func children(
    of box: Box, stating version: UInt16, in bytes: RawSpan
  ) throws(ParsingError) -> (Layout, [Box]) {
    let stated = Layout(rawValue: version) ?? .version0
    var failure: ParsingError?
    var childless: Layout?
    for layout in [stated, .version0, .quickTime1, .quickTime2] {
      let start = box.payload.lowerBound + layout.fixedByteCount
      guard start <= box.payload.upperBound else { continue }
      do {
        let found = try boxes(in: start..<box.payload.upperBound, of: bytes)
        if found.isEmpty {
          if failure == nil { childless = childless ?? layout }
        } else if found.allSatisfy({ $0.type.isPrintable }) {
          return (layout, found)
        } else {
          failure = failure ?? .malformed("the boxes of sample entry \(box.type) cannot be told", at: start)
        }
      } catch {
        guard error.kind == .malformed else { throw error }
        failure = failure ?? error
      }
    }
    if let childless { return (childless, []) }
    throw failure ?? .malformed("sample entry \(box.type) is shorter than its fixed part", at: box.offset)
  }

  /// Channels and 16.16 rate of a version 2 description; what does not fit there becomes 0.
  private static func quickTime2(_ cursor: inout ByteCursor) throws(ParsingError) -> (UInt16, UInt32) {
    try cursor.skip(4)
    let rate = Double(bitPattern: try cursor.read())
    let channels = try cursor.read(UInt32.self)
    return (UInt16(exactly: channels) ?? 0, (UInt16(exactly: rate).map { UInt32($0) } ?? 0) << 16)
  }

  private static func boxes(in range: Range<Int>, of bytes: RawSpan) throws(ParsingError) -> [Box] {
    var found: [Box] = []
    try bytes.forEachBox(in: range) { (box) throws(ParsingError) in
      guard found.count < 256 else {
        throw .unsupported("a sample entry with more than 256 boxes", at: box.offset)
      }
      found.append(box)
    }
    return found
  }
}

extension AudioSampleEntry {
  /// The coding behind an encrypted entry: `frma` inside `sinf` (ISO/IEC 14496-12, 8.12.2).
  public func originalFormat(in bytes: RawSpan) throws(ParsingError) -> FourCC? {
    guard let sinf = child("sinf") else { return nil }
    var format: FourCC?
    try bytes.forEachBox(in: sinf.payload) { (box) throws(ParsingError) in
      guard box.type == "frma" else { return }
      var cursor = bytes.cursor(box.payload)
      format = try cursor.readFourCC()
    }
    return format
  }

  /// Appends an ISO entry: the fixed part, then the children that `body` writes.
  public static func write(
    _ type: FourCC, channelCount: UInt16, sampleRate: UInt32, to boxes: inout BoxWriter,
    children body: (inout BoxWriter) -> Void
  ) {
    boxes.container(type) { entry in
      entry.writer.putZeros(6)
      entry.writer.put(UInt16(1))
      entry.writer.putZeros(8)
      entry.writer.put(channelCount)
      entry.writer.put(UInt16(16))
      entry.writer.putZeros(4)
      entry.writer.put(sampleRate << 16)
      body(&entry)
    }
  }
}
