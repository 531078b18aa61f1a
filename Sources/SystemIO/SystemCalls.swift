import CLinux
import Glibc

/// The one place where each system call is made: a failed one throws its error number, an interrupted one is repeated.
enum SystemCalls {
  /// open(2).
  static func open(_ path: FilePath, _ flags: Int32, mode: mode_t = 0) throws(Errno) -> Int32 {
    // The path ends with a zero.
    try aboveStandardStreams(
      check { unsafe path.withCString { unsafe Glibc.open($0, flags | O_CLOEXEC, mode) } })
  }

  /// open(2) with O_TMPFILE, in the folder of a path.
  static func openUnnamed(beside target: FilePath, mode: mode_t) throws(Errno) -> Int32 {
    // The path ends with a zero.
    try aboveStandardStreams(check { unsafe target.withCString { unsafe clinux_open_unnamed($0, mode) } })
  }

  /// open(2) of a new file that a signal removes, with the slot to forget it by.
  static func create(_ path: FilePath, mode: mode_t) throws(Errno) -> (descriptor: Int32, slot: Int32) {
    var slot: Int32 = -1
    // The path ends with a zero; the C function copies it.
    let descriptor = try check {
      unsafe path.withCString { unsafe clinux_create_registered($0, mode, &slot) }
    }
    do throws(Errno) {
      return (try aboveStandardStreams(descriptor), slot)
    } catch {
      try? unlink(path)
      clinux_unregister(slot)
      throw error
    }
  }

  /// socket(2) and connect(2): a stream to whoever listens on a socket in the file system.
  static func connect(_ path: FilePath) throws(Errno) -> Int32 {
    var address = sockaddr_un()
    let room = MemoryLayout.size(ofValue: address.sun_path) - 1
    guard path.bytes.count <= room else { return try connectThroughProc(path) }
    address.sun_family = sa_family_t(AF_UNIX)
    // The address is zeroed, so the path ends with a zero.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.bytes) }
    let descriptor = try aboveStandardStreams(
      check { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) })
    do throws(Errno) {
      // connect reads the address as long as it is.
      _ = try check {
        unsafe withUnsafeBytes(of: &address) { address in
          unsafe Glibc.connect(
            descriptor, address.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(address.count))
        }
      }
    } catch {
      _ = close(descriptor)
      throw error
    }
    return descriptor
  }

  /// A socket's address holds 107 bytes, its path may have more.
  private static func connectThroughProc(_ path: FilePath) throws(Errno) -> Int32 {
    let place = FileDescriptor(try open(path, pathOnly))
    guard let short = FilePath("/proc/self/fd/\(place.number)") else { throw Errno(code: ENAMETOOLONG) }
    return try connect(short)
  }

  /// O_PATH, which the C library's header hides.
  static let pathOnly: Int32 = 0o10_000_000

  /// close(2) of a duplicate: what is written is handed to a network file system, which may refuse it now.
  static func flush(_ descriptor: Int32) throws(Errno) {
    let copy = try check { fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }
    if let error = close(copy) { throw error }
  }

  /// close(2). EINTR means closed on Linux; nothing is left to do on other errors, which are returned.
  static func close(_ descriptor: Int32) -> Errno? {
    Glibc.close(descriptor) == 0 || errno == EINTR ? nil : .last
  }

  /// fstat(2).
  static func status(of descriptor: Int32) throws(Errno) -> stat {
    var status = stat()
    _ = try check { unsafe fstat(descriptor, &status) }
    return status
  }

  /// stat(2), or lstat(2).
  static func status(of path: FilePath, followingLinks: Bool) throws(Errno) -> stat {
    var status = stat()
    let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
    // The path ends with a zero.
    _ = try check { unsafe path.withCString { unsafe fstatat(AT_FDCWD, $0, &status, flags) } }
    return status
  }

  /// mmap(2), private and read-only. The length must be positive.
  static func map(_ descriptor: Int32, byteCount: Int) throws(Errno) -> UnsafeRawBufferPointer {
    // The kernel chooses the address.
    let start = unsafe mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let start = unsafe start, unsafe start != MAP_FAILED else { throw .last }
    return unsafe UnsafeRawBufferPointer(start: start, count: byteCount)
  }

  /// mmap(2) of memory that is zero until it is written to. The length must be positive.
  static func reserve(byteCount: Int) throws(Errno) -> UnsafeMutableRawBufferPointer {
    // The kernel chooses the address.
    let start = unsafe mmap(
      nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let start = unsafe start, unsafe start != MAP_FAILED else { throw .last }
    return unsafe UnsafeMutableRawBufferPointer(start: start, count: byteCount)
  }

  /// mmap(2), private, of a file's pages in the place of reserved ones. What is written there stays in memory.
  static func map(
    _ descriptor: Int32, from offset: Int, over pages: UnsafeMutableRawBufferPointer
  ) throws(Errno) {
    // The pages are the caller's own.
    let start = unsafe mmap(
      pages.baseAddress, pages.count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE,
      descriptor, off_t(offset))
    guard unsafe start != MAP_FAILED else { throw .last }
  }

  /// munmap(2).
  static func unmap(_ region: UnsafeRawBufferPointer) {
    guard let start = region.baseAddress else { return }
    // The region came from mmap.
    _ = unsafe munmap(UnsafeMutableRawPointer(mutating: start), region.count)
  }

  /// madvise(2). Advice that the kernel refuses is no error.
  static func advise(_ region: UnsafeRawBufferPointer, _ advice: Int32) {
    guard let start = region.baseAddress else { return }
    // The region came from mmap.
    _ = unsafe madvise(UnsafeMutableRawPointer(mutating: start), region.count, advice)
  }

  /// posix_fadvise(2) for a whole file. Advice that the kernel refuses is no error.
  static func advise(_ descriptor: Int32, _ advice: Int32) {
    _ = posix_fadvise(descriptor, 0, 0, advice)
  }

  /// pread(2).
  static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(Errno) -> Int {
    // The kernel writes at most the buffer's length.
    try check { unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
  }

  /// writev(2). At most IOV_MAX vectors.
  static func write(_ descriptor: Int32, _ vectors: UnsafeBufferPointer<iovec>) throws(Errno) -> Int {
    // The vectors' bases are valid while the caller holds what they point to.
    try check { unsafe writev(descriptor, vectors.baseAddress, Int32(vectors.count)) }
  }

  /// pwritev(2). At most IOV_MAX vectors.
  static func write(
    _ descriptor: Int32, _ vectors: UnsafeBufferPointer<iovec>, at offset: Int
  ) throws(Errno) -> Int {
    // The vectors' bases are valid while the caller holds what they point to.
    try check { unsafe pwritev(descriptor, vectors.baseAddress, Int32(vectors.count), off_t(offset)) }
  }

  /// ioctl(2) FICLONERANGE: all of the range or nothing. Beyond the limit of file sizes the kernel says EINVAL; here it is
  /// EFBIG, as for write(2).
  static func clone(_ source: Int32, _ range: TransferRange, to target: Int32) throws(Errno) {
    do throws(Errno) {
      _ = try check {
        clinux_clone_range(
          source, off_t(range.sourceOffset), off_t(range.byteCount), target, off_t(range.targetOffset))
      }
    } catch let error where error.code == EINVAL && range.targetOffset + range.byteCount > fileSizeLimit {
      throw Errno(code: EFBIG)
    }
  }

  /// getrlimit(2) RLIMIT_FSIZE.
  private static var fileSizeLimit: Int {
    var limit = rlimit()
    // RLIMIT_FSIZE; Swift does not see the enumeration that names it.
    guard unsafe getrlimit(__rlimit_resource_t(1), &limit) == 0 else { return .max }
    return Int(clamping: limit.rlim_cur)
  }

  /// copy_file_range(2): the bytes that were copied; 0 at the end of the source.
  static func copy(_ source: Int32, _ range: TransferRange, to target: Int32) throws(Errno) -> Int {
    try check {
      clinux_copy_range(
        source, off_t(range.sourceOffset), range.byteCount, target, off_t(range.targetOffset))
    }
  }

  /// poll(2) until a descriptor can be written.
  static func waitUntilWritable(_ descriptor: Int32) throws(Errno) {
    try wait(for: Int16(POLLOUT), descriptor)
  }

  /// poll(2) until a descriptor can be read, or has come to its end.
  static func waitUntilReadable(_ descriptor: Int32) throws(Errno) {
    try wait(for: Int16(POLLIN), descriptor)
  }

  private static func wait(for events: Int16, _ descriptor: Int32) throws(Errno) {
    var entry = pollfd(fd: descriptor, events: events, revents: 0)
    _ = try check { unsafe poll(&entry, 1, -1) }
  }

  /// linkat(2) of an open file without a name: from Linux 6.10 on by the descriptor alone, before through /proc. ENOENT
  /// where neither can be.
  static func link(_ descriptor: Int32, to path: FilePath) throws(Errno) {
    // The path ends with a zero.
    _ = try check { unsafe path.withCString { unsafe clinux_link_unnamed(descriptor, $0) } }
  }

  /// link(2).
  static func link(_ old: FilePath, to new: FilePath) throws(Errno) {
    // Both paths end with a zero.
    _ = try check { unsafe old.withCString { old in unsafe new.withCString { unsafe Glibc.link(old, $0) } } }
  }

  /// rename(2).
  static func rename(_ old: FilePath, to new: FilePath) throws(Errno) {
    // Both paths end with a zero.
    _ = try check {
      unsafe old.withCString { old in unsafe new.withCString { unsafe Glibc.rename(old, $0) } }
    }
  }

  /// renameat2(2) with RENAME_NOREPLACE.
  static func renameExclusively(_ old: FilePath, to new: FilePath) throws(Errno) {
    // Both paths end with a zero.
    _ = try check {
      unsafe old.withCString { old in unsafe new.withCString { unsafe clinux_rename_exclusive(old, $0) } }
    }
  }

  /// unlink(2).
  static func unlink(_ path: FilePath) throws(Errno) {
    // The path ends with a zero.
    _ = try check { unsafe path.withCString { unsafe Glibc.unlink($0) } }
  }

  /// fsync(2).
  static func synchronise(_ descriptor: Int32) throws(Errno) {
    _ = try check { fsync(descriptor) }
  }

  /// fchmod(2).
  static func setMode(_ descriptor: Int32, _ mode: mode_t) throws(Errno) {
    _ = try check { fchmod(descriptor, mode) }
  }

  /// usleep(3).
  static func pause(milliseconds: UInt32) {
    usleep(milliseconds * 1000)
  }

  /// flock(2), exclusive, without waiting.
  static func lock(_ descriptor: Int32) throws(Errno) {
    _ = try check { flock(descriptor, LOCK_EX | LOCK_NB) }
  }

  /// flock(2), shared, without waiting.
  static func lockShared(_ descriptor: Int32) throws(Errno) {
    _ = try check { flock(descriptor, LOCK_SH | LOCK_NB) }
  }

  /// faccessat(2): whether something has this name.
  static func exists(_ path: FilePath) -> Bool {
    // The path ends with a zero.
    unsafe path.withCString { unsafe access($0, F_OK) } == 0
  }

  /// statx(2): throws EPERM for a folder in which a file can be made, but neither renamed nor removed.
  static func requireRemoval(in folder: FilePath) throws(Errno) {
    // The path ends with a zero.
    guard unsafe folder.withCString({ unsafe clinux_only_grows($0) }) == 0 else { throw Errno(code: EPERM) }
  }

  /// access(2): whether this process has these rights.
  static func requireAccess(_ path: FilePath, _ mode: Int32) throws(Errno) {
    // The path ends with a zero.
    _ = try check { unsafe path.withCString { unsafe access($0, mode) } }
  }

  /// realpath(3).
  static func resolved(_ path: FilePath) throws(Errno) -> FilePath {
    // realpath allocates the result, which is copied and freed.
    guard let text = unsafe path.withCString({ unsafe realpath($0, nil) }) else { throw .last }
    defer { unsafe free(text) }
    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: strlen(text))
    guard let resolved = unsafe FilePath(bytes: bytes) else { throw Errno(code: ENOENT) }
    return resolved
  }

  /// A parent may have closed 0, 1 or 2: a file that got such a number would take what is printed to them.
  private static func aboveStandardStreams(_ descriptor: Int32) throws(Errno) -> Int32 {
    guard descriptor <= STDERR_FILENO else { return descriptor }
    defer { _ = close(descriptor) }
    return try check { fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) }
  }

  static func check<T: SignedInteger>(_ call: () -> T) throws(Errno) -> T {
    while true {
      let result = call()
      if result != -1 { return result }
      if errno != EINTR { throw .last }
    }
  }
}
