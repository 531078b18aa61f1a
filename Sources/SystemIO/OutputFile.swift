import CLinux
import Glibc
import Synchronization

/// How an output gets its name.
public enum Publication: String, CaseIterable, Sendable {
  /// Written under no name or a temporary one, then linked or renamed: the name holds a complete file or nothing.
  case rename
  /// Written under its own name and removed on failure, for mounts that cannot rename.
  case direct
}

/// What is forced to the disk before an output counts as done.
public enum Durability: String, CaseIterable, Sendable {
  /// Nothing.
  case none
  /// The file and the entry in its folder.
  case file
}

/// How an output is made.
public struct OutputOptions: Equatable, Sendable {
  /// Whether an existing file may be replaced.
  public var replacesExisting = false
  /// How the output gets its name.
  public var publication = Publication.rename
  /// What is forced to the disk.
  public var durability = Durability.none
  /// Files that are never replaced, beside the sources: a manifest, say.
  public var inputs: [FileIdentity] = []

  /// No replacing, by rename, nothing forced.
  public init() {}
}

/// A file in the making. Until `publish()` nothing is to be seen under its name; if that is never called, nothing remains.
public final class OutputFile {
  enum State {
    /// No name yet: the kernel drops it with the descriptor.
    case unnamed
    /// A name that a signal or `discard` removes.
    case temporary(FilePath, slot: Int32)
    /// Its own name already; removed on failure.
    case direct(slot: Int32)
    /// Somebody else's pipe, device or socket, or standard output: written, neither published nor removed.
    case stream
    case finished
  }

  /// The path as it was asked for.
  public let path: FilePath
  private let target: FilePath
  private let options: OutputOptions
  private let method: CopyMethod
  private var descriptor: Int32
  /// The folder that holds the target, where its entry is to be forced to the disk; else -1.
  private let folder: Int32
  private var state: State
  /// What has been written.
  private var byteCount = 0

  /// Standard output; of the options only the durability counts.
  ///
  /// Throws when it leads into one of the sources, or the method cannot be used.
  public init(
    standardOutput options: OutputOptions, sources: [FileIdentity], by method: CopyMethod = .auto
  ) throws(SystemError) {
    guard method != .clone else {
      throw SystemError(.createTarget, .standardOutput, .cannotMove(.clone, "the output is a stream"))
    }
    if let status = try? SystemCalls.status(of: STDOUT_FILENO), sources.contains(FileIdentity(status)) {
      throw SystemError(.createTarget, .standardOutput, .targetIsSource)
    }
    path = .standardOutput
    target = .standardOutput
    self.options = options
    self.method = method
    descriptor = STDOUT_FILENO
    folder = -1
    state = .stream
  }

  /// Starts an output.
  ///
  /// Throws when the target exists and may not be replaced, is a folder or a block device, or is one of the sources;
  /// when the method cannot be used; or when nothing can be made in its folder.
  public init(
    creating path: FilePath, options: OutputOptions, sources: @autoclosure () -> [FileIdentity],
    by method: CopyMethod = .auto
  ) throws(SystemError) {
    let target = try OutputTarget(path, options: options, sources: sources(), method: method)
    self.path = path
    self.target = target.path
    self.options = options
    self.method = method
    do throws(Errno) {
      // Opened first: where it cannot be, nothing shall be written.
      folder = try target.openFolder(options)
      do throws(Errno) {
        (descriptor, state) = try target.create(options)
      } catch {
        if folder >= 0 { _ = SystemCalls.close(folder) }
        throw error
      }
    } catch let error where error.code == EEXIST {
      throw SystemError(.createTarget, path, .targetExists)
    } catch {
      throw SystemError(.createTarget, path, .call(target.creatingCall, error))
    }
  }

  /// Whether an output could be started, told without making anything.
  ///
  /// Throws what the initialiser would throw for the target's name and folder.
  public static func check(
    _ path: FilePath, options: OutputOptions, sources: [FileIdentity], by method: CopyMethod = .auto
  ) throws(SystemError) {
    let target = try OutputTarget(path, options: options, sources: sources, method: method)
    do throws(Errno) {
      try target.requireWritableFolder()
    } catch {
      throw SystemError(.createTarget, path, .call("access", error))
    }
  }

  deinit {
    discard()
    if folder >= 0 { _ = SystemCalls.close(folder) }
    if descriptor != STDOUT_FILENO { _ = SystemCalls.close(descriptor) }
  }

  /// Writes all pieces behind what has been written; a stream, and a file under its own name, is always gathered.
  ///
  /// Throws `cannotMove` when the method was asked for by name and cannot be, `sourceChanged` or EFAULT when a source
  /// ends too soon, and what the kernel would not write.
  @discardableResult
  public func write(
    _ pieces: [Piece], made: [UInt8], sources: [MappedFile]
  ) throws(SystemError) -> TransferReport {
    if case .stream = state {
      var gather = Gather(to: descriptor, path: path)
      try gather.write(pieces, made: made, sources: sources)
      return TransferReport(gathered: pieces)
    }
    // A mount that cannot rename may take bytes only in their order.
    var transfer = Transfer(
      to: descriptor, path: path, at: byteCount, method: options.publication == .direct ? .gather : method,
      made: made, sources: sources)
    try transfer.move(pieces)
    byteCount = transfer.position
    return transfer.report
  }

  /// Gives the complete file its name.
  ///
  /// Throws `targetExists` when something has taken the name meanwhile and may not be replaced, `targetChanged` when a
  /// file that has its name already has lost it, and where only the name could not be forced to the disk: then the file
  /// is there and whole.
  public func publish() throws(SystemError) {
    if options.durability == .file {
      try attempt(.writeTarget, "fsync") { () throws(Errno) in try synchroniseFile() }
    }
    try giveName()
    if folder >= 0 {
      try attempt(.synchroniseFolder, "fsync") { () throws(Errno) in try SystemCalls.synchronise(folder) }
    }
  }

  private func giveName() throws(SystemError) {
    switch state {
    case .unnamed:
      do throws(Errno) {
        try SystemCalls.link(descriptor, to: target)
      } catch let error where error.code == ENOENT {
        try moveToTemporary()
        return try publish()
      } catch {
        try attempt(.publishTarget, "linkat") { () throws(Errno) in throw error }
      }
    case .temporary(let temporary, let slot):
      try attempt(.writeTarget, "close") { () throws(Errno) in try SystemCalls.flush(descriptor) }
      if options.replacesExisting {
        try attempt(.publishTarget, "rename") { () throws(Errno) in
          try SystemCalls.rename(temporary, to: target)
        }
      } else {
        try attempt(.publishTarget, "renameat2 or link") { () throws(Errno) in
          try renameWithoutReplacing(temporary)
        }
      }
      clinux_unregister(slot)
    case .direct(let slot):
      try attempt(.writeTarget, "close") { () throws(Errno) in try SystemCalls.flush(descriptor) }
      let isStillThere = try attempt(.publishTarget, "stat") { () throws(Errno) in
        try SystemCalls.leads(target, to: descriptor)
      }
      guard isStillThere else { throw SystemError(.publishTarget, path, .targetChanged) }
      clinux_unregister(slot)
    case .stream, .finished:
      break
    }
    state = .finished
  }

  /// Copies a file without a name, which cannot be linked, to one with a temporary name; the next outputs begin so.
  private func moveToTemporary() throws(SystemError) {
    let made = try attempt(.publishTarget, "open") { () throws(Errno) in
      try OutputTarget.createTemporary(beside: target)
    }
    let unnamed = FileDescriptor(descriptor)
    (descriptor, state) = made
    OutputTarget.linksUnnamedFiles.store(false, ordering: .relaxed)
    var rest = TransferRange(sourceOffset: 0, targetOffset: 0, byteCount: byteCount)
    while rest.byteCount > 0 {
      let count = try attempt(.writeTarget, "copy_file_range") { () throws(Errno) in
        let count = try KernelMethod.copy.move(rest, from: unnamed.number, to: descriptor)
        guard count > 0 else { throw Errno(code: EIO) }
        return count
      }
      rest = rest.dropFirst(count)
    }
  }

  private func attempt<R>(
    _ operation: SystemError.Operation, _ call: String, _ body: () throws(Errno) -> R
  ) throws(SystemError) -> R {
    do throws(Errno) {
      return try body()
    } catch let error where error.code == EEXIST {
      throw SystemError(operation, path, .targetExists)
    } catch {
      throw SystemError(operation, path, .call(call, error))
    }
  }

  /// A pipe or a terminal cannot be forced to a disk, and need not.
  private func synchroniseFile() throws(Errno) {
    do throws(Errno) {
      try SystemCalls.synchronise(descriptor)
    } catch let error where error.code == EINVAL || error.code == EROFS {
      guard case .stream = state else { throw error }
    }
  }

  private func renameWithoutReplacing(_ temporary: FilePath) throws(Errno) {
    do throws(Errno) {
      try SystemCalls.renameExclusively(temporary, to: target)
    } catch let error where error.code == EINVAL || error.code == ENOSYS || error.code == ENOTSUP {
      try SystemCalls.link(temporary, to: target)
      try SystemCalls.unlink(temporary)
    }
  }

  private func discard() {
    switch state {
    case .temporary(let temporary, let slot):
      _ = try? SystemCalls.unlink(temporary, madeAs: descriptor)
      clinux_unregister(slot)
    case .direct(let slot):
      _ = try? SystemCalls.unlink(target, madeAs: descriptor)
      clinux_unregister(slot)
    case .unnamed, .stream, .finished:
      break
    }
    state = .finished
  }
}
