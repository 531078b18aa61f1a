import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

/// DESIGN.md, 5.6: size and modification time must be what they were; a rename or chmod must not fail jobs;
/// a source that was replaced or deleted is still the right source.
@Suite struct MappedFileChangeTests {
  let folder: TemporaryFolder
  let name: String
  let file: MappedFile

  init() throws {
    folder = try TemporaryFolder()
    name = try folder.write(distinctBytes(10_000), as: "source")
    try makeOld(name)
    file = try MappedFile(path: try path(name))
  }

  private func write(_ bytes: [UInt8], at offset: off_t) throws {
    let descriptor = open(name, O_WRONLY)
    defer { _ = close(descriptor) }
    try #require(pwrite(descriptor, bytes, bytes.count, offset) == bytes.count)
  }

  @Test func `a file that nobody touches is unchanged`() throws {
    try file.checkUnchanged()
  }

  @Test(arguments: [0, 1, 4096, 9_999])
  func `a truncated file is reported with both sizes`(size: Int) throws {
    try #require(truncate(name, off_t(size)) == 0)
    let error = systemError { try file.checkUnchanged() }
    #expect(error?.operation == .readSource)
    #expect(error?.reason == .sourceChanged("its size went from 10000 to \(size) bytes"))
  }

  @Test func `a grown file is reported with both sizes`() throws {
    try write([1, 2, 3], at: 10_000)
    let error = systemError { try file.checkUnchanged() }
    #expect(error?.reason == .sourceChanged("its size went from 10000 to 10003 bytes"))
  }

  @Test func `a file that is rewritten in place with the same size is reported`() throws {
    try write([0, 0, 0], at: 5000)
    let error = systemError { try file.checkUnchanged() }
    guard case .sourceChanged = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a modification time that differs by one nanosecond is reported`() throws {
    let moment = timespec(tv_sec: 1_000_000_000, tv_nsec: 123_456_790)
    try #require(utimensat(AT_FDCWD, name, [moment, moment], 0) == 0)
    #expect(systemError { try file.checkUnchanged() } != nil)
  }

  @Test func `truncation back to the same size is reported all the same`() throws {
    try #require(truncate(name, 0) == 0 && truncate(name, 10_000) == 0)
    #expect(systemError { try file.checkUnchanged() } != nil)
  }

  @Test func `a renamed file is unchanged`() throws {
    try #require(rename(name, folder.file("moved")) == 0)
    try file.checkUnchanged()
  }

  @Test func `another mode is no change`() throws {
    try #require(chmod(name, 0o400) == 0)
    try file.checkUnchanged()
  }

  @Test func `another hard link is no change`() throws {
    try #require(link(name, folder.file("other")) == 0)
    try file.checkUnchanged()
  }

  @Test func `reading is no change`() throws {
    _ = try readFile(name)
    try file.checkUnchanged()
  }

  @Test func `a file that is replaced by a rename stays the one that was opened`() throws {
    let other = try folder.write([9, 9, 9], as: "other")
    try #require(rename(other, name) == 0)
    try file.checkUnchanged()
    #expect(try file.read(at: 0, count: 10_000) == distinctBytes(10_000))
  }

  @Test func `a deleted file stays readable and unchanged`() throws {
    try #require(unlink(name) == 0)
    try file.checkUnchanged()
    #expect(try file.read(at: 0, count: 10_000) == distinctBytes(10_000))
  }
}
