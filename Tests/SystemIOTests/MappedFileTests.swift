import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

@Suite struct MappedFileTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func bytes(of file: MappedFile) -> [UInt8] {
    let bytes = file.bytes
    return (0..<bytes.byteCount).map { bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
  }

  @Test func `a file is mapped whole`() throws {
    let content = distinctBytes(10_001)
    let file = try MappedFile(path: try path(try folder.write(content, as: "source")))
    #expect(file.byteCount == 10_001)
    #expect(bytes(of: file) == content)
  }

  @Test func `an empty file has no bytes and is no error`() throws {
    let file = try MappedFile(path: try path(try folder.write([], as: "empty")))
    #expect(file.byteCount == 0)
    #expect(bytes(of: file) == [])
    #expect(try file.read(at: 0, count: 4096) == [])
    try file.checkUnchanged()
  }

  @Test(arguments: [
    (0, 16, 0..<16), (9990, 100, 9990..<10_000), (10_000, 8, 10_000..<10_000), (20_000, 8, 10_000..<10_000),
    (4095, 2, 4095..<4097), (5, 0, 5..<5),
  ])
  func `a read yields what the file has at that place, and less at its end`(
    offset: Int, count: Int, expected: Range<Int>
  ) throws {
    let content = distinctBytes(10_000)
    let file = try MappedFile(path: try path(try folder.write(content, as: "source")))
    #expect(try file.read(at: offset, count: count) == Array(content[expected]))
  }

  @Test func `a folder is refused as what it is`() throws {
    let error = systemError { try MappedFile(path: try path(folder.path)) }
    #expect(error?.operation == .openSource)
    #expect(error?.reason == .notARegularFile("a folder"))
  }

  @Test(.timeLimit(.minutes(1)))
  func `a FIFO without a writer is refused at once`() throws {
    try makeFIFO(folder.file("fifo"))
    let error = systemError { try MappedFile(path: try path(folder.file("fifo"))) }
    #expect(error?.reason == .notARegularFile("a FIFO"))
  }

  @Test(arguments: ["/dev/zero", "/dev/null"])
  func `a device is refused as what it is`(device: String) throws {
    let error = systemError { try MappedFile(path: try path(device)) }
    #expect(error?.reason == .notARegularFile("a character device"))
  }

  @Test func `a socket cannot be opened`() throws {
    let name = folder.file("socket")
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { _ = close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.utf8) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    let error = systemError { try MappedFile(path: try path(name)) }
    #expect(error?.errno == Errno(code: ENXIO))
  }

  @Test(arguments: [("missing", ENOENT), ("file/inside", ENOTDIR), ("loop", ELOOP)])
  func `a name that leads nowhere yields the kernel's reason`(name: String, code: Int32) throws {
    _ = try folder.write([1], as: "file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("loop"), withDestinationPath: folder.file("loop"))
    let error = systemError { try MappedFile(path: try path(folder.file(name))) }
    #expect(error?.operation == .openSource)
    #expect(error?.reason == .call("open", Errno(code: code)))
    #expect(error?.path.description == folder.file(name))
  }

  @Test(.enabled(if: geteuid() != 0, "root reads every file"))
  func `a file without read permission yields the kernel's reason`() throws {
    let name = try folder.write([1], as: "secret")
    try #require(chmod(name, 0) == 0)
    let error = systemError { try MappedFile(path: try path(name)) }
    #expect(error?.reason == .call("open", Errno(code: EACCES)))
  }

  @Test func `a symbolic link is followed`() throws {
    let name = try folder.write([7, 8], as: "source")
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: name)
    let file = try MappedFile(path: try path(folder.file("link")))
    #expect(bytes(of: file) == [7, 8])
    #expect(file.identity.inode == OnDisk(name)?.inode)
  }

  @Test func `hard links are one file, copies are not`() throws {
    let name = try folder.write([7, 8], as: "source")
    try FileManager.default.linkItem(atPath: name, toPath: folder.file("other name"))
    _ = try folder.write([7, 8], as: "copy")
    let file = try MappedFile(path: try path(name))
    #expect(try MappedFile(path: try path(folder.file("other name"))).identity == file.identity)
    #expect(try MappedFile(path: try path(folder.file("copy"))).identity != file.identity)
  }

  @Test func `opening and closing many files leaks no descriptor`() throws {
    let name = try path(try folder.write([1], as: "source"))
    let refused = try path(folder.path)
    // More than a process may have open.
    for _ in 0..<2048 {
      _ = try MappedFile(path: name)
      _ = systemError { try MappedFile(path: refused) }
    }
  }
}
