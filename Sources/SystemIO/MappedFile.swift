import CLinux
import Glibc
import Synchronization

/// A regular file, mapped whole, private and read-only, with its descriptor kept open.
///
/// A replaced or deleted file stays the right file. One that is rewritten or truncated meanwhile is found by
/// `checkUnchanged()`.
@safe public final class MappedFile: Sendable {
  /// The path that was opened.
  public let path: FilePath
  /// Bytes when it was opened.
  public let byteCount: Int
  /// Device and inode.
  public let identity: FileIdentity
  private let modified: Timestamp
  /// Open as long as this object lives; -1 for a file that was put together in memory.
  let descriptor: Int32
  private let guardSlot: Int32
  /// Nobody writes through it; what the file's own writers do to it is checked after use.
  nonisolated(unsafe) private let region: UnsafeRawBufferPointer
  /// Where the file is mapped once more for long reads; 0 until somebody asks.
  private let runAddress = Atomic<UInt>(0)

  private struct Timestamp: Equatable {
    let seconds: Int
    let nanoseconds: Int

    init(_ status: stat) {
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  /// Opens and maps a file, which takes five system calls and reads no byte of it.
  ///
  /// Throws `SystemError` when it cannot be opened or is no regular file.
  public init(path: FilePath) throws(SystemError) {
    let descriptor = try Self.call("open", path) { () throws(Errno) in
      // O_NONBLOCK, so that a FIFO without a writer does not wait; it changes nothing for a regular file.
      try SystemCalls.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    }
    let status: stat
    do throws(SystemError) {
      status = try Self.statusOfRegularFile(descriptor, path)
      unsafe region = try Self.map(descriptor, status, path)
    } catch {
      _ = SystemCalls.close(descriptor)
      throw error
    }
    self.path = path
    byteCount = Int(status.st_size)
    identity = FileIdentity(status)
    modified = Timestamp(status)
    // Headers are looked at here and there; reading around them would drag payload into the page cache.
    unsafe SystemCalls.advise(region, MADV_RANDOM)
    SystemCalls.advise(descriptor, POSIX_FADV_RANDOM)
    self.descriptor = descriptor
    // A page that is gone when it is read becomes zeros and a count; checkUnchanged() looks at the count.
    guardSlot = unsafe clinux_guard(region.baseAddress, region.count)
  }

  /// A file that was put together in memory and exists nowhere else. It owns the region, which came from mmap.
  @unsafe init(path: FilePath, assembled region: UnsafeRawBufferPointer) {
    self.path = path
    unsafe self.region = region
    byteCount = region.count
    identity = FileIdentity(stat())
    modified = Timestamp(stat())
    descriptor = -1
    guardSlot = unsafe clinux_guard(region.baseAddress, region.count)
  }

  deinit {
    clinux_unguard(guardSlot)
    unsafe SystemCalls.unmap(region)
    if let run = unsafe UnsafeRawPointer(bitPattern: runAddress.load(ordering: .relaxed)) {
      unsafe SystemCalls.unmap(UnsafeRawBufferPointer(start: run, count: byteCount))
    }
    if descriptor >= 0 { _ = SystemCalls.close(descriptor) }
  }

  /// All bytes of the file.
  public var bytes: RawSpan {
    @_lifetime(borrow self)
    get {
      // The region stays mapped as long as this object lives.
      unsafe _overrideLifetime(RawSpan(_unsafeBytes: region), borrowing: self)
    }
  }

  /// Reads `count` bytes at an offset into memory of their own; fewer only at the end of the file.
  public func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    guard descriptor >= 0 else {
      let start = min(offset, byteCount)
      // The region stays mapped as long as this object lives.
      return unsafe Array(region[start..<start + min(count, byteCount - start)])
    }
    var failure: Errno?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      do throws(Errno) {
        // pread fills at most what is left of the buffer.
        initializedCount = unsafe try readAll(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
      } catch {
        failure = error
      }
    }
    if let failure { throw SystemError(.readSource, path, .call("pread", failure)) }
    return bytes
  }

  /// A call may come short anywhere; where the file ended when it was opened, no further one is made.
  private func readAll(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    var done = 0
    repeat {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = unsafe try SystemCalls.read(descriptor, into: rest, at: offset + done)
      guard count > 0 else { break }
      done += count
    } while done < buffer.count && offset + done < byteCount
    return done
  }

  /// Tells the kernel that a range of the file, which must lie inside it, is about to be read through the mapping.
  public func expectRead(of range: Range<Int>) {
    // The region stays mapped as long as this object lives.
    unsafe advise(unsafeBytes(in: range), MADV_WILLNEED)
  }

  /// Advice takes whole pages.
  @unsafe func advise(_ part: UnsafeRawBufferPointer, _ advice: Int32) {
    guard let start = part.baseAddress else { return }
    let inPage = Int(bitPattern: start) % Int(sysconf(Int32(_SC_PAGESIZE)))
    unsafe SystemCalls.advise(
      UnsafeRawBufferPointer(start: start - inPage, count: part.count + inPage), advice)
  }

  /// Whether another mapping shows the same file in the same state.
  public func isSame(as other: MappedFile) -> Bool {
    self === other
      || identity == other.identity && byteCount == other.byteCount && modified == other.modified
  }

  /// Throws when the file's size or modification time is no longer what it was when the file was opened, or when a
  /// part of it could not be read.
  ///
  /// The change time is not compared: renaming or protecting a source must not fail the jobs that read it.
  public func checkUnchanged() throws(SystemError) {
    if descriptor >= 0 { try checkStatus() }
    guard clinux_fault_count(guardSlot) == 0 else {
      throw SystemError(.readSource, path, .call("page fault", Errno(code: EIO)))
    }
  }

  private func checkStatus() throws(SystemError) {
    let status: stat
    do throws(Errno) {
      status = try SystemCalls.status(of: descriptor)
    } catch {
      throw SystemError(.readSource, path, .call("fstat", error))
    }
    guard Int(status.st_size) == byteCount else {
      throw SystemError(
        .readSource, path, .sourceChanged("its size went from \(byteCount) to \(status.st_size) bytes"))
    }
    guard Timestamp(status) == modified else {
      throw SystemError(.readSource, path, .sourceChanged("it was modified"))
    }
  }

  /// The region, for a vector of writev. Valid as long as this object is kept alive.
  @unsafe func unsafeBytes(in range: Range<Int>) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: region[range])
  }

  /// The same bytes for a long read by the kernel, through a mapping of their own: what is not announced in time is read
  /// ahead there, and not page by page. Valid as long as this object is kept alive.
  @unsafe func unsafeRun(in range: Range<Int>) -> UnsafeRawBufferPointer {
    let whole = unsafe UnsafeRawBufferPointer(start: runPointer ?? region.baseAddress, count: byteCount)
    return unsafe UnsafeRawBufferPointer(rebasing: whole[range])
  }

  /// Nil when there is no room for a second mapping. Nobody reads through it but the kernel, so it needs no guard.
  private var runPointer: UnsafeRawPointer? {
    if let known = unsafe UnsafeRawPointer(bitPattern: runAddress.load(ordering: .acquiring)) {
      return unsafe known
    }
    guard let made = unsafe try? SystemCalls.map(descriptor, byteCount: byteCount),
      let start = made.baseAddress
    else { return nil }
    let address = UInt(bitPattern: start)
    let first = runAddress.compareExchange(
      expected: 0, desired: address, ordering: .acquiringAndReleasing)
    if first.exchanged { return unsafe start }
    // Another thread was faster.
    unsafe SystemCalls.unmap(made)
    return unsafe UnsafeRawPointer(bitPattern: first.original)
  }

  private static func statusOfRegularFile(_ descriptor: Int32, _ path: FilePath) throws(SystemError) -> stat {
    let status = try call("fstat", path) { () throws(Errno) in try SystemCalls.status(of: descriptor) }
    let kind = FileKind(status)
    guard kind == .regular else { throw SystemError(.openSource, path, .notARegularFile(kind.rawValue)) }
    return status
  }

  private static func map(
    _ descriptor: Int32, _ status: stat, _ path: FilePath
  ) throws(SystemError) -> UnsafeRawBufferPointer {
    // An empty range cannot be mapped.
    guard status.st_size > 0 else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
    do throws(Errno) {
      return unsafe try SystemCalls.map(descriptor, byteCount: Int(status.st_size))
    } catch {
      throw SystemError(.openSource, path, .call("mmap", error))
    }
  }

  private static func call<T>(
    _ name: String, _ path: FilePath, _ body: () throws(Errno) -> T
  ) throws(SystemError) -> T {
    do throws(Errno) {
      return try body()
    } catch {
      throw SystemError(.openSource, path, .call(name, error))
    }
  }
}
