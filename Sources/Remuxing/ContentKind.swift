import ByteParsing
import EnhancedAC3
import ISOMedia
import SystemIO

/// What a file's first bytes say it is.
enum ContentKind {
  case elementary(ByteOrder)
  case movie

  /// Throws when the bytes are the start of something else.
  init(_ head: [UInt8], of file: MappedFile) throws(Failure) {
    guard head.count >= 2 else {
      throw Failure(
        .inputMalformed, head.isEmpty ? "the file is empty" : "the file has one byte", path: file.path,
        offset: 0,
        advice: "get an undamaged copy of the file")
    }
    switch head.rawBytes.bigEndian(UInt16.self, at: 0) {
    case SyncFrameOutline.syncWord:
      self = .elementary(.bigEndian)
      return
    case SyncFrameOutline.swappedSyncWord:
      self = .elementary(.littleEndian)
      return
    default: break
    }
    if let known = Self.foreign(head) {
      throw Failure(
        .unsupported, "this is \(known)", path: file.path, offset: 0,
        advice: "give an MP4 file or an elementary AC-3 or E-AC-3 stream")
    }
    guard Self.startsWithBox(head, of: file) else {
      throw Failure(
        .inputMalformed, "this is neither an MP4 file nor an AC-3 or E-AC-3 stream", path: file.path,
        offset: 0,
        advice: "check that it is the right file")
    }
    self = .movie
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
