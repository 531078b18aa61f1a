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
    /// Somebody else's pipe or device, or standard output: written, neither published nor removed.
    case stream
    case finished
  }

  /// The path as it was asked for.
  public let path: FilePath
  private let target: FilePath
  private let options: OutputOptions
  private let descriptor: Int32
  private var state: State

  /// Standard output.
  public init(standardOutput: Void) {
    path = .standardOutput
    target = .standardOutput
    options = OutputOptions()
    descriptor = STDOUT_FILENO
    state = .stream
  }

  /// Starts an output.
  ///
  /// Throws when the target exists and may not be replaced, is a folder or a block device, or is one of the sources;
  /// or when nothing can be made in its folder.
  public init(
    creating path: FilePath, options: OutputOptions, sources: [FileIdentity]
  ) throws(SystemError) {
    let target = try OutputTarget(path, options: options, sources: sources)
    self.path = path
    self.target = target.path
    self.options = options
    do throws(Errno) {
      (descriptor, state) = try target.create(options)
    } catch let error where error.code == EEXIST {
      throw SystemError(.createTarget, path, .targetExists)
    } catch {
      throw SystemError(.createTarget, path, .call("open", error))
    }
  }

  /// Whether an output could be started, told without making anything.
  ///
  /// Throws what the initialiser would throw for the target's name and folder.
  public static func check(
    _ path: FilePath, options: OutputOptions, sources: [FileIdentity]
  ) throws(SystemError) {
    let target = try OutputTarget(path, options: options, sources: sources)
    do throws(Errno) {
      try target.requireWritableFolder()
    } catch {
      throw SystemError(.createTarget, path, .call("access", error))
    }
  }

  deinit {
    discard()
    if descriptor != STDOUT_FILENO { _ = SystemCalls.close(descriptor) }
  }

  /// Writes all pieces at the end of what is there.
  public func write(_ pieces: [Piece], made: [UInt8], sources: [MappedFile]) throws(SystemError) {
    try Gather(to: descriptor, path: path).write(pieces, made: made, sources: sources)
  }

  /// Gives the complete file its name.
  ///
  /// Throws `targetExists` when something has taken the name meanwhile and may not be replaced.
  public func publish() throws(SystemError) {
    do throws(Errno) {
      if options.durability == .file { try SystemCalls.synchronise(descriptor) }
      try giveName()
      if options.durability == .file { try synchroniseFolder() }
    } catch let error where error.code == EEXIST {
      throw SystemError(.publishTarget, path, .targetExists)
    } catch {
      // The folder is gone, or there is no /proc to link through.
      if case .unnamed = state, error.code == ENOENT, !OutputTarget.canLinkThroughProc {
        OutputTarget.linksUnnamedFiles.store(false, ordering: .relaxed)
        throw SystemError(.publishTarget, path, .mustBeWrittenAgain)
      }
      throw SystemError(.publishTarget, path, .call("link or rename", error))
    }
  }

  private func giveName() throws(Errno) {
    switch state {
    case .unnamed:
      try SystemCalls.link(descriptor, to: target)
    case .temporary(let temporary, let slot):
      if options.replacesExisting {
        try SystemCalls.rename(temporary, to: target)
      } else {
        try renameWithoutReplacing(temporary)
      }
      clinux_unregister_temporary(slot)
    case .direct(let slot):
      clinux_unregister_temporary(slot)
    case .stream, .finished:
      break
    }
    state = .finished
  }

  private func renameWithoutReplacing(_ temporary: FilePath) throws(Errno) {
    do throws(Errno) {
      try SystemCalls.renameExclusively(temporary, to: target)
    } catch let error where error.code == EINVAL || error.code == ENOSYS || error.code == ENOTSUP {
      try SystemCalls.link(temporary, to: target)
      try SystemCalls.unlink(temporary)
    }
  }

  private func synchroniseFolder() throws(Errno) {
    let folder = FileDescriptor(try SystemCalls.open(target.folder, O_RDONLY | O_DIRECTORY))
    try SystemCalls.synchronise(folder.number)
  }

  private func discard() {
    switch state {
    case .temporary(let temporary, let slot):
      try? SystemCalls.unlink(temporary)
      clinux_unregister_temporary(slot)
    case .direct(let slot):
      try? SystemCalls.unlink(target)
      clinux_unregister_temporary(slot)
    case .unnamed, .stream, .finished:
      break
    }
    state = .finished
  }
}
