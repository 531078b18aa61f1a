import ByteParsing
import Remuxing
import SystemIO

/// What tells a whole output from another file: its size, and a digest of the bytes in front of its payload.
public struct OutputStamp: Equatable, Sendable {
  /// Bytes of the output.
  public let byteCount: Int
  /// Bytes in front of the payload.
  public let headerByteCount: Int
  /// Their digest.
  public let headerDigest: UInt64

  init(byteCount: Int, headerByteCount: Int, headerDigest: UInt64) {
    self.byteCount = byteCount
    self.headerByteCount = headerByteCount
    self.headerDigest = headerDigest
  }

  /// What a plan will write.
  init(of plan: Plan) {
    var header = 0..<0
    if case .made(let range) = plan.pieces.first { header = range }
    var digest = Digest()
    digest.add(wordsOf: plan.made.rawBytes.extracting(header))
    self.init(byteCount: plan.byteCount, headerByteCount: header.count, headerDigest: digest.value)
  }

  /// What is at a path, where so many bytes are the header; nil when that is no such file.
  init?(of path: FilePath, headerByteCount: Int) {
    guard let head = FileHead(of: path, count: headerByteCount), head.bytes.count == headerByteCount else {
      return nil
    }
    var digest = Digest()
    digest.add(wordsOf: head.bytes.rawBytes)
    self.init(byteCount: head.byteCount, headerByteCount: headerByteCount, headerDigest: digest.value)
  }

  /// It and a job's digest in 32 bits: all that is kept of a finished job.
  func check(jobDigest: UInt64) -> UInt32 {
    var digest = Digest()
    digest.add(Int(truncatingIfNeeded: jobDigest))
    digest.add(byteCount)
    digest.add(Int(truncatingIfNeeded: headerDigest))
    return UInt32(truncatingIfNeeded: digest.value ^ digest.value >> 32)
  }
}
