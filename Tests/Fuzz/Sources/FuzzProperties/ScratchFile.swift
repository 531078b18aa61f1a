import Glibc
import SystemIO

/// A file in memory that has no name but that of its descriptor, since a source opens a path.
final class ScratchFile {
  private let descriptor: Int32

  /// What opens it.
  let path: FilePath

  /// A file of these bytes; a system without shared memory is a violation.
  init(holding bytes: [UInt8]) throws(Violation) {
    let name = "/kerfless-\(getpid())-\(Self.random())"
    descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0, let path = FilePath("/proc/self/fd/\(descriptor)") else {
      throw Violation("shm_open: errno \(errno)")
    }
    self.path = path
    shm_unlink(name)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Violation("write: errno \(errno)") }
      written += count
    }
  }

  deinit {
    close(descriptor)
  }

  private static func random() -> UInt64 { UInt64.random(in: 0 ... .max) }
}
