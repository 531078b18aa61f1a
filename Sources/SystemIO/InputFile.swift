import Glibc

/// A file or standard input, read from front to back into memory of the reader's own.
public final class InputFile: Sendable {
  /// The path that was opened.
  public let path: FilePath
  /// Bytes when it was opened; nil where that cannot be known, as for a pipe.
  public let byteCount: Int?
  /// Which file it is.
  public let identity: FileIdentity?
  /// Nanoseconds since 1970 at which it had last been modified when it was opened.
  public let modified: Int
  private let descriptor: Int32
  private let use: Use

  /// What it is, for errors.
  public enum Use: Sendable {
    case manifest
    case journal

    fileprivate var opening: SystemError.Operation { self == .manifest ? .openManifest : .openJournal }
    fileprivate var reading: SystemError.Operation { self == .manifest ? .readManifest : .readJournal }
  }

  /// Opens a file of any kind that can be read, which a folder cannot.
  public init(opening path: FilePath, as use: Use = .manifest) throws(SystemError) {
    do throws(Errno) {
      descriptor = try SystemCalls.open(path, O_RDONLY | O_NOCTTY)
      guard try FileKind(SystemCalls.status(of: descriptor)) != .folder else {
        _ = SystemCalls.close(descriptor)
        throw Errno(code: EISDIR)
      }
    } catch {
      throw SystemError(use.opening, path, .call("open", error))
    }
    self.path = path
    self.use = use
    (byteCount, modified, identity) = Self.facts(of: descriptor)
  }

  /// Standard input, a manifest, which stays open.
  public init(standardInput: Void = ()) {
    path = .standardInput
    descriptor = STDIN_FILENO
    use = .manifest
    (byteCount, modified, identity) = Self.facts(of: STDIN_FILENO)
  }

  deinit {
    if descriptor != STDIN_FILENO { _ = SystemCalls.close(descriptor) }
  }

  /// Reads up to as many bytes as the buffer holds, waiting where none are there yet.
  ///
  /// Returns how many; 0 at the end.
  public func read(into buffer: inout [UInt8]) throws(SystemError) -> Int {
    unsafe try read("read", &buffer) { (bytes) throws(Errno) in
      while true {
        do throws(Errno) {
          return unsafe try SystemCalls.read(descriptor, into: bytes)
        } catch let error where error.code == EAGAIN {
          try SystemCalls.waitUntilReadable(descriptor)
        } catch {
          throw error
        }
      }
    }
  }

  /// Reads up to as many bytes as the buffer holds from an offset; the place of `read(into:)` stays.
  ///
  /// Returns how many; 0 at the end.
  public func read(into buffer: inout [UInt8], at offset: Int) throws(SystemError) -> Int {
    unsafe try read("pread", &buffer) { (bytes) throws(Errno) in
      unsafe try SystemCalls.read(descriptor, into: bytes, at: offset)
    }
  }

  private func read(
    _ name: String, _ buffer: inout [UInt8], _ call: (UnsafeMutableRawBufferPointer) throws(Errno) -> Int
  ) throws(SystemError) -> Int {
    // The call writes at most the buffer's length, while the closure runs. Array's own method erases the error's type.
    let result = unsafe buffer.withUnsafeMutableBytes { bytes -> Result<Int, Errno> in
      do throws(Errno) { return .success(unsafe try call(bytes)) } catch { return .failure(error) }
    }
    switch result {
    case .success(let count): return count
    case .failure(let error):
      throw SystemError(use.reading, path, .call(name, error))
    }
  }

  private static func facts(of descriptor: Int32) -> (
    byteCount: Int?, modified: Int, identity: FileIdentity?
  ) {
    guard let status = try? SystemCalls.status(of: descriptor) else { return (nil, 0, nil) }
    let modified = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
    return (FileKind(status) == .regular ? Int(status.st_size) : nil, modified, FileIdentity(status))
  }
}
