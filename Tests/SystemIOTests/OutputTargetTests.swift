import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

/// DESIGN.md, 5.7: what may stand at an output's name.
@Suite struct OutputTargetTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func start(
    _ name: String, _ options: OutputOptions = OutputOptions(), sources: [FileIdentity] = []
  ) throws -> OutputFile {
    try OutputFile(creating: try path(folder.file(name)), options: options, sources: sources)
  }

  private func link(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(name), withDestinationPath: folder.file(destination))
  }

  // MARK: Links

  @Test func `a symbolic link is followed and stays a link`() throws {
    _ = try folder.write([9], as: "real")
    try link("name", to: "real")
    let output = try start("name", .replacing)
    try output.write([1, 2])
    try output.publish()
    #expect(try readFile(folder.file("real")) == [1, 2])
    #expect(OnDisk(folder.file("name"))?.kind == S_IFLNK)
    #expect(folder.names == ["name", "real"])
  }

  @Test func `a symbolic link into another folder is written there`() throws {
    let other = try TemporaryFolder()
    _ = try other.write([9], as: "real")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("name"), withDestinationPath: other.file("real"))
    let output = try start("name", .replacing)
    #expect(other.names.count == 2)
    try output.publish()
    #expect(other.names == ["real"])
    #expect(try readFile(other.file("real")) == [])
  }

  @Test(arguments: [OutputOptions(), .replacing, .direct])
  func `a symbolic link to nothing is refused`(options: OutputOptions) throws {
    try link("name", to: "nothing")
    let error = systemError { try start("name", options) }
    #expect(error?.reason == .targetCannotBeReplaced("a symbolic link to nothing"))
    #expect(folder.names == ["name"])
  }

  @Test func `a symbolic link to an existing file needs leave to replace`() throws {
    _ = try folder.write([9], as: "real")
    try link("name", to: "real")
    #expect(systemError { try start("name") }?.reason == .targetExists)
  }

  // MARK: Sources

  @Test(arguments: [OutputOptions(), .replacing, .direct])
  func `a target that is a source is refused under every name`(options: OutputOptions) throws {
    let name = try folder.write([9], as: "source")
    try #require(Glibc.link(name, folder.file("hard link")) == 0)
    try link("symbolic link", to: "source")
    let source = try MappedFile(path: try path(name))
    for target in [
      "source", "hard link", "symbolic link", "../\((folder.path as NSString).lastPathComponent)/source",
    ] {
      let error = systemError { try start(target, options, sources: [source.identity]) }
      #expect(error?.operation == .createTarget)
      #expect(error?.reason == .targetIsSource, "\(target)")
    }
    #expect(try readFile(name) == [9])
  }

  @Test func `a file that is no source may be replaced`() throws {
    let source = try MappedFile(path: try path(try folder.write([9], as: "source")))
    _ = try folder.write([9], as: "clip")
    let output = try start("clip", .replacing, sources: [source.identity])
    try output.publish()
    #expect(try readFile(folder.file("clip")) == [])
  }

  // MARK: Things that are no files

  @Test(arguments: [OutputOptions(), .replacing, .direct])
  func `a folder is refused`(options: OutputOptions) throws {
    try FileManager.default.createDirectory(atPath: folder.file("folder"), withIntermediateDirectories: false)
    #expect(systemError { try start("folder", options) }?.reason == .targetCannotBeReplaced("a folder"))
  }

  @Test(.enabled(if: geteuid() == 0, "only root makes block devices"))
  func `a block device is refused`() throws {
    // Loop device 255, which need not exist behind its node.
    try #require(mknod(folder.file("block"), S_IFBLK | 0o600, 7 << 8 | 255) == 0)
    let error = systemError { try start("block", .replacing) }
    #expect(error?.reason == .targetCannotBeReplaced("a block device"))
  }

  @Test(.timeLimit(.minutes(1)), arguments: [OutputOptions(), .replacing, .direct])
  func `a FIFO is written as a stream and stays`(options: OutputOptions) throws {
    try makeFIFO(folder.file("fifo"))
    let reader = open(folder.file("fifo"), O_RDONLY | O_NONBLOCK)
    defer { _ = close(reader) }
    do {
      let output = try start("fifo", options)
      try output.write([1, 2, 3])
      try output.publish()
    }
    var buffer = [UInt8](repeating: 0, count: 10)
    #expect(read(reader, &buffer, 10) == 3)
    #expect(buffer[..<3] == [1, 2, 3])
    #expect(OnDisk(folder.file("fifo"))?.kind == S_IFIFO)
    #expect(folder.names == ["fifo"])
  }

  @Test(arguments: [OutputOptions(), .replacing, .direct])
  func `the null device is written as a stream and stays`(options: OutputOptions) throws {
    do {
      let output = try OutputFile(creating: try path("/dev/null"), options: options, sources: [])
      try output.write([1, 2, 3])
      try output.publish()
    }
    #expect(OnDisk("/dev/null")?.kind == S_IFCHR)
  }

  // MARK: Names

  @Test(arguments: [OutputOptions(), .replacing, .direct])
  func `a name of 255 bytes is as good as any`(options: OutputOptions) throws {
    let name = String(repeating: "n", count: 255)
    let output = try start(name, options)
    try output.write([1])
    try output.publish()
    #expect(folder.names == [name])
  }

  @Test(arguments: [OutputOptions(), .replacing, .direct])
  func `a name of 256 bytes yields the kernel's reason and leaves nothing`(options: OutputOptions) throws {
    let error = systemError { try start(String(repeating: "n", count: 256), options) }
    #expect(error?.operation == .createTarget)
    #expect(error?.errno == Errno(code: ENAMETOOLONG))
    #expect(folder.names == [])
  }

  @Test(arguments: [OutputOptions(), .replacing, .direct])
  func `a missing folder yields the kernel's reason and is not made`(options: OutputOptions) throws {
    let error = systemError { try start("missing/clip", options) }
    #expect(error?.operation == .createTarget)
    #expect(error?.errno == Errno(code: ENOENT))
    #expect(folder.names == [])
  }

  @Test(arguments: [OutputOptions(), .replacing, .direct])
  func `a file in the place of a folder yields the kernel's reason`(options: OutputOptions) throws {
    _ = try folder.write([9], as: "file")
    let error = systemError { try start("file/clip", options) }
    #expect(error?.operation == .createTarget)
    #expect(error?.errno == Errno(code: ENOTDIR))
  }

  @Test(.enabled(if: geteuid() != 0, "root writes to every folder"))
  func `a folder without write permission yields the kernel's reason`() throws {
    try #require(chmod(folder.path, 0o500) == 0)
    let error = systemError { try start("clip") }
    #expect(error?.errno == Errno(code: EACCES))
    _ = chmod(folder.path, 0o700)
  }
}
