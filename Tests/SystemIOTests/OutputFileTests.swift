import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import SystemIO

/// DESIGN.md, 5.7: a final name holds a complete file or does not exist.
@Suite struct OutputFileTests {
  let folder: TemporaryFolder
  let target: String

  init() throws {
    folder = try TemporaryFolder()
    target = folder.file("clip.mp4")
  }

  private func start(_ options: OutputOptions = OutputOptions()) throws -> OutputFile {
    try OutputFile(creating: try path(target), options: options, sources: [])
  }

  @Test func `nothing is to be seen before a new file is published`() throws {
    let output = try start()
    try output.write([1, 2, 3])
    #expect(folder.names == [])
    try output.publish()
    #expect(folder.names == ["clip.mp4"])
    #expect(try readFile(target) == [1, 2, 3])
  }

  @Test func `a file that replaces another is written beside it`() throws {
    _ = try folder.write([9], as: "clip.mp4")
    let output = try start(.replacing)
    try output.write([1, 2, 3])
    #expect(try readFile(target) == [9])
    #expect(folder.names.count == 2)
    try output.publish()
    #expect(folder.names == ["clip.mp4"])
    #expect(try readFile(target) == [1, 2, 3])
  }

  @Test func `replacing creates what did not exist`() throws {
    let output = try start(.replacing)
    try output.write([1])
    #expect(OnDisk(target) == nil)
    try output.publish()
    #expect(folder.names == ["clip.mp4"])
  }

  @Test(arguments: [OutputOptions(), .replacing, .direct])
  func `nothing remains of a file that is never published`(options: OutputOptions) throws {
    do {
      let output = try start(options)
      try output.write([1, 2, 3])
    }
    #expect(folder.names == [])
  }

  @Test func `a replaced file stays when its successor is never published`() throws {
    _ = try folder.write([9], as: "clip.mp4")
    do {
      let output = try start(.replacing)
      try output.write([1, 2, 3])
    }
    #expect(folder.names == ["clip.mp4"])
    #expect(try readFile(target) == [9])
  }

  @Test(arguments: [OutputOptions(), .direct])
  func `an existing target is refused at the start`(options: OutputOptions) throws {
    _ = try folder.write([9], as: "clip.mp4")
    let error = systemError { try start(options) }
    #expect(error == SystemError(.createTarget, try path(target), .targetExists))
    #expect(folder.names == ["clip.mp4"])
  }

  @Test func `a target that appears meanwhile is refused at the end and left alone`() throws {
    do {
      let output = try start()
      try output.write([1, 2, 3])
      _ = try folder.write([9], as: "clip.mp4")
      let error = systemError { try output.publish() }
      #expect(error == SystemError(.publishTarget, try path(target), .targetExists))
    }
    #expect(folder.names == ["clip.mp4"])
    #expect(try readFile(target) == [9])
  }

  @Test func `where files without a name cannot be linked, a temporary name does it`() async throws {
    await #expect(processExitsWith: .success) {
      OutputTarget.linksUnnamedFiles.store(false, ordering: .relaxed)
      let folder = try TemporaryFolder()
      let target = try path(folder.file("clip"))
      let output = try OutputFile(creating: target, options: OutputOptions(), sources: [])
      try output.write([1])
      #expect(folder.names.count == 1)
      #expect(!target.exists)
      try output.publish()
      #expect(folder.names == ["clip"])

      // Without replacing: what has appeared meanwhile is kept.
      let second = try OutputFile(
        creating: try path(folder.file("other")), options: OutputOptions(), sources: [])
      _ = try folder.write([9], as: "other")
      #expect(systemError { try second.publish() }?.reason == .targetExists)
      #expect(try readFile(folder.file("other")) == [9])
    }
  }

  @Test func `a replaced file's mode is kept`() throws {
    _ = try folder.write([9], as: "clip.mp4")
    try #require(chmod(target, 0o640) == 0)
    let output = try start(.replacing)
    try output.publish()
    #expect(OnDisk(target)?.mode == 0o640)
  }

  @Test(arguments: [OutputOptions(), .replacing, .direct])
  func `a new file's mode follows the umask`(options: OutputOptions) throws {
    let output = try start(options)
    try output.publish()
    #expect(OnDisk(target)?.mode == OnDisk.newFileMode)
  }

  @Test func `a narrow umask makes a narrow mode`() async throws {
    await #expect(processExitsWith: .success) {
      _ = umask(0o027)
      let folder = try TemporaryFolder()
      for (name, options) in [("a", OutputOptions()), ("b", .replacing), ("c", .direct)] {
        let output = try OutputFile(creating: try path(folder.file(name)), options: options, sources: [])
        try output.publish()
        #expect(OnDisk(folder.file(name))?.mode == 0o640)
      }
    }
  }

  @Test func `publishing twice is publishing once`() throws {
    let output = try start()
    try output.write([1])
    try output.publish()
    try output.publish()
    #expect(try readFile(target) == [1])
  }

  @Test(arguments: [OutputOptions(), .replacing, .direct])
  func `a file forced to the disk is published like any other`(options: OutputOptions) throws {
    var options = options
    options.durability = .file
    let output = try start(options)
    try output.write([1, 2])
    try output.publish()
    #expect(try readFile(target) == [1, 2])
    #expect(folder.names == ["clip.mp4"])
  }

  @Test func `a directly published file is at its own name from the start`() throws {
    let output = try start(.direct)
    try output.write([1, 2])
    #expect(folder.names == ["clip.mp4"])
    try output.publish()
    #expect(try readFile(target) == [1, 2])
  }

  @Test(arguments: [true, false])
  func `a directly published file that has lost its name is told, and the other one stays`(
    isReplaced: Bool
  ) throws {
    do {
      let output = try start(.direct)
      try output.write([1, 2])
      try FileManager.default.removeItem(atPath: target)
      if isReplaced { _ = try folder.write([9], as: "clip.mp4") }
      let error = systemError { try output.publish() }
      #expect(error == SystemError(.publishTarget, try path(target), .targetChanged))
    }
    #expect(folder.names == (isReplaced ? ["clip.mp4"] : []))
    if isReplaced { #expect(try readFile(target) == [9]) }
  }

  @Test(arguments: [OutputOptions.direct, .replacing])
  func `what is never published removes no file but its own`(options: OutputOptions) throws {
    do {
      let output = try start(options)
      try output.write([1, 2])
      let own = try #require(folder.names.first)
      // By rename, so that it has another inode.
      _ = try folder.write([9], as: "other")
      try #require(rename(folder.file("other"), folder.file(own)) == 0)
    }
    #expect(try folder.names.map { try readFile(folder.file($0)) } == [[9]])
  }

  @Test func `a directly published file costs the old one only when nothing can fail any more`() async throws
  {
    let folder = try TemporaryFolder()
    let old = try folder.write([9], as: "clip.mp4")
    await #expect(processExitsWith: .success) { [old = old as String] in
      var options = OutputOptions.direct
      options.replacesExisting = true
      let error = systemError {
        try OutputFile(creating: try path(old), options: options, sources: [], by: .clone)
      }
      #expect(error?.reason == .cannotMove(.clone, "--publish direct writes in order"))
      // No descriptor is left.
      var taken: Int32 = 0
      while taken >= 0 { taken = open("/dev/null", O_RDONLY) }
      #expect(
        systemError { try OutputFile(creating: try path(old), options: options, sources: []) }?.errno
          == Errno(code: EMFILE))
    }
    #expect(try readFile(old) == [9])
  }

  @Test func `a directly published file replaces another and keeps its mode`() throws {
    _ = try folder.write([9, 9, 9, 9], as: "clip.mp4")
    try #require(chmod(target, 0o600) == 0)
    var options = OutputOptions.direct
    options.replacesExisting = true
    let output = try start(options)
    try output.write([1, 2])
    try output.publish()
    #expect(try readFile(target) == [1, 2])
    #expect(OnDisk(target)?.mode == 0o600)
  }
}
