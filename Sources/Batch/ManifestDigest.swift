import Remuxing
import SystemIO

/// A digest of a manifest's jobs: the same in any order, and however they are packed.
enum ManifestDigest {
  /// Taken from the index, or else from all lines. Nil for a manifest that can be read only once, such as a pipe.
  static func value(of manifest: InputFile, index: PackIndex?) throws(Failure) -> UInt64? {
    if let index { return index.digest }
    guard manifest.byteCount != nil, manifest.path != .standardInput else { return nil }
    let again: InputFile
    do throws(SystemError) { again = try InputFile(opening: manifest.path) } catch {
      throw Failure(error)
    }
    var lines = try ManifestLines(again, ManifestPart(.whole, of: again, index: nil))
    var sum: UInt64 = 0
    while try lines.next() { sum &+= digest(of: lines.bytes) }
    return sum
  }

  /// What a line adds; 0 for one that is too long to be kept.
  static func digest(of line: borrowing Span<UInt8>) -> UInt64 {
    guard !line.isEmpty else { return 0 }
    var digest = Digest()
    for index in 0..<line.count { digest.add(line[index]) }
    return digest.value
  }
}
