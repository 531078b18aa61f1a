import Remuxing

/// What is asked of a file, told from the last bytes of an input.
struct CutRequest {
  /// One segment.
  struct Part {
    let range: TimeRange
    /// Whether it is of a second file that holds the same bytes.
    let isOfSecondFile: Bool
    /// The end's number as a length, for splitting.
    let length: TimeExpression
  }

  /// Bytes at the end of an input that ask; the rest is the file.
  static let byteCount = 32

  /// How to cut.
  let options: CutOptions
  /// What to make.
  let form: OutputForm
  /// The track, where one is asked for.
  let trackID: UInt32?
  /// One to four segments.
  let parts: [Part]

  /// Reads a request; bytes that are missing are zeros.
  init(_ bytes: ArraySlice<UInt8>) {
    var rest = Reader(bytes: bytes)
    let flags = rest.byte()
    var options = CutOptions()
    options.mode = flags & 1 == 0 ? .frame : .exact
    options.snap = [.floor, .nearest, .ceil, .floor][Int(flags >> 1 & 3)]
    options.clampsEnd = flags & 8 != 0
    options.ignoresEdits = flags & 16 != 0
    options.allowsMixedObjects = flags & 32 != 0
    let preRoll = Int(rest.byte())
    if flags & 64 != 0 { options.preRoll = preRoll }
    self.options = options
    let shape = rest.byte()
    form = flags & 128 != 0 ? .elementaryStream : .iso(isM4A: shape & 4 != 0)
    let track = rest.byte()
    trackID = shape & 8 != 0 ? UInt32(track) : nil
    parts = (0...shape & 3).map { _ in rest.part() }
  }

  private struct Reader {
    var bytes: ArraySlice<UInt8>

    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

    mutating func part() -> Part {
      let kinds = byte()
      let start = Int(byte()) << 8 | Int(byte())
      let end = Int(byte()) << 8 | Int(byte())
      let scale = byte()
      let from = kinds & 7 == 0 ? nil : Self.time(kinds & 7, start, scale & 15)
      let length = Self.time(kinds >> 3 & 7, end, scale >> 4)
      let to: TimeRange.End = kinds >> 3 & 7 == 0 ? .trackEnd : kinds & 64 == 0 ? .at(length) : .after(length)
      return Part(
        range: TimeRange(start: from, end: to), isOfSecondFile: kinds & 128 != 0, length: length)
    }

    /// A time of every kind, small as well as absurd, inside what can be written.
    private static func time(_ kind: UInt8, _ number: Int, _ scale: UInt8) -> TimeExpression {
      switch kind {
      case 1, 2: .accessUnits(number & 0xff)
      case 3: .samples(number)
      case 4: .seconds(ExactTime(Int128(number), over: 1000))
      case 5: .seconds(ExactTime(Int128(number), over: power(scale)))
      case 6: .samples(number << (2 * Int(scale)) & 0x3_ffff_ffff_ffff)
      default: .accessUnits(number << (2 * Int(scale)) & 0xff_ffff_ffff)
      }
    }

    private static func power(_ exponent: UInt8) -> Int128 {
      (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
  }
}
