import ByteParsing
import EnhancedAC3
import ISOMedia
import SystemIO

/// What a file's first bytes say it is.
enum ContentKind {
  /// An elementary stream whose first access unit lies at an offset.
  case elementary(ByteOrder, start: Int)
  case movie

  /// Bytes that may lie in front of the first sync word, an ID3 tag not counted.
  private static let maximumHead = 1 << 16

  /// Throws when the bytes are the start of something else.
  init(_ head: [UInt8], of file: MappedFile) throws(Failure) {
    guard head.count >= 2 else {
      throw Failure(
        .inputMalformed, head.isEmpty ? "the file is empty" : "the file has one byte", path: file.path,
        offset: 0, advice: "get an undamaged copy of the file")
    }
    if let byteOrder = Self.byteOrder(head.rawBytes, at: 0) {
      self = .elementary(byteOrder, start: 0)
      return
    }
    if let known = Self.foreign(head) {
      throw Failure(
        .unsupported, "this is \(known)", path: file.path, offset: 0,
        advice: "give an MP4 file or an elementary AC-3 or E-AC-3 stream")
    }
    if Self.startsWithBox(head, of: file) {
      self = .movie
      return
    }
    guard let (byteOrder, start) = Self.firstUnit(behind: Self.tagByteCount(head), in: file.bytes) else {
      throw Failure(
        .inputMalformed, "this is neither an MP4 file nor an AC-3 or E-AC-3 stream", path: file.path,
        offset: 0, advice: "check that it is the right file")
    }
    self = .elementary(byteOrder, start: start)
  }

  private static func byteOrder(_ bytes: RawSpan, at offset: Int) -> ByteOrder? {
    switch bytes.bigEndian(UInt16.self, at: offset) {
    case SyncFrameOutline.syncWord: .bigEndian
    case SyncFrameOutline.swappedSyncWord: .littleEndian
    default: nil
    }
  }

  /// Bytes of an ID3v2 tag at the start, 0 when there is none: a header of ten bytes whose last four hold seven bits each.
  private static func tagByteCount(_ head: [UInt8]) -> Int {
    guard head.starts(with: "ID3".utf8), head.count >= 10 else { return 0 }
    let hasFooter = head[5] & 0x10 != 0
    return head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7f) } + (hasFooter ? 20 : 10)
  }

  /// The first sync word behind an offset that starts a whole access unit with another one, or the end, behind it.
  private static func firstUnit(behind offset: Int, in bytes: RawSpan) -> (ByteOrder, Int)? {
    var start = offset
    while start - offset < maximumHead, start + SyncFrameOutline.byteCount <= bytes.byteCount {
      defer { start += 1 }
      guard let byteOrder = byteOrder(bytes, at: start) else { continue }
      var walker = AccessUnitWalker(bytes, from: start, byteOrder: byteOrder)
      guard (try? walker.next()) != nil, (try? walker.next()) != nil || walker.position == bytes.byteCount
      else {
        continue
      }
      return (byteOrder, start)
    }
    return nil
  }

  /// A box of a type that starts files, or an unknown one that fits into this file.
  private static func startsWithBox(_ head: [UInt8], of file: MappedFile) -> Bool {
    var cursor = ByteCursor(head.rawBytes, origin: 0)
    guard let header = try? BoxHeader(parsing: &cursor) else { return false }
    let known: [FourCC] = [
      "ftyp", "styp", "moov", "moof", "mdat", "free", "skip", "wide", "pnot", "uuid", "sidx", "pdin", "meta",
    ]
    if known.contains(header.type) { return true }
    return header.type.isPrintable && header.byteCount.map { $0 <= file.byteCount } ?? false
  }

  private static func foreign(_ head: [UInt8]) -> String? {
    let magics: [([UInt8], String)] = [
      ([0x1a, 0x45, 0xdf, 0xa3], "Matroska or WebM"), (Array("RIFF".utf8), "a RIFF (WAV or AVI) file"),
      (Array("OggS".utf8), "an Ogg file"), (Array("fLaC".utf8), "a FLAC file"),
      (Array("caff".utf8), "a CAF file"),
      ([0x00, 0x00, 0x01, 0xba], "an MPEG program stream"), ([0xac, 0x40], "an AC-4 stream"),
      ([0xac, 0x41], "an AC-4 stream"), ([0x47, 0x40], "an MPEG transport stream"),
      ([0x04, 0x22, 0x4d, 0x18], "an LZ4 frame"),
    ]
    return magics.first { head.starts(with: $0.0) }?.1
  }
}
