import CLinux
import Glibc

/// Temporary files beside their targets: `.kerfless-<16 hex digits>.tmp`.
public enum TemporaryFile {
  private static let prefix = Array(".kerfless-".utf8)
  private static let suffix = Array(".tmp".utf8)
  private static let digits = Array("0123456789abcdef".utf8)

  /// Makes signals that end the process remove its unfinished files and exit with 128 + signal.
  public static func removeOnSignals() {
    clinux_install_signal_handlers()
  }

  /// Removes the temporary files in a folder that no living process holds a lock on.
  ///
  /// Returns their names. Throws when the folder cannot be listed or a file not be removed.
  public static func clean(_ folder: FilePath) throws(SystemError) -> [FilePath] {
    var removed: [FilePath] = []
    var failure: SystemError?
    for name in try Folder.names(in: folder) where isTemporary(name) {
      let path = folder.appending(name)
      do throws(Errno) {
        if try removeUnlessLocked(path) { removed.append(path) }
      } catch let error where error.code == ENOENT {
        // Its owner has finished in the meantime.
      } catch {
        // The others shall go all the same.
        failure = failure ?? SystemError(.removeTemporary, path, .call("unlink", error))
      }
    }
    if let failure { throw failure }
    return removed
  }

  /// A name that nobody else has.
  static func makeName() -> [UInt8] {
    let number = UInt64.random(in: .min ... .max)
    return prefix + (0..<16).map { digits[Int(number >> UInt64(60 - 4 * $0) & 0xf)] } + suffix
  }

  static func isTemporary(_ name: [UInt8]) -> Bool {
    name.count == prefix.count + 16 + suffix.count && name.starts(with: prefix)
      && name.suffix(suffix.count).elementsEqual(suffix)
      && name[prefix.count..<prefix.count + 16].allSatisfy(digits.contains)
  }

  private static func removeUnlessLocked(_ path: FilePath) throws(Errno) -> Bool {
    // A folder, link or FIFO of such a name is none of ours.
    let status = try SystemCalls.status(of: path, followingLinks: false)
    guard status.st_mode & S_IFMT == S_IFREG else { return false }
    let descriptor = FileDescriptor(try SystemCalls.open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW))
    do throws(Errno) {
      try SystemCalls.lock(descriptor.number)
    } catch let error where error.code == EWOULDBLOCK {
      return false
    } catch {
      throw error
    }
    try SystemCalls.unlink(path)
    return true
  }
}
