import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

/// DESIGN.md, promise 5: whatever fills up or is killed, no final name holds half a file.
@Suite struct OutputFaultTests {
  /// A file system of 64 KiB for one test, or the reason why there is none.
  private final class SmallFileSystem {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      let mounted = try #require(Tool("mount")).run(["-t", "tmpfs", "-o", "size=64k", "none", folder.path])
      guard mounted.status == 0 else { throw CannotMount(reason: mounted.errors) }
    }

    deinit {
      _ = try? Tool("umount")?.run([folder.path])
    }
  }

  private struct CannotMount: Error {
    let reason: String
  }

  /// Nil, with the reason printed, where this machine cannot mount.
  private func smallFileSystem() throws -> SmallFileSystem? {
    do {
      return try SmallFileSystem()
    } catch let error as CannotMount {
      print("skipped: no tmpfs can be mounted: \(error.reason)")
      return nil
    }
  }

  @Test(
    .enabled(if: geteuid() == 0, "only root mounts a small file system"),
    arguments: [OutputOptions(), .replacing, .direct])
  func `a full file system is told as such and nothing remains`(options: OutputOptions) throws {
    guard let disk = try smallFileSystem() else { return }
    let target = try path(disk.folder.file("clip"))
    do {
      let output = try OutputFile(creating: target, options: options, sources: [])
      let error = systemError { try output.write(distinctBytes(100_000)) }
      #expect(error == SystemError(.writeTarget, target, .call("pwritev", Errno(code: ENOSPC))))
    }
    #expect(disk.folder.names == [])
  }

  @Test(.enabled(if: geteuid() == 0, "only root mounts a small file system"))
  func `a full file system leaves the file that was to be replaced`() throws {
    guard let disk = try smallFileSystem() else { return }
    let name = try disk.folder.write([9], as: "clip")
    do {
      let output = try OutputFile(creating: try path(name), options: .replacing, sources: [])
      #expect(systemError { try output.write(distinctBytes(100_000)) }?.errno == Errno(code: ENOSPC))
    }
    #expect(disk.folder.names == ["clip"])
    #expect(try readFile(name) == [9])
  }

  @Test func `a limit on file sizes is told as such and nothing remains`() async throws {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
      try #require(setrlimit(__rlimit_resource_t(1), &limit) == 0)  // RLIMIT_FSIZE
      let folder = try TemporaryFolder()
      for options in [OutputOptions(), .replacing, .direct] {
        do {
          let output = try OutputFile(creating: try path(folder.file("clip")), options: options, sources: [])
          let error = systemError { try output.write([UInt8](repeating: 1, count: 10_000)) }
          #expect(error?.operation == .writeTarget)
          #expect(error?.errno == Errno(code: EFBIG))
        }
        #expect(folder.names == [])
      }
    }
  }

  @Test func `a full device is told as such and stays`() throws {
    let target = try path("/dev/full")
    let output = try OutputFile(creating: target, options: OutputOptions(), sources: [])
    #expect(systemError { try output.write([1]) }?.errno == Errno(code: ENOSPC))
    #expect(OnDisk("/dev/full")?.kind == S_IFCHR)
  }

  @Test(arguments: [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO, SIGPWR,
  ])
  func `a signal takes temporary files along and ends with 128 plus its number`(
    signalNumber: Int32
  ) async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write([9], as: "replaced")
    await #expect(processExitsWith: .exitCode(128 + signalNumber)) {
      [name = folder.path as String, signalNumber] in
      TemporaryFile.removeOnSignals()
      var outputs: [OutputFile] = []
      for (file, options) in [
        ("new", OutputOptions()), ("replaced", .replacing), ("direct", .direct), ("published", .direct),
      ] {
        outputs.append(try OutputFile(creating: try path("\(name)/\(file)"), options: options, sources: []))
      }
      try outputs[3].publish()
      #expect(try FileManager.default.contentsOfDirectory(atPath: name).count == 4)
      withExtendedLifetime(outputs) {
        // To the process, not to this thread: Dispatch's threads block signals.
        _ = kill(getpid(), signalNumber)
        while true { _ = pause() }
      }
    }
    #expect(folder.names == ["published", "replaced"])
    #expect(try readFile(folder.file("replaced")) == [9])
  }

  @Test(arguments: [SIGABRT, SIGSEGV, SIGILL, SIGTRAP, SIGFPE])
  func `a crash takes temporary files along and is still a crash`(signalNumber: Int32) async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write([9], as: "replaced")
    await #expect(processExitsWith: .signal(signalNumber)) { [name = folder.path as String, signalNumber] in
      TemporaryFile.removeOnSignals()
      var outputs: [OutputFile] = []
      for (file, options) in [("replaced", OutputOptions.replacing), ("direct", .direct)] {
        outputs.append(try OutputFile(creating: try path("\(name)/\(file)"), options: options, sources: []))
      }
      withExtendedLifetime(outputs) {
        _ = kill(getpid(), signalNumber)
        while true { _ = pause() }
      }
    }
    #expect(folder.names == ["replaced"])
  }

  @Test func `a trap takes temporary files along`() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .failure) { [name = folder.path as String] in
      TemporaryFile.removeOnSignals()
      let output = try OutputFile(creating: try path("\(name)/direct"), options: .direct, sources: [])
      withExtendedLifetime(output) { preconditionFailure("as a fault in the program would") }
    }
    #expect(folder.names == [])
  }

  @Test func `a killed process leaves nothing of a new file`() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .signal(SIGKILL)) { [name = folder.path as String] in
      let output = try OutputFile(creating: try path("\(name)/clip"), options: OutputOptions(), sources: [])
      try output.write([1, 2, 3])
      raise(SIGKILL)
    }
    #expect(folder.names == [])
  }

  @Test func `what a killed process leaves of a replacement is cleaned away`() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .signal(SIGKILL)) { [name = folder.path as String] in
      let output = try OutputFile(creating: try path("\(name)/clip"), options: .replacing, sources: [])
      try output.write([1, 2, 3])
      raise(SIGKILL)
    }
    #expect(folder.names.count == 1)
    #expect(try TemporaryFile.clean(try path(folder.path)).count == 1)
    #expect(folder.names == [])
  }
}
