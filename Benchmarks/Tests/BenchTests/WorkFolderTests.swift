import Foundation
import TestSupport
import Testing

@testable import Bench

@Suite struct WorkFolderTests {
  @Test func `what a killed run has left is removed, and nothing else`() throws {
    let folder = try TemporaryFolder()
    let own = try WorkFolder.make(in: folder.path)
    defer { WorkFolder.remove(own) }
    let others = ["kerfless-bench-run-file", "another"]
    _ = try folder.write([1], as: others[0])
    for name in ["kerfless-bench-run-Killed/clips", others[1]] {
      try FileManager.default.createDirectory(
        atPath: folder.file(name), withIntermediateDirectories: true)
    }
    WorkFolder.removeAbandoned(in: folder.path)
    #expect(FileManager.default.fileExists(atPath: folder.file("kerfless-bench-run-Killed")), "it may be new")
    WorkFolder.removeAbandoned(in: folder.path, olderThan: -1)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(left) == Set(others + [URL(fileURLWithPath: own).lastPathComponent]))
  }
}

@Suite struct TargetFileTests {
  @Test func `a file that cannot be written is known beforehand`() throws {
    let folder = try TemporaryFolder()
    try TargetFile.check(folder.file("new"))
    try TargetFile.check(try folder.write([1], as: "old"))
    for path in [folder.path, folder.file("missing/new"), folder.file("old/new"), "/dev/null/new"] {
      #expect(throws: BenchError.self, "\(path)") { try TargetFile.check(path) }
    }
  }

  @Test func `a file is written anew, or behind what it has`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array("long before".utf8), as: "target")
    try TargetFile.write(Data("one".utf8), to: path)
    try TargetFile.write(Data("two".utf8), to: path, isAppended: true)
    #expect(try readFile(path) == Array("onetwo".utf8))
    let error = try #require(throws: BenchError.self) { try TargetFile.write(Data([1]), to: "/dev/full") }
    #expect(error.message == "/dev/full cannot be written: No space left on device")
  }
}
