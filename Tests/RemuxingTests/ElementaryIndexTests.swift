import ByteParsing
import EnhancedAC3
import ISOMedia
import TestSupport
import Testing

@testable import Remuxing

/// The access units of an elementary stream; sums are kept every 4,096 of them.
@Suite struct ElementaryIndexTests {
  private func index(_ frames: [[UInt8]], _ more: [UInt8] = [], start: Int = 0) throws -> ElementaryIndex {
    let bytes = [UInt8](repeating: 0, count: start) + frames.flatMap { $0 } + more
    return try ElementaryIndex(walking: bytes.rawBytes, from: start, byteOrder: .bigEndian)
  }

  /// Frames of 8 to 22 bytes, the first `equal` of them of 16.
  private func frames(_ count: Int, equal: Int) -> [[UInt8]] {
    let kinds = (4...11).map { FrameSketch(byteCount: 2 * $0).bytes }
    let usual = FrameSketch(byteCount: 16).bytes
    return (0..<count).map { $0 < equal ? usual : kinds[($0 * 5 + 1) % 8] }
  }

  @Test(arguments: [1, 2, 4095, 4096, 4097, 9000])
  func `equal sizes are one number`(count: Int) throws {
    let index = try index(FrameSketch(byteCount: 16).repeated(count), start: 6)
    #expect(index.count == count)
    #expect(index.constantSize == 16)
    #expect(index.extent(of: 0..<count) == SampleExtent(offset: 6, byteCount: count * 16, sampleCount: count))
    #expect(
      index.extent(of: count - 1..<count)
        == SampleExtent(offset: 6 + (count - 1) * 16, byteCount: 16, sampleCount: 1))
  }

  @Test(arguments: [0, 1, 4094, 4095, 4096, 4097, 8191, 8192, 8193, 12_287])
  func `sizes that begin to differ anywhere are all known`(equal: Int) throws {
    let frames = frames(12_300, equal: equal)
    let index = try index(frames, start: 10)
    #expect(index.count == 12_300)
    #expect(index.constantSize == nil)
    #expect((0..<12_300).allSatisfy { index.size(of: $0) == frames[$0].count })
    var sums = [10]
    for frame in frames { sums.append(sums[sums.count - 1] + frame.count) }
    let places = [0, 1, 4095, 4096, 4097, 8191, 8192, 8193, 12_287, 12_288, 12_289, 12_299, 12_300]
    for start in places {
      for end in places where end > start {
        #expect(
          index.extent(of: start..<end)
            == SampleExtent(offset: sums[start], byteCount: sums[end] - sums[start], sampleCount: end - start)
        )
      }
    }
  }

  @Test func `a track of exactly one or two blocks of sums ends rightly`() throws {
    for count in [4096, 8192] {
      let frames = frames(count, equal: 3)
      let index = try index(frames)
      #expect(index.extent(of: 0..<count).byteCount == frames.reduce(0) { $0 + $1.count })
      #expect(index.extent(of: count - 1..<count).byteCount == frames[count - 1].count)
    }
  }

  @Test func `the common size of a range is told where there is one`() throws {
    let sizes = [16, 16, 16, 20, 20, 16]
    let index = try index(sizes.map { FrameSketch(byteCount: $0).bytes })
    #expect(index.commonSize(of: 0..<3) == 16)
    #expect(index.commonSize(of: 3..<5) == 20)
    #expect(index.commonSize(of: 2..<4) == nil)
    #expect(index.commonSize(of: 0..<6) == nil)
    #expect(index.commonSize(of: 5..<6) == 16)
  }

  @Test(arguments: [0, 1, 5, 6, 15])
  func `bytes of a last access unit that is cut off are counted`(rest: Int) throws {
    let frame = FrameSketch(byteCount: 16).bytes
    let index = try index(FrameSketch(byteCount: 16).repeated(5), Array(frame.prefix(rest)))
    #expect(index.count == 5)
    #expect(index.tail == (rest == 0 ? .none : .torn(rest)))
  }

  @Test func `an access unit that lacks its dependent substream is cut off`() throws {
    let pair = FrameSketch().bytes + FrameSketch(byteCount: 32, channelMap: 0x1a00).bytes
    let index = try index([pair, pair], FrameSketch().bytes)
    #expect(index.count == 2)
    #expect(index.constantSize == 48)
    #expect(index.tail == .torn(16))
  }

  @Test func `no whole access unit is an error at the stream's start`() {
    let frame = FrameSketch(byteCount: 16).bytes
    #expect(throws: ParsingError.self) { try index([], Array(frame.prefix(15)), start: 4) }
  }

  @Test(arguments: [
    hex("0b78 0007 3f80"), Array("TAG".utf8) + [0, 0, 0], Array("ID3".utf8) + [4, 0, 0],
    hex("0b77 c007 3f80"),
  ])
  func `what is no syncframe is an error at its place`(garbage: [UInt8]) throws {
    do {
      _ = try index(
        FrameSketch(byteCount: 16).repeated(5), garbage + [UInt8](repeating: 0, count: 20), start: 2)
      Issue.record("garbage was taken for a frame")
    } catch let error as ParsingError {
      #expect((82..<88).contains(error.offset))
    }
  }

  @Test(arguments: [
    Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125),
    Array("APETAGEX".utf8) + [UInt8](repeating: 1, count: 24),
  ])
  func `a tag behind the stream is left out`(tag: [UInt8]) throws {
    let index = try index(FrameSketch(byteCount: 16).repeated(5), tag)
    #expect(index.count == 5)
    #expect(index.tail == .foreign(tag.count))
  }

  @Test(arguments: [1, 5, 6, 7, 300, 4095, 4096, 5000])
  func `zeros between access units belong to the one in front, zeros at the end to none`(_ count: Int) throws
  {
    let zeros = [UInt8](repeating: 0, count: count)
    let units = FrameSketch(byteCount: 16).repeated(5)
    let index = try index(units, zeros)
    #expect(index.count == 5)
    #expect(index.constantSize == 16)
    #expect(index.tail == .foreign(count))
    guard count <= 4096 else { return }
    let padded = try self.index(units, zeros + units.flatMap(\.self))
    #expect(padded.count == 10)
    #expect(padded.size(of: 4) == 16 + count)
    #expect(padded.size(of: 9) == 16)
    #expect(padded.tail == .none)
  }

  @Test func `a stream that changes is told by its headers`() throws {
    let plain = FrameSketch(byteCount: 16).repeated(3)
    let changed = [FrameSketch(byteCount: 16, audioCodingMode: 1).bytes]
    #expect(try index(plain, []).firstChange == nil)
    #expect(try index(plain + changed + plain, []).firstChange == 3)
  }

  @Test func `a byte-swapped stream has the same index`() throws {
    let frames = frames(5000, equal: 100)
    let plain = frames.flatMap { $0 }
    let swapped = stride(from: 0, to: plain.count, by: 2).flatMap { [plain[$0 + 1], plain[$0]] }
    let index = try ElementaryIndex(walking: swapped.rawBytes, from: 0, byteOrder: .littleEndian)
    #expect(index.count == 5000)
    #expect((0..<5000).allSatisfy { index.size(of: $0) == frames[$0].count })
  }

  @Test(arguments: [
    "ddp20-44k1.ec3", "ddp-vbr.ec3", "ddp71.ec3", "ddp2ind.ec3", "ddp-3blk.ec3", "ddp-1blk.ec3",
  ])
  func `fixtures divide as their index says`(name: String) throws {
    let track = try Workbench.fixture(name).onlyTrack
    #expect(try track.unitBytes == units(of: name))
  }
}
