import ISOMedia
import SystemIO
import TestSupport
import Testing

@testable import Remuxing

/// DESIGN.md, promise 6: any file yields a result or a named error, never a trap.
@Suite struct SourceTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  @Test(arguments: [
    ("joc-base.mp4", Container.mp4), ("ddp51.mov", .mp4), ("ac4.mp4", .mp4), ("frag.mp4", .fragmentedMP4),
    ("frag-hybrid.mp4", .fragmentedMP4), ("joc51.ec3", .elementaryStream), ("ac3-51.ac3", .elementaryStream),
    ("ac3-51-swapped.ac3", .elementaryStream),
  ])
  func `a container is told by content`(name: String, container: Container) throws {
    let source = try bench.source(try Media.bytes(name), as: "no suffix")
    #expect(source.container == container)
  }

  @Test(arguments: [
    ("1a45dfa3 01000000", "Matroska"), ("52494646 24000000 57415645", "RIFF"), ("4f676753 0002", "Ogg"),
    ("664c6143 00000022", "FLAC"), ("63616666 0001", "CAF"), ("000001ba 44", "MPEG program stream"),
    ("ac40 ffff", "AC-4"), ("ac41 ffff", "AC-4"), ("47400010 00", "MPEG transport stream"),
    ("04224d18 64", "LZ4"),
  ])
  func `a file of another kind is named`(head: String, name: String) throws {
    let failure = failure { try bench.source(hex(head) + [UInt8](repeating: 0, count: 2000)) }
    #expect(failure?.code == .unsupported)
    #expect(failure?.code.exitStatus.rawValue == 69)
    #expect(failure?.message.contains(name) == true)
    #expect(failure?.offset == 0)
  }

  @Test(arguments: [
    [], [0x0b], Array("plain text, and more than enough of it".utf8), [UInt8](repeating: 0, count: 5000),
    [UInt8](repeating: 0xff, count: 5000), hex("0b77"), hex("770b"), hex("0b77 0000 0000 0000"),
    hex("0b78 0000 0000"),
  ])
  func `a file that is nothing known is malformed`(bytes: [UInt8]) throws {
    let failure = failure { try bench.source(bytes) }
    #expect(failure?.code == .inputMalformed)
    #expect(failure?.code.exitStatus.rawValue == 65)
    #expect(failure?.offset == 0)
  }

  @Test func `a file that is not there, and one that is no file`() throws {
    let missing = failure { try Source(opening: try #require(FilePath(bench.folder.file("missing")))) }
    #expect(missing?.code == .inputMissing)
    let folder = failure { try Source(opening: try #require(FilePath(bench.folder.path))) }
    #expect(folder?.code == .inputUnreadable)
    #expect([missing, folder].map { $0?.code.exitStatus.rawValue } == [66, 66])
  }

  @Test func `a file without moov says so`() throws {
    let ftyp = box("ftyp", Array("mp42".utf8) + [0, 0, 0, 0])
    for (bytes, says) in [
      (ftyp, "no moov"), (ftyp + box("mdat", [1, 2, 3]), "no moov"),
      (ftyp + box("moof", box("mfhd", [UInt8](repeating: 0, count: 8))), "fragments and no moov"),
    ] {
      let failure = failure { try bench.source(bytes) }
      #expect(failure?.code == .inputMalformed)
      #expect(failure?.message.contains(says) == true)
    }
  }

  @Test func `a file cut off in front of moov says where`() throws {
    // moov comes last in this one.
    let bytes = try Media.bytes("joc-one-chunk.mp4")
    let failure = failure { try bench.source(Array(bytes.prefix(5000))) }
    #expect(failure?.code == .inputMalformed)
    #expect(failure?.message.contains("mdat") == true)
    #expect(failure?.offset != nil)
  }

  @Test func `of a file cut off inside its media the front can be cut`() throws {
    // 32 access units of 320 bytes, in four chunks; moov comes first.
    let bytes = try Media.bytes("joc-base.mp4")
    let source = try bench.source(Array(bytes.prefix(bytes.count - 10 * 320 - 1)))
    #expect(
      try OutputPlanner.elementary.plan(source, range("0au", "21au")).plan.bytes
        == Array(try Media.bytes("joc51.ec3").prefix(21 * 320)))
    let failure = failure { try OutputPlanner.elementary.plan(source, range("0au", "22au")) }
    #expect(failure?.code == .inputMalformed)
    #expect(failure?.offset != nil)
  }

  @Test func `a QuickTime handler with an empty name is no trap`() throws {
    // `mhlr`, `soun`, twelve bytes, and the length of the name.
    var bytes = try Media.bytes("ddp51.mov")
    let handler = try #require(
      (0..<bytes.count - 8).first { Array(bytes[$0..<$0 + 8]) == Array("mhlrsoun".utf8) })
    bytes[handler + 20] = 0
    let source = try bench.source(bytes)
    #expect(try source.onlyTrack.containerFacts?.handler.name == [])
    #expect(try OutputPlanner.iso().plan(source).report.accessUnitCount == 94)
  }

  @Test(arguments: ["joc-base.mp4", "joc-one-chunk.mp4", "joc-qt-v1.mov", "ddp71.ec3", "ac3-51-swapped.ac3"])
  func `every front of a file yields a result or a named error`(name: String) throws {
    let bytes = try Media.bytes(name)
    let lengths =
      Array(0..<64) + stride(from: 64, to: 1200, by: 5) + stride(from: 1200, to: bytes.count, by: 97)
    for length in lengths { try expectResultOrNamedError(Array(bytes.prefix(length)), "\(length) bytes") }
  }

  @Test(arguments: [
    "joc-base.mp4", "joc-stz2-16.mp4", "joc-co64.mp4", "joc-edit-empty.mp4", "ddp51.mov", "ddp-vbr.ec3",
  ])
  func `a file with damaged bytes yields a result or a named error`(name: String) throws {
    let seed: UInt64 = 99
    var generator = SeededGenerator(seed: seed)
    let bytes = try Media.bytes(name)
    let moov = (0..<bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == Array("moov".utf8) } ?? 0
    for round in 0..<150 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = moov + Int.random(in: 0..<min(750, bytes.count - moov), using: &generator)
        damaged[place] =
          [0, 1, 0x7f, 0x80, 0xff, .random(in: 0...255, using: &generator)].randomElement(using: &generator)
          ?? 0
      }
      try expectResultOrNamedError(damaged, "round \(round) of seed \(seed)")
    }
  }

  private func expectResultOrNamedError(_ bytes: [UInt8], _ comment: Comment) throws {
    do {
      let source = try bench.source(bytes)
      for track in source.tracks {
        guard case .dolby(let dolby) = track.content else { continue }
        _ = try TrackInspection(dolby)
      }
      for asked in [TimeRange.all, try range("0.1", "0.4")] {
        _ = try OutputPlanner.iso().plan(source, asked).plan.byteCount
      }
    } catch let failure as Failure {
      #expect(!failure.message.isEmpty, comment)
      #expect(failure.path?.description == bench.folder.file("source"), comment)
    }
  }
}
