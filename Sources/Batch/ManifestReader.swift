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
  private(set) var lines: ManifestLines
  private let parser: JobParser

  /// Throws when the manifest cannot be read.
  init(_ lines: consuming ManifestLines, _ rules: PathRules) throws(Failure) {
    self.lines = lines
    parser = try JobParser(rules)
  }

  /// The next job; nil at the end. Empty lines are passed over.
  ///
  /// Throws when the manifest cannot be read or decoded; a line that is no job does not end it.
  mutating func next() throws(Failure) -> ManifestEntry? {
    guard try lines.next() else { return nil }
    let number = lines.number
    guard !lines.isTooLong else {
      return .invalid(
        line: number, LineError("the line is longer than \(LineReader.maximumLineByteCount) bytes"))
    }
    do throws(LineError) {
      return .job(try parser.job(lines.bytes, number: number))
    } catch {
      return .invalid(line: number, error)
    }
  }
}
