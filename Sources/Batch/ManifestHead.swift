import Remuxing
import SystemIO

/// The first bytes of a manifest, by which another file that was given for one is known.
///
/// Without it each line of such a file would be an error of its own.
enum ManifestHead {
  private static let byteCount = 4096

  /// Looks at the start of a file; what can be read only once is looked at when it is read.
  ///
  /// Throws when it is no manifest, or cannot be read.
  static func require(_ manifest: InputFile) throws(Failure) {
    guard manifest.byteCount != nil else { return }
    var head = [UInt8](repeating: 0, count: byteCount)
    let count: Int
    do throws(SystemError) { count = try manifest.read(into: &head, at: 0) } catch { throw Failure(error) }
    try require(head[..<count], of: manifest.path)
  }

  /// Throws when bytes are the start of what is no manifest, packed or not.
  static func require(_ bytes: ArraySlice<UInt8>, of path: FilePath) throws(Failure) {
    let head = Array(bytes.prefix(byteCount))
    let magic = Array(head.prefix(4))
    guard !LZ4Magic.isFrame(magic), !LZ4Magic.isLegacy(magic), let fault = fault(head) else { return }
    throw Failure(.manifestMalformed, fault.message, path: path, advice: fault.advice)
  }

  private static func fault(_ head: [UInt8]) -> (message: String, advice: String)? {
    // A line that begins like JSON may hold any word there.
    if head.first != UInt8(ascii: "{"), boxTypes.contains(where: { head.dropFirst(4).starts(with: $0.utf8) })
    {
      return ("it is an MP4 file, no manifest", mediaAdvice)
    }
    if head.starts(with: [0x0b, 0x77]) || head.starts(with: [0x77, 0x0b]) {
      return ("it is an AC-3 or E-AC-3 stream, no manifest", mediaAdvice)
    }
    if let packer = packers.first(where: { head.starts(with: $0.magic) }) {
      return (
        "it is compressed by \(packer.name), which manifests are not",
        "pipe it in: \(packer.unpacking) MANIFEST | kerfless batch run - --root DIR; or unpack it and use kerfless batch pack"
      )
    }
    if head.starts(with: [0xff, 0xfe]) || head.starts(with: [0xfe, 0xff]) {
      return ("it is text in UTF-16", "write the manifest in UTF-8")
    }
    if head.prefix(while: { $0 != UInt8(ascii: "\n") }).contains(0) {
      return ("there is a zero byte in its first line, so it is no manifest", manifestAdvice)
    }
    return nil
  }

  /// Boxes that files and segments start with.
  private static let boxTypes = [
    "ftyp", "styp", "moov", "moof", "mdat", "free", "skip", "wide", "pnot", "uuid", "sidx", "pdin", "meta",
  ]

  private static let packers: [(magic: [UInt8], name: String, unpacking: String)] = [
    ([0x1f, 0x8b], "gzip", "gzip -dc"), ([0x28, 0xb5, 0x2f, 0xfd], "zstd", "zstd -dc"),
    ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], "xz", "xz -dc"), (Array("BZh".utf8), "bzip2", "bzip2 -dc"),
  ]

  private static let manifestAdvice = "give JSON Lines in UTF-8, plain or in LZ4 frames"
  private static let mediaAdvice = manifestAdvice + "; one file is cut by kerfless trim"
}
