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

  /// Removes the temporary files in a folder, and in those below it if asked to, that no living process holds a lock on.
  ///
  /// Returns their names. Throws when a folder cannot be listed or a file not be removed, after all others are.
  public static func clean(_ folder: FilePath, recursively: Bool = false) throws(SystemError) -> [FilePath] {
    var cleaning = Cleaning(isRecursive: recursively)
    cleaning.clean(folder)
    if let failure = cleaning.failure { throw failure }
    return cleaning.removed
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

}

/// Removes temporary files, folder by folder.
private struct Cleaning {
  let isRecursive: Bool
  private(set) var removed: [FilePath] = []
  /// The first of what went wrong.
  private(set) var failure: SystemError?

  init(isRecursive: Bool) {
    self.isRecursive = isRecursive
  }

  mutating func clean(_ folder: FilePath) {
    let names: [[UInt8]]
    do throws(SystemError) {
      names = try Folder.names(in: folder)
    } catch {
      failure = failure ?? error
      return
    }
    for name in names where name != [dot] && name != [dot, dot] {
      let isTemporary = TemporaryFile.isTemporary(name)
      guard isTemporary || isRecursive else { continue }
      let path = folder.appending(name)
      do throws(Errno) {
        // A link or FIFO of such a name is none of ours.
        switch try SystemCalls.status(of: path, followingLinks: false).st_mode & S_IFMT {
        case S_IFREG where isTemporary: if try removeUnlessLocked(path) { removed.append(path) }
        case S_IFDIR where isRecursive: clean(path)
        default: break
        }
      } catch let error where error.code == ENOENT {
        // Its owner has finished in the meantime.
      } catch {
        failure = failure ?? SystemError(.removeTemporary, path, .call("unlink", error))
      }
    }
  }

  private let dot = UInt8(ascii: ".")

  private func removeUnlessLocked(_ path: FilePath) throws(Errno) -> Bool {
    let descriptor = FileDescriptor(try SystemCalls.open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW))
    do throws(Errno) {
      try SystemCalls.lock(descriptor.number)
    } catch let error where error.code == EWOULDBLOCK {
      return false
    } catch {
      throw error
    }
    return try SystemCalls.unlink(path, madeAs: descriptor.number)
  }
}
