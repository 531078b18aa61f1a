import Foundation
import Glibc
import TestSupport
import Testing

@testable import SystemIO

/// DESIGN.md, 5.7: `kerfless clean DIR` removes only temporary files that it can lock.
@Suite struct TemporaryFileTests {
  let folder: TemporaryFolder
  private let stale = ".kerfless-0123456789abcdef.tmp"

  init() throws {
    folder = try TemporaryFolder()
  }

  private func clean() throws -> [String] {
    try TemporaryFile.clean(try path(folder.path)).map { String(decoding: $0.lastComponent, as: UTF8.self) }
  }

  @Test func `a file of a dead run goes, whatever it holds`() throws {
    _ = try folder.write([1, 2, 3], as: stale)
    _ = try folder.write([], as: ".kerfless-ffffffffffffffff.tmp")
    #expect(try clean() == [stale, ".kerfless-ffffffffffffffff.tmp"])
    #expect(folder.names == [])
  }

  @Test func `a file that is being written stays and can still be published`() throws {
    let output = try OutputFile(creating: try path(folder.file("clip")), options: .replacing, sources: [])
    try output.write([1])
    _ = try folder.write([1], as: stale)
    #expect(try clean() == [stale])
    try output.publish()
    #expect(folder.names == ["clip"])
  }

  @Test func `a file that somebody else has locked stays`() throws {
    let name = try folder.write([1], as: stale)
    let descriptor = open(name, O_RDONLY)
    try #require(flock(descriptor, LOCK_SH) == 0)
    #expect(try clean() == [])
    #expect(folder.names == [stale])
    _ = close(descriptor)
    #expect(try clean() == [stale])
  }

  @Test(arguments: [
    ".kerfless-0123456789abcde.tmp", ".kerfless-0123456789abcdef0.tmp", ".kerfless-0123456789ABCDEF.tmp",
    ".kerfless-0123456789abcdeg.tmp", "kerfless-0123456789abcdef.tmp", ".kerfless-0123456789abcdef.tmp~",
    ".kerfless-0123456789abcdef.tm", ".kerfless-0123456789abcdef", ".kerfless-.tmp",
    "x.kerfless-0123456789abcdef.tmp",
    ".kerfless_0123456789abcdef.tmp", ".Kerfless-0123456789abcdef.tmp",
  ])
  func `a name that only looks alike stays`(name: String) throws {
    _ = try folder.write([1], as: name)
    #expect(try clean() == [])
    #expect(folder.names == [name])
  }

  @Test func `what has such a name and is no file stays, and the rest is cleaned`() throws {
    let last = ".kerfless-eeeeeeeeeeeeeeee.tmp"
    _ = try folder.write([1], as: last)
    _ = try folder.write([1], as: "precious")
    try FileManager.default.createDirectory(
      atPath: folder.file(".kerfless-1111111111111111.tmp"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(".kerfless-2222222222222222.tmp"), withDestinationPath: folder.file("precious"))
    try makeFIFO(folder.file(".kerfless-3333333333333333.tmp"))
    #expect(try clean() == [last])
    #expect(folder.names.count == 4)
  }

  @Test func `files in folders below stay`() throws {
    try FileManager.default.createDirectory(atPath: folder.file("below"), withIntermediateDirectories: false)
    _ = try folder.write([1], as: "below/\(stale)")
    #expect(try clean() == [])
    #expect(OnDisk(folder.file("below/\(stale)")) != nil)
  }

  @Test func `a folder that is not there cannot be listed`() throws {
    let missing = try path(folder.file("missing"))
    let error = systemError { try TemporaryFile.clean(missing) }
    #expect(error == SystemError(.listFolder, missing, .call("opendir", Errno(code: ENOENT))))
  }

  @Test func `names that are made are recognised and do not repeat`() {
    let names = (0..<1000).map { _ in TemporaryFile.makeName() }
    #expect(names.allSatisfy(TemporaryFile.isTemporary))
    #expect(Set(names).count == 1000)
  }
}
