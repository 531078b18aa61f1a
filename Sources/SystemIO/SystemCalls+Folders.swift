import Glibc

extension SystemCalls {
  /// read(2).
  static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    // The kernel writes at most the buffer's length.
    try check { unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
  }

  /// fdatasync(2).
  static func synchroniseContent(_ descriptor: Int32) throws(Errno) {
    _ = try check { fdatasync(descriptor) }
  }

  /// mkdir(2).
  static func makeFolder(_ path: FilePath, mode: mode_t) throws(Errno) {
    // The path ends with a zero.
    _ = try check { unsafe path.withCString { unsafe mkdir($0, mode) } }
  }
}
