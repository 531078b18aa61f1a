import Remuxing
import SystemIO

/// Where the frames of a packed manifest are: written behind them, in a frame that other programs skip.
///
/// The skippable frame holds a table, 16 bytes a frame: how many bytes and how many jobs it has. A footer of 28 bytes
/// follows: the digest of all jobs, the table's length in four bytes, the digest of everything in front of it, and a mark.
/// All numbers are little-endian. Reading costs memory for the table and the frames, and the table is never longer than
/// the frames that it describes.
struct PackIndex: Equatable {
  /// One LZ4 frame.
  struct Frame: Equatable {
    /// Its bytes in the file.
    let bytes: Range<Int>
    /// Its jobs, counted through the manifest.
    let jobs: Range<Int>
  }

  private static let mark = Array("KERFPAK2".utf8)
  /// Of an index that does not tell whether it is damaged.
  private static let formerMark = Array("KERFPACK".utf8)
  private static let magic: [UInt8] = [0x5e, 0x2a, 0x4d, 0x18]
  private static let headByteCount = 8
  private static let entryByteCount = 16
  private static let footerByteCount = 28

  /// All frames in order.
  var frames: [Frame] = []
  /// The digest of all jobs; see `ManifestDigest`.
  var digest: UInt64 = 0

  /// All jobs.
  var jobCount: Int { frames.last?.jobs.upperBound ?? 0 }

  /// The skippable frame.
  var bytes: [UInt8] {
    let length = frames.count * Self.entryByteCount
    var bytes = Self.magic
    bytes.append(littleEndian: UInt32(length + Self.footerByteCount))
    for frame in frames {
      bytes.append(littleEndian: UInt64(frame.bytes.count))
      bytes.append(littleEndian: UInt64(frame.jobs.count))
    }
    bytes.append(littleEndian: digest)
    bytes.append(littleEndian: UInt32(length))
    bytes.append(littleEndian: Self.digest(of: bytes[...]))
    return bytes + Self.mark
  }

  init() {}

  /// Reads the index at the end of a file; nil when there is none.
  ///
  /// Throws when there is one that is damaged or does not fit the file.
  init?(_ file: InputFile) throws(Failure) {
    guard let end = file.byteCount, end >= Self.headByteCount + Self.footerByteCount else { return nil }
    let footer = try Self.read(file, at: end - Self.footerByteCount, count: Self.footerByteCount)
    guard !footer.suffix(Self.mark.count).elementsEqual(Self.formerMark) else {
      throw Self.wrong(file, end, "its index is one of an earlier version, which may be damaged unnoticed")
    }
    guard footer.suffix(Self.mark.count).elementsEqual(Self.mark) else { return nil }
    let length = Int(footer.number(at: 8, byteCount: 4))
    let start = end - Self.footerByteCount - length
    guard length % Self.entryByteCount == 0, length <= start - Self.headByteCount else {
      throw Self.wrong(file, end - Self.footerByteCount, "its index is damaged")
    }
    let text = try Self.read(file, at: start - Self.headByteCount, count: end - start + Self.headByteCount)
    let digestPlace = text.count - Self.mark.count - 8
    guard digestPlace > 0, text.number(at: digestPlace, byteCount: 8) == Self.digest(of: text[..<digestPlace])
    else { throw Self.wrong(file, start, "its index is damaged") }
    digest = footer.number(at: 0, byteCount: 8)
    frames.reserveCapacity(length / Self.entryByteCount)
    for entry in stride(from: Self.headByteCount, to: Self.headByteCount + length, by: Self.entryByteCount) {
      guard let frame = Frame(entry: text[entry..<entry + Self.entryByteCount], after: frames.last) else {
        throw Self.wrong(file, start - Self.headByteCount + entry, "its index is damaged")
      }
      frames.append(frame)
    }
    guard (frames.last?.bytes.upperBound ?? 0) == start - Self.headByteCount else {
      throw Self.wrong(file, start, "its index is another file's")
    }
  }

  /// What is wrong with a packed manifest or its index.
  static func wrong(_ file: InputFile, _ offset: Int, _ message: String) -> Failure {
    Failure(
      .manifestMalformed, message, path: file.path, offset: offset, advice: "pack the manifest again")
  }

  private static func digest(of bytes: ArraySlice<UInt8>) -> UInt64 {
    var digest = Digest()
    digest.add(bytes)
    return digest.value
  }

  private static func read(_ file: InputFile, at offset: Int, count: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      while bytes.count < count {
        var rest = [UInt8](repeating: 0, count: count - bytes.count)
        let read = try file.read(into: &rest, at: offset + bytes.count)
        guard read > 0 else { throw SystemError(.readSource, file.path, .sourceChanged("it became shorter")) }
        bytes += rest[..<read]
      }
      return bytes
    } catch {
      throw Failure(error)
    }
  }
}

extension PackIndex.Frame {
  /// Nil where it is empty, or so large that sums could overflow.
  fileprivate init?(entry: ArraySlice<UInt8>, after previous: PackIndex.Frame?) {
    let byteCount = entry.number(at: entry.startIndex, byteCount: 8)
    let jobCount = entry.number(at: entry.startIndex + 8, byteCount: 8)
    let start = (previous?.bytes.upperBound ?? 0, previous?.jobs.upperBound ?? 0)
    guard (1..<1 << 40).contains(byteCount), (1..<1 << 40).contains(jobCount), start.0 < 1 << 50,
      start.1 < 1 << 50
    else { return nil }
    bytes = start.0..<start.0 + Int(byteCount)
    jobs = start.1..<start.1 + Int(jobCount)
  }
}

extension [UInt8] {
  fileprivate mutating func append(littleEndian number: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}

extension Collection<UInt8> where Index == Int {
  /// A little-endian number.
  fileprivate func number(at place: Int, byteCount: Int) -> UInt64 {
    (0..<byteCount).reversed().reduce(0) { $0 << 8 | UInt64(self[place + $1]) }
  }
}
