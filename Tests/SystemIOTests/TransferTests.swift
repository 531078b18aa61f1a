import Foundation
import Glibc
import TestSupport
import Testing

@testable import SystemIO

/// Each method writes the same bytes. Where the folder's file system shares no blocks, clone is refused.
@Suite struct TransferTests {
  static let byteCount = 9_000_003
  let folder: TemporaryFolder
  let content = distinctBytes(byteCount, seed: 5)
  let source: MappedFile

  init() throws {
    folder = try TemporaryFolder()
    source = try MappedFile(path: try path(try folder.write(content, as: "source")))
  }

  private func output(by method: CopyMethod = .auto) throws -> OutputFile {
    try OutputFile(
      creating: try path(folder.file("out")), options: .replacing, sources: [source.identity], by: method)
  }

  private func extent(_ offset: Int, _ count: Int, swapped: Bool = false) -> Piece {
    .extent(Extent(source: 0, offset: offset, byteCount: count, swapsPairs: swapped))
  }

  /// Headers of different lengths in front of extents of different lengths, in and out of phase.
  private func pieces(seed: UInt64) -> (pieces: [Piece], made: [UInt8]) {
    var generator = SeededGenerator(seed: seed)
    var made: [UInt8] = []
    var pieces: [Piece] = []
    var position = 0
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      let largest = [300, 5000, 200_000, 3_000_000].randomElement(using: &generator) ?? 300
      let count = Int.random(in: 0...largest, using: &generator)
      let offset = Int.random(in: 0...Self.byteCount - count, using: &generator)
      var header = Int.random(in: 0...3000, using: &generator)
      if Bool.random(using: &generator) { header += (offset - position - header) & 4095 }
      pieces.append(.made(made.count..<made.count + header))
      made += distinctBytes(header, seed: generator.next())
      pieces.append(extent(offset, count, swapped: Int.random(in: 0..<8, using: &generator) == 0))
      position += header + count
    }
    return (pieces, made)
  }

  @Test(arguments: [CopyMethod.auto, .copy, .gather], Array(0..<12))
  func `every method writes the same bytes`(method: CopyMethod, seed: Int) throws {
    let (pieces, made) = pieces(seed: UInt64(seed))
    let output = try output(by: method)
    let report = try output.write(pieces, made: made, sources: [source])
    try output.publish()
    #expect(try readFile(folder.file("out")) == pieces.bytes(of: content, made: made), "seed \(seed)")
    let payload = pieces.reduce(-made.count) { $0 + $1.byteCount }
    #expect(report.clonedByteCount + report.copiedByteCount + report.gatheredByteCount == payload)
    if method == .gather { #expect(report.gatheredByteCount == payload) }
  }

  @Test(arguments: [CopyMethod.auto, .copy, .gather])
  func `what is written later comes behind what was written before`(method: CopyMethod) throws {
    let output = try output(by: method)
    try output.write([.made(0..<3)], made: [1, 2, 3], sources: [source])
    try output.write([extent(4099, 20_000)], made: [], sources: [source])
    try output.write([extent(0, 8_500_000), .made(0..<1)], made: [9], sources: [source])
    try output.publish()
    #expect(
      try readFile(folder.file("out"))
        == [1, 2, 3] + content[4099..<24_099] + content[..<8_500_000] + [9])
  }

  @Test func `copying reports what the kernel copied and what was gathered`() throws {
    let output = try output(by: .copy)
    let pieces = [Piece.made(0..<100), extent(100 + 4096, 50_000), extent(0, 4095), extent(7, 4096)]
    let report = try output.write(
      pieces, made: [UInt8](repeating: 7, count: 100), sources: [source])
    // In phase the first edge goes with the header; what is smaller than a block is gathered.
    #expect(report.copiedByteCount == 50_000 - (4096 - 100) + 4096)
    #expect(report.gatheredByteCount == 4096 - 100 + 4095)
    #expect(report.method == .copy)
  }

  /// On a disk the kernel copies no faster than we write; elsewhere a server may.
  @Test(.enabled(if: LoopMount.tmpfs != nil && LoopMount.ext4 != nil, "\(LoopMount.reason)"))
  func `large extents are copied by the kernel where the source is on no disk`() throws {
    let places = [LoopMount.tmpfs, LoopMount.ext4].compactMap { $0 }
    for (place, byteCount) in zip(places, [1 << 20, 0]) {
      let there = try TemporaryFolder(in: place.path)
      let source = try MappedFile(path: try path(try there.write(content, as: "source")))
      let output = try OutputFile(
        creating: try path(there.file("out")), options: OutputOptions(), sources: [])
      let large = Extent(source: 0, offset: 4096, byteCount: 1 << 20)
      let small = Extent(source: 0, offset: 0, byteCount: 1 << 20 - 1)
      let report = try output.write([.extent(large), .extent(small)], made: [], sources: [source])
      #expect(report.copiedByteCount == byteCount, "\(place.kind)")
      try output.publish()
      #expect(
        try readFile(there.file("out")) == Array(content[4096..<4096 + (1 << 20)])
          + Array(content[..<(1 << 20 - 1)]))
    }
  }

  @Test func `extents of several steps come out whole, also from a cold file`() throws {
    let descriptor = open(folder.file("source"), O_RDONLY)
    defer { close(descriptor) }
    for (offset, count) in [(0, Self.byteCount), (4095, 8 << 20 + 1), (600_000, 8 << 20 - 1), (1, 1 << 20)] {
      try #require(fsync(descriptor) == 0 && posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0)
      let output = try output(by: .gather)
      try output.write([.made(0..<7), extent(offset, count)], made: content, sources: [source])
      try output.publish()
      #expect(
        try readFile(folder.file("out")) == Array(content[..<7]) + Array(content[offset..<offset + count]))
    }
  }

  @Test func `streams and swapped bytes are gathered even when copying is asked for`() throws {
    let stream = try OutputFile(
      creating: try path("/dev/null"), options: OutputOptions(), sources: [source.identity], by: .copy)
    #expect(
      try stream.write([extent(0, 100_000)], made: [], sources: [source]).gatheredByteCount == 100_000)
    let report = try output(by: .copy).write(
      [extent(0, 100_000, swapped: true)], made: [], sources: [source])
    #expect(report.gatheredByteCount == 100_000)
  }

  @Test func `cloning of swapped bytes or out of phase is refused with the reason`() throws {
    let cases = [
      (extent(0, 200_000, swapped: true), "exchanged"), (extent(1, 200_000), "blocks begin elsewhere"),
    ]
    for (piece, reason) in cases {
      let error = systemError { try output(by: .clone).write([piece], made: [], sources: [source]) }
      guard case .cannotMove(.clone, let text) = error?.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(text.contains(reason))
    }
  }

  @Test func `what holds no whole block is gathered although cloning is asked for`() throws {
    let output = try output(by: .clone)
    let pieces = [extent(1, 100_000), extent(100_001, 4000), extent(0, 1000, swapped: true)]
    let report = try output.write(pieces, made: [], sources: [source])
    #expect(report.gatheredByteCount == 105_000)
    #expect(report.method == .gather)
    try output.publish()
    #expect(try readFile(folder.file("out")) == pieces.bytes(of: content, made: []))
  }

  @Test(arguments: [CopyMethod.auto, .copy, .gather, .clone], [0, 4096, 8_999_990])
  func `a source truncated before it is moved is told, whatever the method`(
    method: CopyMethod, size: Int
  ) throws {
    try #require(truncate(folder.file("source"), off_t(size)) == 0)
    let output = try output(by: method)
    do {
      _ = try output.write([extent(0, Self.byteCount)], made: [], sources: [source])
      // Zeros to the end of the last page.
    } catch {
      switch error.reason {
      case .sourceChanged, .cannotMove: break
      default: #expect(error.errno?.isBadAddress == true)
      }
    }
    #expect(systemError { try source.checkUnchanged() } != nil)
  }

  @Test func `copying beyond the end of a source says where it ends`() throws {
    try #require(truncate(folder.file("source"), 5_000_000) == 0)
    let error = systemError {
      try output(by: .copy).write([extent(8192, Self.byteCount - 8192)], made: [], sources: [source])
    }
    #expect(
      error == SystemError(.readSource, source.path, .sourceChanged("it ends at byte 5000000")))
  }
}
