import Glibc
public import SystemIO

extension Failure {
  /// What the system would not do.
  public init(_ error: SystemError) {
    switch error.reason {
    case .call(let call, let errno):
      self.init(error.operation, call, errno, error.path)
    case .notARegularFile(let kind):
      self.init(
        .inputUnreadable, "it is \(kind)", path: error.path,
        advice: "give a regular file: the source is mapped, not read")
    case .targetExists:
      self.init(
        .targetExists, "the output exists already", path: error.path, advice: "use --force to replace it")
    case .targetCannotBeReplaced(let kind):
      self.init(
        .targetUnavailable, "the output is \(kind)", path: error.path,
        advice: error.path.isDevice ? Self.deviceAdvice : "choose another name")
    case .targetIsSource:
      self.init(
        .targetUnavailable, "the output is one of the sources", path: error.path,
        advice: "choose another name")
    case .targetChanged:
      self.init(
        .targetChanged, "another program has removed or replaced the output while it was written",
        path: error.path, advice: "run again when nothing else writes to this name")
    case .cannotMove(let method, let reason):
      self.init(
        .unavailable, "--io \(method.rawValue) cannot be used: \(reason)", path: error.path,
        advice: method == .clone
          ? "use --io auto, or keep both on one file system that shares blocks" : "use --io auto")
    case .sourceChanged(let change):
      self.init(
        .sourceChanged, "the source changed while it was read: \(change)", path: error.path,
        advice: "run again when nothing writes to it")
    }
  }

  private init(_ operation: SystemError.Operation, _ call: String, _ errno: Errno, _ path: FilePath) {
    let code: Code =
      switch (operation, errno.code) {
      case (_, EMFILE), (_, ENFILE): .descriptors
      case (_, ENOMEM), (_, ENOSPC), (_, EDQUOT), (_, EAGAIN): .resources
      case (_, EIO): .inputOutput
      case (.openSource, ENOENT), (.openSource, ENOTDIR), (.openManifest, ENOENT), (.openManifest, ENOTDIR),
        (.openJournal, ENOENT), (.openJournal, ENOTDIR):
        .inputMissing
      case (.openSource, _), (.openManifest, _), (.openJournal, _), (.listFolder, _): .inputUnreadable
      case (.createTarget, _), (.publishTarget, _): .targetUnavailable
      case (.readSource, _), (.readManifest, _), (.readJournal, _), (.writeTarget, _), (.removeTemporary, _),
        (.synchroniseFolder, _):
        .inputOutput
      }
    self.init(
      code, "cannot \(operation.rawValue): \(errno.text) (\(call))", path: path,
      advice: Self.advice(operation, call, errno, path))
  }

  private static func advice(
    _ operation: SystemError.Operation, _ call: String, _ errno: Errno, _ path: FilePath
  ) -> String? {
    let isTarget = operation == .createTarget || operation == .publishTarget
    return switch errno.code {
    case EINVAL where call == "fsync", EOPNOTSUPP where call == "fsync", ENOSYS where call == "fsync":
      "this file system forces nothing to the disk: use --sync none"
    case EPERM where call == "renameat2 or link",
      EINVAL where operation == .publishTarget, EOPNOTSUPP where operation == .publishTarget,
      ENOSYS where operation == .publishTarget:
      "where files can neither be linked nor renamed without replacing, use --publish direct"
    case EPERM where isTarget:
      "choose another name or folder: this folder, or the old file, is immutable or append-only (lsattr -d; such a "
        + "folder takes new files without --force and --publish direct), or somebody else's and sticky (ls -ld)"
    case ENOENT where isTarget && path.isDevice: deviceAdvice
    case EFBIG: "raise the limit of file sizes (ulimit -f), or write to a file system that takes larger ones"
    case ENOSPC, EDQUOT: "free some space and run again"
    case EMFILE, ENFILE: "raise the limit of open files (ulimit -n) and run again"
    case EACCES, EPERM, EROFS: "check the permissions"
    case ENOENT where isTarget: "make the folder \(path.folder) first"
    case ENOENT: "check the path"
    default: nil
    }
  }

  private static let deviceAdvice = "mount /proc, or use -o - for standard output"
}

extension FilePath {
  /// /dev/stdout and /dev/fd lead through /proc.
  fileprivate var isDevice: Bool { bytes.starts(with: Array("/dev/".utf8)) }
}
