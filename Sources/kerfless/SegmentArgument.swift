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

extension SegmentArgument {
  /// Segments as they are written, each file opened once: contiguous ranges of one join without a seam.
  static func requests(_ operands: [[UInt8]], trackID: UInt32?) throws(CommandError) -> [SegmentRequest] {
    var sources: [FilePath: Source] = [:]
    var requests: [SegmentRequest] = []
    for operand in operands {
      let segment = try SegmentArgument(operand)
      let source: Source
      if let opened = sources[segment.path] {
        source = opened
      } else {
        source = try open(segment.path, hint: segmentHint)
        sources[segment.path] = source
      }
      requests.append(SegmentRequest(source: source, range: segment.range, trackID: trackID))
    }
    return requests
  }

  private static let segmentHint = "a segment is FILE@START-END with times such as 12.5, 02:03.5 or 156au"

  /// A missing file with an @ in its name was perhaps meant to be a range of one.
  static func open(_ path: FilePath, hint: String) throws(CommandError) -> Source {
    try engine { () throws(Failure) in
      do throws(Failure) {
        let source = try Source(opening: path)
        // Never released: the process ends soon, and then the kernel takes the mapping back without being asked.
        unsafe _ = Unmanaged.passRetained(source)
        return source
      } catch {
        var failure = error
        if failure.code == .inputMissing, path.bytes.contains(UInt8(ascii: "@")) { failure.advice = hint }
        throw failure
      }
    }
  }
}
