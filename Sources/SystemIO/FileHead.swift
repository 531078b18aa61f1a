import Glibc

/// The size and the first bytes of a regular file.
public struct FileHead: Sendable {
  /// Bytes of the file.
  public let byteCount: Int
  /// Its first bytes: as many as were asked for, or all.
  public let bytes: [UInt8]

  /// Looks at a file; nil when it is not there, is no regular file, or cannot be read.
  public init?(of path: FilePath, count: Int) {
    // O_NONBLOCK, so that a FIFO does not wait for a writer.
    guard let descriptor = try? SystemCalls.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY) else { return nil }
    defer { _ = SystemCalls.close(descriptor) }
    guard let status = try? SystemCalls.status(of: descriptor), FileKind(status) == .regular else {
      return nil
    }
    byteCount = Int(status.st_size)
    var isRead = true
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: min(count, byteCount)) { buffer, initializedCount in
      do throws(Errno) {
        // pread fills at most the buffer.
        initializedCount = unsafe try SystemCalls.read(
          descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: 0)
      } catch {
        isRead = false
      }
    }
    guard isRead else { return nil }
  }
}
