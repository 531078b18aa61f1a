import Remuxing
import SystemIO

/// The lines of a part of a manifest that hold something, one after the other.
struct ManifestLines: ~Copyable {
  private var lines: LineReader
  private let part: ManifestPart
  private var job: Int

  /// Throws when the manifest cannot be read.
  init(_ manifest: InputFile, _ part: ManifestPart) throws(Failure) {
    // A packed manifest has no empty lines, so its lines are numbered as its jobs are.
    let bytes = try ManifestBytes(manifest, frames: part.frames)
    try bytes.requireText()
    lines = LineReader(bytes, firstNumber: part.firstJob + 1)
    self.part = part
    job = part.firstJob - 1
  }

  /// Bytes of the file up to here: to the end of the line, or of the packed bytes that have been read.
  var bytesTaken: Int { lines.bytesTaken }

  /// The number of the line, from 1.
  var number: Int { lines.number }

  /// Whether the line is too long to be kept.
  var isTooLong: Bool { lines.isTooLong }

  /// The line without its end.
  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { lines.bytes }
  }

  /// Goes on to the next line; false when there is none.
  ///
  /// Throws when the manifest cannot be read or decoded.
  mutating func next() throws(Failure) -> Bool {
    while !part.isOver(atLine: lines.number), try lines.next() {
      if lines.isBlank { continue }
      job += 1
      if part.contains(job, line: lines.number - 1) { return true }
    }
    // Whether a frame is as its index says is known at the frame's end.
    if part.frames != nil { try lines.skipRest() }
    return false
  }
}

extension LineReader {
  /// Whether the line holds no more than white space.
  fileprivate var isBlank: Bool {
    guard !isTooLong else { return false }
    let bytes = bytes
    for index in 0..<bytes.count {
      let byte = bytes[index]
      guard byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") else {
        return false
      }
    }
    return true
  }
}
