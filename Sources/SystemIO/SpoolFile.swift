import Glibc

/// A file without a name, for what is too much to be kept in memory; it goes with its owner.
public final class SpoolFile {
  private let path: FilePath
  private let descriptor: Int32

  /// Makes one in a folder.
  public init(in folder: FilePath) throws(SystemError) {
    path = folder.appending(TemporaryFile.makeName())
    do throws(Errno) {
      descriptor = try SystemCalls.open(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
      try? SystemCalls.unlink(path)
    } catch {
      throw SystemError(.createTarget, path, .call("open", error))
    }
  }

  deinit {
    _ = SystemCalls.close(descriptor)
  }

  /// Writes bytes at the end.
  public func append(_ bytes: [UInt8]) throws(SystemError) {
    var gather = Gather(to: descriptor, path: path)
    try gather.write([.made(0..<bytes.count)], made: bytes, sources: [])
  }

  /// Reads so many bytes from an offset, which must have been written.
  public func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    var failure: Errno?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      do throws(Errno) {
        // pread fills at most the buffer.
        initializedCount = unsafe try SystemCalls.read(
          descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw SystemError(.readSource, path, .call("pread", failure)) }
    guard bytes.count == count else { throw SystemError(.readSource, path, .call("pread", Errno(code: EIO))) }
    return bytes
  }
}
