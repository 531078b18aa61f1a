import Foundation
import Glibc
import TestSupport
import Testing

@testable import SystemIO

@Suite struct GatherTests {
  let folder: TemporaryFolder
  let content = distinctBytes(600_001, seed: 3)
  let source: MappedFile

  init() throws {
    folder = try TemporaryFolder()
    source = try MappedFile(path: try path(try folder.write(content, as: "source")))
  }

  private func write(_ pieces: [Piece], made: [UInt8] = []) throws -> [UInt8] {
    let output = try OutputFile(
      creating: try path(folder.file("out")), options: .replacing, sources: [source.identity], by: .gather)
    try output.write(pieces, made: made, sources: [source])
    try output.publish()
    return try readFile(folder.file("out"))
  }

  private func extent(_ offset: Int, _ count: Int, swapped: Bool = false) -> Piece {
    .extent(Extent(source: 0, offset: offset, byteCount: count, swapsPairs: swapped))
  }

  @Test(arguments: [0, 1, 2, 1023, 1024, 1025, 2048, 5000])
  func `any number of pieces comes out in order`(count: Int) throws {
    let made = distinctBytes(3 * count + 1)
    let pieces = (0..<count).map { index -> Piece in
      index % 3 == 0 ? .made(index * 3..<index * 3 + 3) : extent(index * 100 % 600_000, 1 + index % 7)
    }
    #expect(try write(pieces, made: made) == pieces.bytes(of: content, made: made))
  }

  @Test func `empty pieces write nothing`() throws {
    let pieces: [Piece] = [
      .made(0..<0), extent(5, 0), .made(1..<3), extent(600_001, 0), extent(3, 0, swapped: true),
    ]
    #expect(try write(pieces, made: [1, 2, 3]) == [2, 3])
  }

  @Test(arguments: [
    (0, 2), (0, 3), (1, 4), (7, 1), (7, 0), (0, 262_144), (1, 262_145), (3, 262_143), (2, 262_146),
    (1, 600_000), (0, 600_001),
  ])
  func `the bytes of every pair change places, an odd last one stays`(offset: Int, count: Int) throws {
    let pieces: [Piece] = [.made(0..<2), extent(offset, count, swapped: true), extent(0, 5), .made(1..<3)]
    #expect(try write(pieces, made: [1, 2, 3]) == pieces.bytes(of: content, made: [1, 2, 3]))
  }

  @Test func `several sources take turns`() throws {
    let other = try MappedFile(path: try path(try folder.write([0xee, 0xdd, 0xcc], as: "other")))
    let output = try OutputFile(creating: try path(folder.file("out")), options: OutputOptions(), sources: [])
    let pieces: [Piece] = [
      .extent(Extent(source: 1, offset: 1, byteCount: 2)),
      .extent(Extent(source: 0, offset: 9, byteCount: 1)),
      .extent(Extent(source: 1, offset: 0, byteCount: 1)),
    ]
    try output.write(pieces, made: [], sources: [source, other])
    try output.publish()
    #expect(try readFile(folder.file("out")) == [0xdd, 0xcc, content[9], 0xee])
  }

  @Test(.timeLimit(.minutes(1)))
  func `a slow pipe that does not block receives everything`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    // One page of room (F_SETPIPE_SZ), so that hardly any call can write all that it is given.
    try #require(fcntl(writing, F_SETFL, O_NONBLOCK) == 0 && fcntl(writing, 1031, 4096) == 4096)
    let pieces = (0..<3000).map { index in
      extent(index * 150, 1 + index * 37 % 311, swapped: index % 100 == 99)
    }
    let received = Received()
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) {
      // Odd numbers of bytes, so that calls end in the middle of vectors.
      var buffer = [UInt8](repeating: 0, count: 4099)
      var turn = 0
      while case let count = read(reading, &buffer, 1 + turn * 613 % 4099), count > 0 {
        received.bytes += buffer[..<count]
        turn += 1
      }
    }
    let path = try path("a pipe")
    var gather = Gather(to: writing, path: path)
    try gather.write(pieces, made: [], sources: [source])
    _ = close(writing)
    group.wait()
    _ = close(reading)
    #expect(received.bytes == pieces.bytes(of: content, made: []))
  }

  private final class Received: @unchecked Sendable {
    var bytes: [UInt8] = []
  }

  @Test func `a pipe that nobody reads is an error of the target`() async throws {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_IGN)
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      _ = close(ends[0])
      let name = try path("a pipe")
      let error = systemError {
        var gather = Gather(to: ends[1], path: name)
        try gather.write([.made(0..<1)], made: [1], sources: [])
      }
      #expect(error == SystemError(.writeTarget, name, .call("writev", Errno(code: EPIPE))))
    }
  }

  @Test func `a source truncated to nothing is reported by the write`() throws {
    try #require(truncate(folder.file("source"), 0) == 0)
    let error = systemError { try write([.made(0..<3), extent(0, 600_001)], made: [1, 2, 3]) }
    #expect(error?.errno?.isBadAddress == true)
    #expect(folder.names == ["source"])
  }

  @Test func `a source truncated inside its last page hands out zeros, which the check afterwards reports`()
    throws
  {
    try #require(truncate(folder.file("source"), 599_990) == 0)
    let output = try OutputFile(creating: try path(folder.file("out")), options: OutputOptions(), sources: [])
    try output.write([extent(599_980, 21)], made: [], sources: [source])
    let error = systemError { try source.checkUnchanged() }
    #expect(error?.reason == .sourceChanged("its size went from 600001 to 599990 bytes"))
  }
}
