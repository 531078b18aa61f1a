import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

/// What the kernel says of a name, told without the code under test.
struct OnDisk {
  /// Permission bits.
  let mode: mode_t
  /// `S_IFREG` and so on.
  let kind: mode_t
  let inode: UInt
  let linkCount: Int

  /// Nil when nothing has the name; a symbolic link is not followed.
  init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    mode = status.st_mode & 0o7777
    kind = status.st_mode & S_IFMT
    inode = UInt(status.st_ino)
    linkCount = Int(status.st_nlink)
  }

  /// The mode that a new file gets from a creation mode of 0666.
  static var newFileMode: mode_t {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("Umask:") }
    let digits = line?.split(separator: "\t").last.map(String.init) ?? "022"
    return 0o666 & ~(mode_t(digits, radix: 8) ?? 0o022)
  }
}

/// A path that is known to be one.
func path(_ text: String) throws -> FilePath {
  try #require(FilePath(text))
}

/// Sets a file's modification time to a fixed moment long ago, so that a later write surely changes it.
func makeOld(_ path: String) throws {
  let moment = timespec(tv_sec: 1_000_000_000, tv_nsec: 123_456_789)
  try #require(utimensat(AT_FDCWD, path, [moment, moment], 0) == 0)
}

/// Makes a FIFO.
func makeFIFO(_ path: String) throws {
  try #require(mkfifo(path, 0o600) == 0)
}

/// Runs `body` and returns the system error that it throws.
func systemError<R>(_ body: () throws -> R) -> SystemError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? SystemError
  }
}

/// Bytes that repeat only after a long while, so that a part in the wrong place is noticed.
func distinctBytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var generator = SeededGenerator(seed: seed)
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count + 8)
  while bytes.count < count { bytes += bigEndian(generator.next()) }
  return Array(bytes.prefix(count))
}

extension OutputOptions {
  /// Options that replace what exists.
  static var replacing: OutputOptions {
    var options = OutputOptions()
    options.replacesExisting = true
    return options
  }

  /// Options that write under the final name.
  static var direct: OutputOptions {
    var options = OutputOptions()
    options.publication = .direct
    return options
  }
}

extension OutputFile {
  /// Writes bytes of our own.
  func write(_ bytes: [UInt8]) throws {
    try write([.made(0..<bytes.count)], made: bytes, sources: [])
  }
}
