import Remuxing
import SystemIO

/// A job of a manifest, or why a line is none.
enum ManifestEntry: Sendable {
  /// A job.
  case job(Job)
  /// The number of a line, and what is wrong with it.
  case invalid(line: Int, LineError)
}

/// Reads the jobs of a manifest, one after the other.
struct ManifestReader: ~Copyable {
  private var lines: LineReader
  private let parser: JobParser

  /// Throws when the manifest cannot be read.
  init(_ lines: consuming LineReader, _ rules: PathRules) throws(Failure) {
    self.lines = lines
    parser = try JobParser(rules)
  }

  /// Bytes read of the manifest so far, packed or not.
  var bytesRead: Int { lines.bytesRead }

  /// The next job; nil at the end. Empty lines are passed over.
  ///
  /// Throws when the manifest cannot be read or decoded; a line that is no job does not end it.
  mutating func next() throws(Failure) -> ManifestEntry? {
    while try lines.next() {
      let number = lines.number
      if lines.isTooLong {
        return .invalid(
          line: number, LineError("the line is longer than \(LineReader.maximumLineByteCount) bytes"))
      }
      if lines.isBlank { continue }
      do throws(LineError) {
        return .job(try parser.job(lines.bytes, number: number))
      } catch {
        return .invalid(line: number, error)
      }
    }
    return nil
  }
}

extension LineReader {
  /// Whether the line holds no more than white space.
  fileprivate var isBlank: Bool {
    let bytes = bytes
    for index in 0..<bytes.count where ![0x20, 0x09, 0x0d].contains(bytes[index]) { return false }
    return true
  }
}
