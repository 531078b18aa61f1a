import CLinux
import Glibc
import Synchronization

/// What is at the output's path before anything is made, and how to start making it.
struct OutputTarget {
  /// Where the output goes: behind symbolic links, where something exists already.
  let path: FilePath
  /// What is written as a stream and never replaced; nil for a file.
  private let stream: FileKind?
  private let existingMode: mode_t?

  /// Throws when the target may not or cannot be written, or not by this method. The sources are asked for only where a
  /// file exists.
  init(
    _ asked: FilePath, options: OutputOptions, sources: @autoclosure () -> [FileIdentity], method: CopyMethod
  ) throws(SystemError) {
    try self.init(asked, options: options, sources: sources())
    guard method == .clone else { return }
    if stream != nil {
      throw SystemError(.createTarget, asked, .cannotMove(.clone, "the output is a stream"))
    }
    if options.publication == .direct {
      throw SystemError(.createTarget, asked, .cannotMove(.clone, "--publish direct writes in order"))
    }
  }

  private init(_ asked: FilePath, options: OutputOptions, sources: @autoclosure () -> [FileIdentity])
    throws(SystemError)
  {
    guard let (path, status) = try Self.find(asked) else {
      self.path = asked
      stream = nil
      existingMode = nil
      return
    }
    let kind = FileKind(status)
    switch kind {
    case .folder, .blockDevice:
      throw SystemError(.createTarget, asked, .targetCannotBeReplaced(kind.rawValue))
    case .characterDevice, .fifo, .socket:
      stream = kind
      existingMode = nil
    case .regular:
      let identity = FileIdentity(status)
      guard !sources().contains(identity), !options.inputs.contains(identity) else {
        throw SystemError(.createTarget, asked, .targetIsSource)
      }
      guard options.replacesExisting else { throw SystemError(.createTarget, asked, .targetExists) }
      stream = nil
      // Not set-user-ID: the new file may have another owner.
      existingMode = status.st_mode & 0o777
    }
    self.path = path
  }

  /// What exists under the path, symbolic links followed; nil when nothing does.
  private static func find(_ asked: FilePath) throws(SystemError) -> (FilePath, stat)? {
    do throws(Errno) {
      let own = try SystemCalls.status(of: asked, followingLinks: false)
      guard own.st_mode & S_IFMT == S_IFLNK else { return (asked, own) }
    } catch let error where error.code == ENOENT {
      return nil
    } catch {
      throw SystemError(.createTarget, asked, .call("stat", error))
    }
    do throws(Errno) {
      let status = try SystemCalls.status(of: asked, followingLinks: true)
      // /dev/stdout and its like lead to pipes that have no path of their own.
      guard FileKind(status) == .regular else { return (asked, status) }
      return (try SystemCalls.resolved(asked), status)
    } catch let error where error.code == ENOENT {
      throw SystemError(.createTarget, asked, .targetCannotBeReplaced("a symbolic link to nothing"))
    } catch {
      throw SystemError(.createTarget, asked, .call("stat", error))
    }
  }

  /// The call that `create` makes, for messages.
  var creatingCall: String { stream == .socket ? "connect" : "open" }

  /// Opens what the output is first written to.
  func create(_ options: OutputOptions) throws(Errno) -> (descriptor: Int32, state: OutputFile.State) {
    switch stream {
    case nil: break
    case .socket?: return (try SystemCalls.connect(path), .stream)
    default: return (try SystemCalls.open(path, O_WRONLY | O_NOCTTY), .stream)
    }
    if options.publication == .direct {
      return try createDirectly()
    }
    if !options.replacesExisting, Self.linksUnnamedFiles.load(ordering: .relaxed) {
      do throws(Errno) {
        return (try SystemCalls.openUnnamed(beside: path, mode: 0o666), .unnamed)
      } catch let error where [EOPNOTSUPP, EISDIR, EINVAL].contains(error.code) {
        // The file system cannot make files without a name, or the kernel does not know the flag.
      } catch {
        throw error
      }
    }
    return try Self.createTemporary(beside: path, mode: existingMode)
  }

  /// The folder, opened to be forced to the disk later; -1 where that is not asked for.
  func openFolder(_ options: OutputOptions) throws(Errno) -> Int32 {
    guard options.durability == .file, stream == nil else { return -1 }
    return try SystemCalls.open(path.folder, O_RDONLY | O_DIRECTORY)
  }

  /// Throws when nothing can be made beside the target.
  func requireWritableFolder() throws(Errno) {
    if stream == nil { try SystemCalls.requireAccess(path.folder, W_OK | X_OK) }
  }

  private func createDirectly() throws(Errno) -> (Int32, OutputFile.State) {
    try SystemCalls.requireRemoval(in: path.folder)
    if existingMode != nil {
      // A descriptor that cannot be had must not cost the old file.
      _ = FileDescriptor(try SystemCalls.open(path, SystemCalls.pathOnly | O_NOFOLLOW))
      try SystemCalls.unlink(path)
    }
    let (descriptor, slot) = try SystemCalls.create(path, mode: existingMode ?? 0o666)
    return (descriptor, .direct(slot: slot))
  }

  /// Makes a file with a temporary name.
  static func createTemporary(
    beside path: FilePath, mode: mode_t? = nil
  ) throws(Errno) -> (descriptor: Int32, state: OutputFile.State) {
    try SystemCalls.requireRemoval(in: path.folder)
    while true {
      let temporary = path.folder.appending(TemporaryFile.makeName())
      let (descriptor, slot) = try SystemCalls.create(temporary, mode: 0o666)
      do throws(Errno) {
        if try isStillThere(descriptor) {
          if let mode { try? SystemCalls.setMode(descriptor, mode) }
          return (descriptor, .temporary(temporary, slot: slot))
        }
      } catch {
        _ = try? SystemCalls.unlink(temporary, madeAs: descriptor)
        clinux_unregister(slot)
        _ = SystemCalls.close(descriptor)
        throw error
      }
      // `clean` has removed it, or is about to.
      _ = try? SystemCalls.unlink(temporary, madeAs: descriptor)
      clinux_unregister(slot)
      _ = SystemCalls.close(descriptor)
    }
  }

  /// Locks a new temporary file for as long as it is open, so that `clean` leaves it alone; false where that came first.
  private static func isStillThere(_ descriptor: Int32) throws(Errno) -> Bool {
    do throws(Errno) {
      try SystemCalls.lock(descriptor)
    } catch let error where error.code == EWOULDBLOCK {
      return false
    } catch {
      // A file system without locks is no reason to fail; `clean` cannot lock there either.
      return true
    }
    return try SystemCalls.status(of: descriptor).st_nlink > 0
  }

  /// False once a file without a name could not be given one: that takes /proc, which a chroot may lack, or Linux 6.10.
  static let linksUnnamedFiles = Atomic(true)
}
