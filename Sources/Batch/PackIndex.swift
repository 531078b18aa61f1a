import CJSON
import Remuxing
import SystemIO

/// Where the frames of a packed manifest are: written behind them, in a frame that other programs skip.
///
/// The skippable frame holds one JSON object, then its length in four bytes and eight bytes that tell it is there.
struct PackIndex: Equatable {
  /// One LZ4 frame.
  struct Frame: Equatable {
    /// Its bytes in the file.
    let bytes: Range<Int>
    /// Its jobs, counted through the manifest.
    let jobs: Range<Int>
  }

  private static let schema = "kerfless.pack/1"
  private static let mark = Array("KERFPACK".utf8)
  private static let magic: [UInt8] = [0x5e, 0x2a, 0x4d, 0x18]
  private static let footerByteCount = 12
  /// Longer indices are refused: a million frames fit in it.
  private static let maximumByteCount = 64 << 20

  /// All frames in order.
  var frames: [Frame] = []
  /// The digest of all jobs; see `ManifestDigest`.
  var digest: UInt64 = 0

  /// All jobs.
  var jobCount: Int { frames.last?.jobs.upperBound ?? 0 }

  /// The skippable frame.
  var bytes: [UInt8] {
    var json = JSONLine()
    json.line { json in
      json.member("schema", Self.schema)
      json.member("jobs", jobCount)
      json.member("digest", hex: digest)
      json.array("frames", frames) { json, frame in
        json.member("bytes", frame.bytes.count)
        json.member("jobs", frame.jobs.count)
      }
    }
    let length = UInt32(json.bytes.count)
    return Self.magic + Self.littleEndian(length + UInt32(Self.footerByteCount)) + json.bytes
      + Self.littleEndian(length) + Self.mark
  }

  init() {}

  /// Reads the index at the end of a file; nil when there is none.
  ///
  /// Throws when there is one that does not fit the file.
  init?(_ file: InputFile) throws(Failure) {
    guard let end = file.byteCount, end > Self.footerByteCount + 8 else { return nil }
    let footer = try Self.read(file, at: end - Self.footerByteCount, count: Self.footerByteCount)
    guard footer.count == Self.footerByteCount, footer[4...].elementsEqual(Self.mark) else { return nil }
    let length = Self.number(footer[..<4])
    let start = end - Self.footerByteCount - length
    guard length <= Self.maximumByteCount, start > 8 else { throw Self.damaged(file) }
    let text = try Self.read(file, at: start, count: length)
    do throws(LineError) {
      try self.init(parsing: text)
    } catch {
      throw Self.damaged(file)
    }
    guard (frames.last?.bytes.upperBound ?? 0) == start - 8 else { throw Self.damaged(file) }
  }

  private init(parsing text: [UInt8]) throws(LineError) {
    guard let parser = JSONLineParser() else { throw LineError("there is no memory") }
    var schema: String?
    var found: [Frame] = []
    var sum: UInt64 = 0
    try parser.object(text.span).forEachMember { (key, member) throws(LineError) in
      switch key {
      case "schema": schema = try member.text()
      case "digest": sum = try member.hexadecimal()
      case "frames":
        try member.forEachObject { (object) throws(LineError) in
          found.append(try Frame(object, after: found.last))
        }
      default: break
      }
    }
    guard schema == Self.schema else { throw LineError("it is another schema's") }
    frames = found
    digest = sum
  }

  private static func read(_ file: InputFile, at offset: Int, count: Int) throws(Failure) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    do throws(SystemError) {
      return Array(buffer[..<(try file.read(into: &buffer, at: offset))])
    } catch {
      throw Failure(error)
    }
  }

  private static func littleEndian(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func damaged(_ file: InputFile) -> Failure {
    Failure(
      .manifestMalformed, "its index is damaged", path: file.path, advice: "pack the manifest again")
  }
}

extension PackIndex.Frame {
  fileprivate init(
    _ object: borrowing JSONObject, after previous: PackIndex.Frame?
  ) throws(LineError) {
    var byteCount = 0
    var jobCount = 0
    try object.forEachMember { (key, member) throws(LineError) in
      if key == "bytes" { byteCount = try member.size() }
      if key == "jobs" { jobCount = try member.size() }
    }
    let start = (previous?.bytes.upperBound ?? 0, previous?.jobs.upperBound ?? 0)
    guard byteCount > 0, jobCount > 0, byteCount < 1 << 40, jobCount < 1 << 40, start.0 < 1 << 50,
      start.1 < 1 << 50
    else { throw LineError("a frame is empty") }
    bytes = start.0..<start.0 + byteCount
    jobs = start.1..<start.1 + jobCount
  }
}
