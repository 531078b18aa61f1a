import Foundation
import Glibc
import TestSupport
import Testing

@testable import SystemIO

/// FICLONERANGE on file systems that have it.
@Suite(.serialized, .enabled(if: !LoopMount.sharing.isEmpty, "\(LoopMount.reason)"))
struct CloneTests {
  /// Holes cost nothing, and are cloned as holes.
  @Test(arguments: LoopMount.sharing.map(\.kind))
  func `ranges beyond one step are cloned in several`(kind: String) throws {
    let place = try #require(LoopMount.sharing.first { $0.kind == kind })
    let folder = try TemporaryFolder(in: place.path)
    let name = folder.file("source")
    let size = 700 << 20
    let mark = distinctBytes(10_000)
    let descriptor = open(name, O_RDWR | O_CREAT, 0o600)
    try #require(ftruncate(descriptor, off_t(size)) == 0)
    let places = [100, 256 << 20 - 5000, 512 << 20 + 1, size - 10_000]
    for place in places { try #require(pwrite(descriptor, mark, mark.count, off_t(place)) == mark.count) }
    close(descriptor)
    let source = try MappedFile(path: try path(name))
    let output = try OutputFile(
      creating: try path(folder.file("out")), options: OutputOptions(), sources: [], by: .clone)
    let report = try output.write(
      [.made(0..<52), .extent(Extent(source: 0, offset: 52, byteCount: size - 52))],
      made: [UInt8](repeating: 1, count: 52), sources: [source])
    try output.publish()
    #expect(report.clonedByteCount == size - 4096)
    let copy = try MappedFile(path: try path(folder.file("out")))
    #expect(copy.byteCount == size)
    for place in places { #expect(try copy.read(at: place, count: mark.count) == mark) }
  }

  @Test(arguments: LoopMount.sharing.map(\.kind))
  func `blocks that a truncated source no longer has are refused`(kind: String) throws {
    let place = try #require(LoopMount.sharing.first { $0.kind == kind })
    let folder = try TemporaryFolder(in: place.path)
    let source = try MappedFile(path: try path(try folder.write(distinctBytes(1_000_000), as: "source")))
    try #require(truncate(folder.file("source"), 500_000) == 0)
    for method in [CopyMethod.clone, .auto] {
      let output = try OutputFile(
        creating: try path(folder.file("out")), options: OutputOptions(), sources: [], by: method)
      let error = systemError {
        try output.write(
          [.extent(Extent(source: 0, offset: 0, byteCount: 1_000_000))], made: [], sources: [source])
      }
      if method == .clone {
        #expect(error?.reason == .cannotMove(.clone, "Invalid argument (FICLONERANGE)"))
      } else {
        #expect(error?.errno?.isBadAddress == true)
      }
    }
    #expect(folder.names == ["source"])
  }

  @Test func `a pair of devices is asked once and then remembered`() throws {
    let there = try TemporaryFolder(in: try #require(LoopMount.sharing.first).path)
    let here = try TemporaryFolder()
    let source = try MappedFile(path: try path(try there.write(distinctBytes(1_000_000), as: "source")))
    for turn in 1...3 {
      let output = try OutputFile(
        creating: try path(here.file("out \(turn)")), options: OutputOptions(), sources: [])
      try output.write(
        [.extent(Extent(source: 0, offset: 0, byteCount: 1_000_000))], made: [], sources: [source])
      try output.publish()
      #expect(try readFile(here.file("out \(turn)")) == distinctBytes(1_000_000))
      var target = stat()
      try #require(stat(here.file("out \(turn)"), &target) == 0)
      // The first refusal is a hint, the second is the pair.
      let pairs = DevicePairs.withoutClone
      #expect(pairs.mentions(source: source.identity.device))
      #expect(pairs.contains(source: source.identity.device, target: UInt(target.st_dev)) == (turn > 1))
    }
  }
}
