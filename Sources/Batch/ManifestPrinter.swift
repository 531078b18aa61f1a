public import Remuxing
public import SystemIO

/// Prints lines of a manifest as they are, unpacked.
public enum ManifestPrinter {
  /// Which lines.
  public enum Choice: Sendable {
    /// Those of a shard.
    case shard(Shard)
    /// Lines that follow each other, counted from 0, of which those without a job are left out.
    case lines(Range<Int>)
  }

  /// What has been handed out.
  public struct Printed: Sendable {
    /// Lines with a job.
    public fileprivate(set) var lineCount = 0
    /// Lines of the manifest, where it ends before the chosen lines do.
    public fileprivate(set) var end: Int?
  }

  /// Hands out the bytes of lines, some at a time.
  ///
  /// Throws when the manifest cannot be read or ends in front of the chosen lines, or what the body throws.
  public static func forEachPart(
    of manifest: InputFile, _ choice: Choice, _ body: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) -> Printed {
    let index = try PackIndex(manifest)
    let part =
      switch choice {
      case .shard(let shard): ManifestPart(shard, of: manifest, index: index)
      case .lines(let lines): ManifestPart(lines: lines, index: index)
      }
    var lines = try ManifestLines(manifest, part)
    var text: [UInt8] = []
    var printed = Printed()
    while try lines.next() {
      guard !lines.isTooLong else {
        throw tooLong(lines.number, manifest)
      }
      let line = lines.bytes
      for index in 0..<line.count { text.append(line[index]) }
      text.append(UInt8(ascii: "\n"))
      printed.lineCount += 1
      guard text.count >= 64 << 10 else { continue }
      try body(text)
      text.removeAll(keepingCapacity: true)
    }
    try body(text)
    // A longer manifest has been read as far as the chosen lines, not to its end.
    let lineCount = index?.jobCount ?? lines.number
    guard case .lines(let chosen) = choice, lineCount < chosen.upperBound else { return printed }
    guard lineCount > chosen.lowerBound else { throw missing(chosen, lineCount, manifest) }
    printed.end = lineCount
    return printed
  }

  static func tooLong(_ line: Int, _ manifest: InputFile) -> Failure {
    Failure(
      .manifestMalformed, "line \(line) is longer than \(LineReader.maximumLineByteCount) bytes",
      path: manifest.path)
  }

  private static func missing(_ lines: Range<Int>, _ lineCount: Int, _ manifest: InputFile) -> Failure {
    let count = lineCount == 1 ? "1 line" : "\(lineCount) lines"
    return Failure(
      .rangeInvalid, "there is no line \(lines.lowerBound + 1): the manifest has \(count)",
      path: manifest.path,
      advice: lineCount == 0 ? nil : "choose from 1-\(lineCount)")
  }
}
