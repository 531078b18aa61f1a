public import ByteParsing

/// `mdhd`: the media's clock, length and language (ISO/IEC 14496-12, 8.4.2).
public struct MediaHeader: Equatable, Sendable {
  /// When the media was made.
  public var times: MovieTimes
  /// Ticks a second, never 0.
  public var timescale: UInt32
  /// Length in ticks of `timescale`, before the edit list; nil when unknown.
  public var duration: UInt64?
  /// The language.
  public var language: Language

  /// A header from its parts.
  public init(times: MovieTimes, timescale: UInt32, duration: UInt64?, language: Language) {
    self.times = times
    self.timescale = timescale
    self.duration = duration
    self.language = language
  }

  /// Parses the payload of `mdhd`, version 0 or 1.
  public init(parsing cursor: inout ByteCursor) throws(ParsingError) {
    let full = try FullBoxHeader(parsing: &cursor)
    times = try MovieTimes(parsing: &cursor, version: full.version)
    timescale = try cursor.readTimescale()
    duration = try cursor.readDuration(full.version)
    language = Language(packed: try cursor.read())
  }

  /// Appends the box, in version 1 only where a number needs it.
  public func write(to boxes: inout BoxWriter) {
    let version = headerVersion(holding: times.largest, duration ?? 0)
    boxes.fullBox("mdhd", version: version) { writer in
      times.write(to: &writer, version: version)
      writer.put(timescale)
      writer.putDuration(duration, version)
      writer.put(language.packed)
      writer.putZeros(2)
    }
  }
}

/// A language as `mdhd` holds it: three letters of ISO 639-2/T in five bits each.
public struct Language: Equatable, Sendable {
  /// The 16 bits as an ISO file has them.
  public let packed: UInt16

  /// "und", undetermined.
  public static let undetermined = Language(letters: 0x75_6e64)

  /// From the 16 bits of a file; QuickTime's Macintosh codes become their ISO letters.
  public init(packed: UInt16) {
    if packed < 0x400 {
      let codes = Self.macintoshCodes
      self = Int(packed) < codes.count ? Language(letters: codes[Int(packed)]) : .undetermined
    } else {
      // 0x7FFF is QuickTime's "unspecified"; with a stray pad bit the rest may look like a Macintosh code.
      let letters = packed & 0x7fff
      self.packed = letters == 0x7fff || letters < 0x400 ? Self.undetermined.packed : letters
    }
  }

  private init(letters: UInt32) {
    packed = [16, 8, 0].reduce(UInt16(0)) { $0 << 5 | UInt16(letters >> $1 & 0x1f) }
  }

  /// The three letters, "und" when they are none.
  public var code: String {
    let letters = [10, 5, 0].map { UInt8(packed >> $0 & 0x1f) + 0x60 }
    guard letters.allSatisfy({ (0x61...0x7a).contains($0) }) else { return "und" }
    return String(decoding: letters, as: UTF8.self)
  }

  /// The first Macintosh language codes, in order (QuickTime File Format, "Language Code Values").
  private static let macintoshCodes: [UInt32] = [
    "eng", "fra", "deu", "ita", "nld", "swe", "spa", "dan", "por", "nor", "heb", "jpn", "ara", "fin", "ell",
    "isl", "mlt", "tur", "hrv", "zho", "urd", "hin", "tha", "kor", "lit", "pol", "hun", "est", "lav", "sme",
    "fao", "fas", "rus", "zho",
  ].map { $0.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
}
