import Glibc
import SystemIO
import TestSupport
import Testing

/// Outputs put together in memory, byte for byte what writing them would give.
@Suite struct AssembledFileTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func check(_ pieces: [Piece], made: [UInt8], byteCount: Int) throws {
    let content = distinctBytes(byteCount)
    let source = try MappedFile(path: try path(try folder.write(content, as: "source")))
    let file = try MappedFile(assembling: pieces, made: made, sources: [source], path: source.path)
    let expected = pieces.flatMap { piece in
      switch piece {
      case .made(let range): Array(made[range])
      case .extent(let extent): Array(content[extent.offset..<extent.offset + extent.byteCount])
      }
    }
    #expect(file.byteCount == expected.count)
    let bytes = file.bytes
    #expect((0..<bytes.byteCount).map { bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) } == expected)
    #expect(try file.read(at: 4090, count: 50) == Array(expected.dropFirst(4090).prefix(50)))
    #expect(try file.read(at: expected.count, count: 8) == [])
    try file.checkUnchanged()
    // What is written over mapped pages stays in memory.
    #expect(try source.read(at: 0, count: byteCount) == content)
  }

  private func extent(_ offset: Int, _ byteCount: Int) -> Piece {
    .extent(Extent(source: 0, offset: offset, byteCount: byteCount))
  }

  /// Bytes that are put in front, and so how far the rest moves: whole pages or not.
  @Test(arguments: [0, 1, 8, 4095, 4096, 4097, 8192])
  func `a source behind bytes that are made`(front: Int) throws {
    let made = [UInt8](repeating: 0xee, count: front)
    try check([.made(0..<front), extent(0, 50_001)], made: made, byteCount: 50_001)
    try check([extent(0, 100), .made(0..<front), extent(100, 49_901)], made: made, byteCount: 50_001)
  }

  @Test(arguments: [0, 4096, 3])
  func `bytes replaced in their places, in the middle of pages and at their ends`(shift: Int) throws {
    let made = distinctBytes(64).map { ~$0 } + [UInt8](repeating: 7, count: shift)
    var pieces: [Piece] = shift == 0 ? [] : [.made(64..<64 + shift)]
    var next = 0
    for place in [10, 4090, 8192, 12_280, 12_289, 40_000] {
      pieces += [extent(next, place - next), .made(0..<8)]
      next = place + 8
    }
    pieces.append(extent(next, 50_001 - next))
    try check(pieces.filter { $0.byteCount > 0 }, made: made, byteCount: 50_001)
  }

  @Test func `bytes left out, repeated and taken in another order`() throws {
    try check(
      [extent(8192, 20_000), extent(0, 8192), extent(4096, 4096), extent(50_000, 1), extent(0, 50_001)],
      made: [], byteCount: 50_001)
  }

  @Test func `a source of less than a page`() throws {
    try check([extent(0, 17), .made(0..<5000), extent(17, 3)], made: distinctBytes(5000), byteCount: 20)
  }
}
