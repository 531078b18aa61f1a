import Glibc

/// The ways to move a range without bringing it into this process.
enum KernelMethod {
  case clone
  case copy

  /// The most that one call moves: signals are handled only between calls.
  private static let maximumClone = 256 << 20
  private static let maximumCopy = 64 << 20

  /// The call's name in messages.
  var call: String {
    switch self {
    case .clone: "FICLONERANGE"
    case .copy: "copy_file_range"
    }
  }

  /// The method that a user asks for by name.
  var method: CopyMethod {
    switch self {
    case .clone: .clone
    case .copy: .copy
    }
  }

  /// Where refusals that concern two devices are remembered.
  var refusals: DevicePairs {
    switch self {
    case .clone: DevicePairs.withoutClone
    case .copy: DevicePairs.withoutCopy
    }
  }

  /// Moves the start of a range by one call; returns the bytes that were moved, 0 at the end of the source.
  func move(_ range: TransferRange, from source: Int32, to target: Int32) throws(Errno) -> Int {
    switch self {
    case .clone:
      let part = range.prefix(Self.maximumClone)
      try SystemCalls.clone(source, part, to: target)
      return part.byteCount
    case .copy:
      return try SystemCalls.copy(source, range.prefix(Self.maximumCopy), to: target)
    }
  }
}

/// Why the kernel would not move a range although nothing is broken: another method may do.
enum Refusal {
  /// Never between these two devices.
  case devices
  /// Not this file: it is NOCOW, its blocks are larger than ours, or it is a swap file.
  case file

  /// Nil for errors that another method would meet too.
  init?(_ error: Errno) {
    switch error.code {
    case EXDEV, EOPNOTSUPP, ENOSYS, ENOTTY: self = .devices
    case EINVAL, EPERM, EACCES, ETXTBSY: self = .file
    default: return nil
    }
  }
}
