/// An error that a call may plausibly end with, and the exit codes that are right then.
struct Fault {
  let error: String
  let statuses: Set<Int32>

  private static let temporary = ["ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "ENOMEM"]

  private init(_ error: String, _ status: Int32) {
    self.error = error
    statuses = [status]
  }

  /// The same exit code for several errors; those that pass are 75, a broken medium is 74 and an interruption nothing.
  private static func each(_ errors: [String], else status: Int32) -> [Fault] {
    errors.map { error in
      if error == "EINTR" { return Fault(error, 0) }
      if error == "EIO" { return Fault(error, 74) }
      return Fault(error, temporary.contains(error) ? 75 : status)
    }
  }

  /// What may go wrong with a call.
  ///
  /// - Parameter demanded: The method that was asked for by name: it is not replaced by another one.
  static func all(for role: TracedCall.Role, demanded: String) -> [Fault] {
    let refusals = ["EXDEV", "EOPNOTSUPP", "ENOSYS", "ENOTTY", "EINVAL", "EPERM", "ETXTBSY"]
    switch role {
    case .openSource:
      return each(
        ["ENOENT", "EACCES", "ELOOP", "ESTALE", "EMFILE", "ENFILE", "ENOMEM", "EIO", "EINTR"], else: 66)
    case .statSource: return each(["ESTALE", "ENOMEM", "EIO"], else: 66)
    case .mapSource: return each(["EACCES", "ENODEV", "ENOMEM"], else: 66) + [Fault("EAGAIN", 75)]
    case .readSource, .checkSource: return each(["ESTALE", "ENOMEM", "EIO", "EINTR"], else: 74)
    case .lookAtTarget:
      return each(["EACCES", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "ENOMEM", "EIO"], else: 73)
    case .createTarget, .openFolder:
      return each(
        [
          "EACCES", "EROFS", "ENOENT", "EPERM", "ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "ENOMEM", "EIO",
          "EINTR",
        ],
        else: 73)
    case .removeOld: return each(["EACCES", "EBUSY", "EROFS", "EIO", "EINTR"], else: 73)
    case .clone:
      return each(refusals, else: demanded == "clone" ? 69 : 0)
        + each(["ENOSPC", "EDQUOT", "ENOMEM", "EIO", "EINTR", "EFBIG"], else: 74)
    case .copy:
      return each(refusals, else: demanded == "copy" ? 69 : 0)
        + each(["ENOSPC", "EDQUOT", "ENOMEM", "EIO", "EINTR", "EFBIG"], else: 74)
    case .write:
      return each(["ENOSPC", "EDQUOT", "EFBIG", "EPERM", "EFAULT", "EIO", "EINTR"], else: 74) + [
        Fault("EAGAIN", 0)
      ]
    case .synchronise: return each(["ENOSPC", "EDQUOT", "EIO", "EINTR"], else: 74)
    case .duplicate: return each(["EMFILE"], else: 75)
    case .flush: return each(["ENOSPC", "EDQUOT", "EIO", "EINTR"], else: 74)
    case .publish: return each(["EEXIST", "EACCES", "EROFS", "ENOSPC", "EDQUOT", "EIO", "EINTR"], else: 73)
    case .report: return each(["EPIPE", "EIO", "EINTR"], else: 74) + [Fault("ENOSPC", 74)]
    // Nothing depends on these.
    case .signals: return [Fault("EINVAL", 0)]
    case .advice: return ["EINVAL", "ENOMEM", "EIO", "EBADF", "EAGAIN"].map { Fault($0, 0) }
    case .lock: return ["ENOLCK", "EINVAL", "ENOSYS", "EINTR", "EAGAIN"].map { Fault($0, 0) }
    case .setMode: return ["EPERM", "EROFS", "EIO", "EINTR"].map { Fault($0, 0) }
    case .close: return ["EIO", "EINTR", "ENOSPC", "EDQUOT"].map { Fault($0, 0) }
    }
  }
}
