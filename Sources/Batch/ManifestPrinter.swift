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

  /// Hands out the bytes of lines, some at a time.
  ///
  /// Throws when the manifest cannot be read, or what the body throws.
  public static func forEachPart(
    of manifest: InputFile, _ choice: Choice, _ body: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let index = try PackIndex(manifest)
    let part =
      switch choice {
      case .shard(let shard): ManifestPart(shard, of: manifest, index: index)
      case .lines(let lines): ManifestPart(lines: lines, index: index)
      }
    var lines = try ManifestLines(manifest, part)
    var text: [UInt8] = []
    while try lines.next() {
      guard !lines.isTooLong else {
        throw Failure(
          .manifestMalformed, "line \(lines.number) is longer than \(LineReader.maximumLineByteCount) bytes",
          path: manifest.path)
      }
      let line = lines.bytes
      for index in 0..<line.count { text.append(line[index]) }
      text.append(UInt8(ascii: "\n"))
      guard text.count >= 64 << 10 else { continue }
      try body(text)
      text.removeAll(keepingCapacity: true)
    }
    try body(text)
  }
}
