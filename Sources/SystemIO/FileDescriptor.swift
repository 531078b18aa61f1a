import Glibc

/// An open descriptor that is closed when its owner ends.
struct FileDescriptor: ~Copyable {
  let number: Int32

  init(_ number: Int32) {
    self.number = number
  }

  deinit {
    _ = SystemCalls.close(number)
  }
}

/// Which file a descriptor names, whatever its path.
public struct FileIdentity: Hashable, Sendable {
  /// `st_dev`.
  public let device: UInt
  /// `st_ino`.
  public let inode: UInt

  /// Whether the file system has a block device: network and memory file systems, and Btrfs, have numbers of their own,
  /// whose major part is 0.
  var isOnBlockDevice: Bool { device >> 8 & 0xfff != 0 }

  /// Of the file that a path leads to, links followed; nil where there is none.
  public init?(of path: FilePath) {
    guard let status = try? SystemCalls.status(of: path, followingLinks: true) else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
  }
}

/// What a path names.
enum FileKind: String {
  case regular = "a regular file"
  case folder = "a folder"
  case characterDevice = "a character device"
  case blockDevice = "a block device"
  case fifo = "a FIFO"
  case socket = "a socket"

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFDIR: self = .folder
    case S_IFCHR: self = .characterDevice
    case S_IFBLK: self = .blockDevice
    case S_IFIFO: self = .fifo
    case S_IFSOCK: self = .socket
    default: self = .regular
    }
  }
}
