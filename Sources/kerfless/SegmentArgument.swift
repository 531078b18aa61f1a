import Remuxing
import SystemIO

/// A segment as it is written: `FILE` or `FILE@START-END`, either end left out at will.
///
/// It splits at the last `@` only where what follows is a range; an `@` at the very end forces the whole name.
struct SegmentArgument {
  let path: FilePath
  let range: TimeRange

  init(_ bytes: [UInt8]) throws(CommandError) {
    guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else {
      path = try Arguments.path(bytes)
      range = .all
      return
    }
    let tail = Array(bytes[(at + 1)...])
    if tail.isEmpty {
      path = try Arguments.path(Array(bytes[..<at]))
      range = .all
    } else if let range = TimeRange(String(decoding: tail, as: UTF8.self)) {
      path = try Arguments.path(Array(bytes[..<at]))
      self.range = range
    } else {
      path = try Arguments.path(bytes)
      range = .all
    }
  }
}
