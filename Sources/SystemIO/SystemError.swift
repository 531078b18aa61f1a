import CLinux
import Glibc

/// An error number of the kernel.
public struct Errno: Error, Equatable, Sendable {
  /// As in errno.h.
  public let code: Int32

  /// An error number.
  public init(code: Int32) {
    self.code = code
  }

  /// The number that the last call left.
  static var last: Errno { Errno(code: errno) }

  /// EFAULT: memory that a call was to read from is not there any more.
  public var isBadAddress: Bool { code == EFAULT }

  /// What it says: "No such file or directory".
  public var text: String {
    // The C library's own table: a constant string, never NULL.
    unsafe String(cString: clinux_error_text(code))
  }
}

/// What the system would not do, to which file, and why.
public struct SystemError: Error, Equatable, Sendable {
  /// What was being done.
  public enum Operation: String, Sendable {
    case openSource = "open the source"
    case readSource = "read the source"
    case openManifest = "open the manifest"
    case readManifest = "read the manifest"
    case openJournal = "open the journal"
    case readJournal = "read the journal"
    case createTarget = "create the target"
    case writeTarget = "write the target"
    case publishTarget = "give the target its name"
    case synchroniseFolder = "force the name of the target, which is complete, to the disk"
    case listFolder = "list the folder"
    case removeTemporary = "remove the temporary file"
  }

  /// Why it could not be done.
  public enum Reason: Equatable, Sendable {
    /// A system call failed.
    case call(String, Errno)
    /// Only regular files can be mapped; this is something else.
    case notARegularFile(String)
    /// The target exists and may not be replaced.
    case targetExists
    /// The target is a folder or a block device.
    case targetCannotBeReplaced(String)
    /// The target is one of the sources.
    case targetIsSource
    /// Somebody has removed the target while it was written, or put another file in its place.
    case targetChanged
    /// The copy method that was asked for cannot move this payload, for a reason in words.
    case cannotMove(CopyMethod, String)
    /// The source has another size or modification time than when it was opened.
    case sourceChanged(String)
  }

  /// What was being done.
  public let operation: Operation
  /// To which file.
  public let path: FilePath
  /// Why not.
  public let reason: Reason

  /// An error from its parts.
  public init(_ operation: Operation, _ path: FilePath, _ reason: Reason) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }

  /// The error number, when a system call failed.
  public var errno: Errno? {
    if case .call(_, let errno) = reason { errno } else { nil }
  }
}
