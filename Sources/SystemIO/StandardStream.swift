import Glibc

/// Standard output and standard error, written at once and with errors reported.
public enum StandardStream: Int32, Sendable {
  case output = 1
  case error = 2

  /// Writes all bytes.
  public func write(_ bytes: [UInt8]) throws(SystemError) {
    var gather = Gather(to: rawValue, path: .standardOutput)
    try gather.write([.made(0..<bytes.count)], made: bytes, sources: [])
  }

  /// Whether a person is likely to look at it.
  public var isTerminal: Bool { isatty(rawValue) == 1 }
}
