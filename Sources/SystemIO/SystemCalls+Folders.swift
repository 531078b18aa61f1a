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

  /// Whether a path still leads to an open file: stat(2) of both.
  static func leads(_ path: FilePath, to descriptor: Int32) throws(Errno) -> Bool {
    let own = try status(of: descriptor)
    do throws(Errno) {
      return FileIdentity(try status(of: path, followingLinks: false)) == FileIdentity(own)
    } catch let error where error.code == ENOENT {
      return false
    }
  }

  /// unlink(2) of an open file; false where somebody has removed it or put another one in its place.
  static func unlink(_ path: FilePath, madeAs descriptor: Int32) throws(Errno) -> Bool {
    guard try leads(path, to: descriptor) else { return false }
    try unlink(path)
    return true
  }

  /// mkdir(2).
  static func makeFolder(_ path: FilePath, mode: mode_t) throws(Errno) {
    // The path ends with a zero.
    _ = try check { unsafe path.withCString { unsafe mkdir($0, mode) } }
  }
}
