import ByteParsing
import Foundation
import ISOMedia
import SystemIO
import TestSupport
import Testing

@testable import Remuxing

/// Where the room for a longer `moov` comes from, and what moves with the media data.
@Suite struct RelocationTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  private static let wrong = hex("0280 200f00")
  private static let right = hex("0280 200f00 0103")

  /// A file in parts: `ftyp`, `moov` with a short `dec3`, and what a test puts around.
  private func file(
    before: [UInt8] = [], behind: [UInt8] = [], moovLast: Bool = false, repeated: Int = 1,
    dec3: [UInt8] = wrong
  ) throws -> [UInt8] {
    let frames = Array(repeating: try units(of: "joc51.ec3"), count: repeated).flatMap { $0 }
    let base = MovieSketch(frames, dec3: dec3).bytes
    let (moov, mdat) = (try base.payload(of: "moov") - 8, try base.payload(of: "mdat") - 8)
    var movie = Array(base[moov..<mdat])
    let front = Array(base[..<moov])
    let offset = moovLast ? front.count + 8 : front.count + before.count + movie.count + behind.count + 8
    try movie.patch("stco", at: 8, bigEndian(UInt32(offset)))
    let media = Array(base[mdat...])
    return moovLast ? front + media + before + movie + behind : front + before + movie + behind + media
  }

  private func repair(_ bytes: [UInt8]) throws -> Repair {
    try Repair(try #require(FilePath(try bench.folder.write(bytes, as: "damaged"))))
  }

  private func check(_ result: Repair, at location: SourceLocation = #_sourceLocation) throws {
    let path = try #require(FilePath(try bench.folder.write(result.plan.bytes, as: "repaired")))
    let verification = try FileVerification(path)
    #expect(verification.verdict == .right, "\(verification.findings)", sourceLocation: location)
    let track = try Source(opening: path).onlyTrack
    #expect(try track.configuration == Self.right, sourceLocation: location)
    let frames = try units(of: "joc51.ec3")
    #expect(try track.unitBytes.prefix(frames.count) == frames[...], sourceLocation: location)
  }

  @Test(arguments: [10, 18, 1000])
  func `a free box behind moov gives the room`(size: Int) throws {
    let bytes = try file(behind: box("free", [UInt8](repeating: 7, count: size - 8)))
    let result = try repair(bytes)
    #expect(result.shift == 0)
    #expect(result.plan.byteCount == bytes.count)
    try check(result)
  }

  @Test func `a free box of just the room is used up`() throws {
    // A missing dec3 of 15 bytes takes a free box of 15.
    let frames = try units(of: "joc51.ec3")
    let base = MovieSketch(frames, children: [box("kfta", [1])]).bytes
    let mdat = try base.payload(of: "mdat") - 8
    var bytes = Array(base[..<mdat]) + box("free", [UInt8](repeating: 0, count: 7)) + Array(base[mdat...])
    try bytes.patch("stco", at: 8, bigEndian(UInt32(mdat + 15 + 8)))
    let result = try repair(bytes)
    #expect(result.shift == 0)
    #expect(result.plan.byteCount == bytes.count)
    try check(result)
  }

  @Test func `one that would leave less than a header does not`() throws {
    let bytes = try file(behind: box("free", [1]))
    let result = try repair(bytes)
    #expect(result.shift == 2)
    try check(result)
  }

  @Test func `a free box in front of moov gives the room`() throws {
    let bytes = try file(before: box("free", [UInt8](repeating: 7, count: 24)))
    let result = try repair(bytes)
    #expect(result.shift == 0)
    #expect(result.plan.byteCount == bytes.count)
    try check(result)
  }

  @Test func `behind the media data nothing moves`() throws {
    let bytes = try file(moovLast: true)
    let result = try repair(bytes)
    #expect(result.shift == 0)
    #expect(result.plan.byteCount == bytes.count + 2)
    try check(result)
  }

  @Test func `large media data move by whole blocks, so that they can be cloned`() throws {
    let bytes = try file(repeated: 8)
    let result = try repair(bytes)
    #expect(result.shift == 4096)
    #expect(result.plan.byteCount == bytes.count + 4096)
    try check(result)
    // The room that is left serves the next repair.
    var again = result.plan.bytes
    let dec3 = try again.payload(of: "dec3")
    #expect(Array(again[dec3..<dec3 + 7]) == Self.right)
    again[dec3 + 6] = 16
    #expect(try repair(again).shift == 0)
  }

  @Test func `a moov that becomes shorter by a box's length leaves one`() throws {
    let bytes = try file(dec3: Self.right + [UInt8](repeating: 0xee, count: 400) + hex("00"))
    // The tail signals joint object coding rightly, so all of it stays.
    #expect(try repair(bytes).changes.isEmpty)
    let long = try file(dec3: hex("0280 200f00 0110") + [UInt8](repeating: 0xee, count: 20))
    let result = try repair(long)
    #expect(result.shift == 0)
    #expect(result.plan.byteCount == long.count)
    try check(result)
  }

  @Test func `tracks of video move too`() throws {
    let bytes = try Media.bytes("av-ddp51.mp4")
    // Plain 5.1 at 80 kbit/s: a tail that says otherwise is taken out, and moov is in front.
    let source = try bench.source(bytes)
    let entry = try #require(try source.onlyTrack.containerFacts?.entry.child("dec3"))
    var damaged = bytes
    damaged.replaceSubrange(entry.payload, with: hex("0300 200f00"))
    #expect(try repair(damaged).plan.bytes == bytes)
    let missing = try withoutConfiguration(bytes)
    let result = try repair(missing)
    #expect(result.shift == 13)
    let path = try #require(FilePath(try bench.folder.write(result.plan.bytes, as: "repaired")))
    #expect(try FileVerification(path).verdict == .right)
    let before = try chunks(of: missing)
    let after = try chunks(of: result.plan.bytes)
    #expect(before.count == 2)
    #expect(before == after)
  }

  /// The same with `dec3` as a box of another type, which makes it missing.
  private func withoutConfiguration(_ bytes: [UInt8]) throws -> [UInt8] {
    try bytes.patched("dec3", at: -4, Array("kftb".utf8))
  }

  /// The bytes of all chunks, track by track.
  private func chunks(of bytes: [UInt8]) throws -> [[UInt8]] {
    var movieBox: Box?
    try bytes.rawBytes.forEachBox(in: 0..<bytes.count) { if $0.type == "moov" { movieBox = $0 } }
    let movie = try Movie(parsing: try #require(movieBox), in: bytes.rawBytes)
    return try movie.tracks.map { track in
      var all: [UInt8] = []
      try track.sampleTable.forEachChunk(in: bytes.rawBytes) { chunk in
        all += bytes[chunk.offset..<chunk.offset + chunk.byteCount]
      }
      return all
    }
  }

  @Test func `offsets that leave 32 bits become 64 bits wide`() throws {
    // A hole of almost 4 GiB lies between moov and the media data: the file is sparse.
    let base = try file()
    let mdat = try base.payload(of: "mdat") - 8
    let hole = Int(UInt32.max) - mdat - 9
    var head = Array(base[..<mdat]) + bigEndian(UInt32(hole)) + Array("skim".utf8)
    try head.patch("stco", at: 8, bigEndian(UInt32(mdat + hole + 8)))
    let path = bench.folder.file("sparse.mp4")
    _ = try bench.folder.write(head, as: "sparse.mp4")
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seek(toOffset: UInt64(mdat + hole))
    try handle.write(contentsOf: Data(base[mdat...]))
    try handle.close()
    let result = try Repair(try #require(FilePath(path)))
    #expect(result.widenedTracks == [1])
    // Two bytes of dec3 and four of the one offset, moved by whole blocks.
    #expect(result.shift == 4096)
    let made = result.plan.made
    let table = try made.payload(of: "co64")
    #expect(made[table + 8..<table + 16].elementsEqual(bigEndian(UInt64(mdat + hole + 8 + 4096))))
  }

  @Test(arguments: [("sidx", "sidx"), ("iloc", "iloc"), ("saio", "saio")])
  func `what points across moov keeps it from being moved`(type: String, reason: String) throws {
    let zeros = [UInt8](repeating: 0, count: 32)
    let bytes: [UInt8]
    switch type {
    case "sidx": bytes = try file(before: box("sidx", zeros))
    case "iloc": bytes = try file() + box("meta", [0, 0, 0, 0] + box("iloc", zeros))
    default: bytes = try file() + box("udta", box("saio", zeros))
    }
    let failure = try #require(failure { try repair(bytes) })
    #expect(failure.code == .unsupported)
    #expect(failure.message.contains(reason))
  }

  @Test func `with room beside moov nothing has to be moved`() throws {
    let free = box("free", [UInt8](repeating: 0, count: 30))
    let sidx = box("sidx", [UInt8](repeating: 0, count: 32))
    try check(try repair(try file(before: sidx, behind: free)))
  }

  /// frag.mp4 has `mfra`, frag-hybrid.mp4 samples in `moov` and a `base_data_offset`.
  @Test(arguments: ["frag.mp4", "frag-hybrid.mp4", "frag-no-offset.mp4"])
  func `fragments move, and what points to them`(name: String) throws {
    let bytes = try withoutConfiguration(try Media.bytes(name))
    let before = try bench.source(bytes).onlyTrack
    let result = try repair(bytes)
    let size = before.containerFacts?.entry.child("kftb")?.payload.count ?? 0
    #expect(result.shift == size + 8)
    let path = try #require(FilePath(try bench.folder.write(result.plan.bytes, as: "repaired")))
    #expect(try FileVerification(path).verdict == .right)
    #expect(try Source(opening: path).onlyTrack.unitBytes == before.unitBytes)
    guard name == "frag.mp4" else { return }
    // Each entry of tfra points to a moof: 24 bytes of version 1 and three numbers of one byte in front of it.
    let repaired = result.plan.bytes
    let tfra = try repaired.payload(of: "tfra")
    let count = repaired[tfra + 12..<tfra + 16].reduce(0) { $0 << 8 | Int($1) }
    let isWide = repaired[tfra] == 1
    #expect(count > 1)
    for entry in 0..<count {
      let start = tfra + 16 + entry * (isWide ? 19 : 11) + (isWide ? 8 : 4)
      let offset = repaired[start..<start + (isWide ? 8 : 4)].reduce(0) { $0 << 8 | Int($1) }
      #expect(repaired[offset + 4..<offset + 8].elementsEqual(Array("moof".utf8)))
    }
  }
}
