import ByteParsing
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import Remuxing

/// Offsets of unusual places when media data move, or only their tables become wider.
@Suite struct RelocationEdgeTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  private func full(_ type: String, _ numbers: UInt32...) -> [UInt8] {
    box(type, [0, 0, 0, 0] + numbers.flatMap { bigEndian($0) })
  }

  /// A box of a file, found by its type.
  private func whole(_ type: String, of bytes: [UInt8]) throws -> [UInt8] {
    let start = try bytes.payload(of: type) - 8
    let size = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    return Array(bytes[start..<start + size])
  }

  /// A file with a second track, of text, whose one sample has no bytes and is said to lie at `offset`.
  private func withEmptySample(at offset: UInt64) throws -> [UInt8] {
    let base = MovieSketch(try units(of: "joc51.ec3"), dec3: hex("0280 200f00")).bytes
    let entry = box("tx3g", [UInt8](repeating: 0, count: 7) + [1] + [UInt8](repeating: 0, count: 30))
    let table = box(
      "stbl", box("stsd", [0, 0, 0, 0] + bigEndian(UInt32(1)) + entry), full("stts", 1, 1, 64 * 1536),
      full("stsc", 1, 1, 1, 1), full("stsz", 0, 1, 0),
      box("co64", [0, 0, 0, 0] + bigEndian(UInt32(1)) + bigEndian(offset)))
    let handler = box(
      "hdlr", [0, 0, 0, 0] + [0, 0, 0, 0] + Array("text".utf8) + [UInt8](repeating: 0, count: 13))
    let media = box(
      "mdia", try whole("mdhd", of: base), handler,
      box("minf", full("nmhd"), try whole("dinf", of: base), table))
    let header = try whole("tkhd", of: base).patched("tkhd", at: 12, bigEndian(UInt32(2)))
    let track = box("trak", header, media)
    let moov = try base.payload(of: "moov") - 8
    let mdat = try base.payload(of: "mdat") - 8
    var movie = Array(base[moov..<mdat]) + track
    movie.replaceSubrange(0..<4, with: bigEndian(UInt32(movie.count)))
    try movie.patch("stco", at: 8, bigEndian(UInt32(moov + movie.count + 8)))
    return Array(base[..<moov]) + movie + Array(base[mdat...])
  }

  /// The bytes of a plan's first 8 KiB.
  private func front(of plan: Plan) -> [UInt8] {
    var front: [UInt8] = []
    for piece in plan.pieces where front.count < 8192 {
      switch piece {
      case .made(let range): front += plan.made[range]
      case .extent(let extent):
        let end = extent.offset + min(extent.byteCount, 8192)
        let source = plan.sources[0]
        front += source.bytes.extracting(extent.offset..<end).copied()
      }
    }
    return front
  }

  @Test(arguments: [0, 1 << 40, UInt64(Int.max)])
  func `a chunk without bytes may be said to lie anywhere`(offset: UInt64) throws {
    let path = try #require(FilePath(try bench.folder.write(try withEmptySample(at: offset), as: "damaged")))
    let result = try Repair(path)
    #expect(result.shift == 2)
    let made = result.plan.bytes
    let place = try made.payload(of: "co64") + 8
    #expect(made[place..<place + 8].elementsEqual(bigEndian(offset)))
    let repaired = try #require(FilePath(try bench.folder.write(made, as: "repaired")))
    #expect(try FileVerification(repaired).verdict == .right)
  }

  /// The wider table takes what is left of the free box, so that in the end nothing moves.
  @Test(arguments: [(19, 0), (23, 0), (27, 0), (20, 4096)])
  func `a table that became wider is written even where nothing moves`(free: Int, shift: Int) throws {
    // A missing dec3 takes 15 bytes, one offset four more; the file is sparse.
    let base = MovieSketch(try units(of: "joc51.ec3"), children: [box("kfta", [1])]).bytes
    let mdat = try base.payload(of: "mdat") - 8
    let room = box("free", [UInt8](repeating: 0, count: free - 8))
    let payload = Int(UInt32.max)
    let head = try base[..<mdat].map(\.self).patched("stco", at: 8, bigEndian(UInt32(payload))) + room
    let media = Array(base[(mdat + 8)...])
    let mediaData =
      bigEndian(UInt32(1)) + Array("mdat".utf8) + bigEndian(UInt64(payload + media.count - head.count))
    let path = try bench.folder.write(head + mediaData, as: "sparse.mp4")
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seek(toOffset: UInt64(payload))
    try handle.write(contentsOf: Data(media))
    try handle.close()
    let result = try Repair(try #require(FilePath(path)))
    #expect(result.shift == shift)
    #expect(result.plan.byteCount == payload + media.count + shift)
    let front = self.front(of: result.plan)
    let (start, isWide) = (try front.payload(of: "moov") - 8, result.widenedTracks == [1])
    let end = mdat + (isWide ? 19 : 15)
    #expect(isWide == (free < 23))
    #expect(front[start..<start + 4].elementsEqual(bigEndian(UInt32(end - start))))
    #expect(try front.payload(of: end == head.count + shift ? "mdat" : "free") == end + 8)
    guard isWide else { return }
    let table = try front.payload(of: "co64") + 8
    #expect(front[table..<table + 8].elementsEqual(bigEndian(UInt64(payload + shift))))
  }
}
