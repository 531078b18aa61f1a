import Glibc

/// A file that only grows, held by one process at a time.
public final class AppendFile: Sendable {
  /// The path that was opened.
  public let path: FilePath
  private let descriptor: Int32

  /// Opens or makes a file and takes its lock. Where it ends inside a line, that line is ended.
  ///
  /// Throws when another process has the lock, or it cannot be opened.
  public init(_ path: FilePath) throws(SystemError) {
    self.path = path
    let descriptor: Int32
    do throws(Errno) {
      descriptor = try SystemCalls.open(path, O_RDWR | O_CREAT | O_APPEND | O_NOCTTY, mode: 0o666)
    } catch {
      throw SystemError(.createTarget, path, .call("open", error))
    }
    self.descriptor = descriptor
    do throws(Errno) {
      try Self.lock(descriptor)
    } catch {
      throw SystemError(.createTarget, path, .call("flock", error))
    }
    if try !endsWithLine() { try append([UInt8(ascii: "\n")]) }
  }

  deinit {
    _ = SystemCalls.close(descriptor)
  }

  /// Whoever only looks whether the lock is held has it for some microseconds.
  private static func lock(_ descriptor: Int32) throws(Errno) {
    do throws(Errno) {
      try SystemCalls.lock(descriptor)
    } catch let error where error.code == EWOULDBLOCK {
      SystemCalls.pause(milliseconds: 20)
      try SystemCalls.lock(descriptor)
    } catch {
      throw error
    }
  }

  /// Whether a process holds the lock of such a file: asked for by sharing it for a moment.
  public static func isHeld(_ path: FilePath) throws(SystemError) -> Bool {
    do throws(Errno) {
      let descriptor = FileDescriptor(try SystemCalls.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY))
      try SystemCalls.lockShared(descriptor.number)
      return false
    } catch let error where error.code == EWOULDBLOCK {
      return true
    } catch {
      throw SystemError(.openSource, path, .call("flock", error))
    }
  }

  /// Writes bytes at the end, at once.
  ///
  /// Swift 6.3 crashes when it inlines this into the initialiser.
  @inline(never) public func append(_ bytes: [UInt8]) throws(SystemError) {
    var gather = Gather(to: descriptor, path: path)
    try gather.write([.made(0..<bytes.count)], made: bytes, sources: [])
  }

  /// Forces what was written to the disk: fdatasync(2).
  public func synchronise() throws(SystemError) {
    do throws(Errno) {
      try SystemCalls.synchroniseContent(descriptor)
    } catch {
      throw SystemError(.writeTarget, path, .call("fdatasync", error))
    }
  }

  private func endsWithLine() throws(SystemError) -> Bool {
    do throws(Errno) {
      let byteCount = Int(try SystemCalls.status(of: descriptor).st_size)
      guard byteCount > 0 else { return true }
      var last: UInt8 = 0
      _ = try unsafe withUnsafeMutableBytes(of: &last) { (bytes) throws(Errno) in
        unsafe try SystemCalls.read(descriptor, into: bytes, at: byteCount - 1)
      }
      return last == UInt8(ascii: "\n")
    } catch {
      throw SystemError(.readSource, path, .call("pread", error))
    }
  }
}

extension SystemError {
  /// Whether another process holds a lock.
  public var isLocked: Bool { errno?.code == EWOULDBLOCK }
}
