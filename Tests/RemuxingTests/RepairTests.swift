import ByteParsing
import Foundation
import ISOMedia
import SystemIO
import TestSupport
import Testing

@testable import Remuxing

/// What a repair changes, what it refuses, and that everything else stays.
@Suite struct RepairTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  private func repair(_ bytes: [UInt8]) throws -> Repair {
    try Repair(try bench.path(bytes, as: "damaged"))
  }

  /// The repaired file, which must be right, and whose access units must be those of the damaged one.
  private func repaired(_ bytes: [UInt8], at location: SourceLocation = #_sourceLocation) throws -> [UInt8] {
    let result = try repair(bytes).plan.bytes
    let path = try bench.path(result, as: "repaired")
    let verification = try FileVerification(path)
    #expect(verification.verdict == .right, "\(verification.findings)", sourceLocation: location)
    let before = try bench.source(bytes, as: "before").onlyTrack.unitBytes
    #expect(try Source(opening: path).onlyTrack.unitBytes == before, sourceLocation: location)
    return result
  }

  @Test(arguments: [
    ("joc-flag-lost.mp4", "joc-base.mp4"), ("joc-wrong-complexity.mp4", "joc-base.mp4"),
    ("ddp71-ffmpeg-dec3.mp4", "ddp71.mp4"),
  ])
  func `a damaged fixture becomes its sound twin, byte for byte`(damaged: String, sound: String) throws {
    #expect(try repaired(try Media.bytes(damaged)) == Media.bytes(sound))
  }

  @Test(
    arguments: Media.ownIndex.compactMap { $0["file"] }.filter {
      $0.hasSuffix(".mp4") || $0.hasSuffix(".mov")
    })
  func `a file that is right is copied as it is`(name: String) throws {
    guard VerificationTests.wrong[name] == nil, !["ac4.mp4", "joc-enca.mp4"].contains(name) else { return }
    let bytes = try Media.bytes(name)
    let result = try repair(bytes)
    #expect(result.changes.isEmpty)
    #expect(result.plan.bytes == bytes)
    #expect(result.plan.made.isEmpty)
  }

  @Test func `a short last access unit and all that follows from it`() throws {
    let result = try repair(try Media.bytes("joc-last-short.mp4"))
    #expect(
      result.changes.map { "\($0.boxPath) \($0.field): \($0.old ?? "-") \($0.new ?? "-")" } == [
        "moov/trak/mdia/minf/stbl/stts last sample_delta: 640 1536",
        "moov/trak/mdia/mdhd duration: 48256 49152",
        "moov/trak/tkhd duration: 48256 49152", "moov/mvhd duration: 48256 49152",
      ])
    _ = try repaired(try Media.bytes("joc-last-short.mp4"))
  }

  @Test(arguments: [("mvhd", 16), ("tkhd", 20), ("mdhd", 16)])
  func `a wrong duration alone`(type: String, at: Int) throws {
    let base = try Media.bytes("joc-base.mp4")
    #expect(try repaired(try base.patched(type, at: at, hex("00123456"))) == base)
  }

  @Test func `an edit beyond the media ends with them`() throws {
    var sketch = MovieSketch(try units(of: "joc51.ec3"), dec3: hex("0280 200f00 0103"))
    sketch.edits = [MovieSketch.Edit(duration: 64 * 1536 + 5000, mediaTime: 256)]
    let source = try bench.source(try repaired(sketch.bytes), as: "ended").onlyTrack
    let list = try #require(source.containerFacts?.editList)
    #expect(list.entries[0].segmentDuration == 64 * 1536 - 256)
    #expect(source.containerFacts?.header.duration == 64 * 1536 - 256)
    #expect(source.containerFacts?.movie.duration == 64 * 1536 - 256)
  }

  @Test func `the entry's sample rate`() throws {
    var sketch = MovieSketch(try units(of: "joc51.ec3"), dec3: hex("0280 200f00 0103"))
    sketch.entryRate = 44100
    let source = try bench.source(try repaired(sketch.bytes), as: "rated").onlyTrack
    #expect(source.containerFacts?.entry.sampleRate == 48000 << 16)
  }

  /// asvc, bsmod and what stands behind the complexity are not wrong, and stay.
  @Test(arguments: [
    ("joc51.ec3", "0280 209f00", "0280 209f00 0103"),
    ("joc51.ec3", "0280 200f00 0110 beef", "0280 200f00 0103"),
    ("joc51.ec3", "0380 200f00 0103 beef", "0280 200f00 0103 beef"),
    ("ddp71.ec3", "0480 209f0210", "0480 209f0202"),
    ("ddp51.ec3", "0280 200f00 0103", "0280 200f00"), ("joc51.ec3", "", "0280 200f00 0103"),
  ])
  func `a configuration keeps what is not wrong with it`(stream: String, own: String, right: String) throws {
    let sketch = MovieSketch(try units(of: stream), dec3: hex(own))
    let source = try bench.source(try repaired(sketch.bytes), as: "configured").onlyTrack
    #expect(try source.configuration == hex(right))
  }

  @Test func `a missing configuration is put into the entry, behind its other boxes`() throws {
    let other = box("kfta", [1, 2, 3])
    let sketch = MovieSketch(try units(of: "joc51.ec3"), children: [other])
    let result = try repair(sketch.bytes)
    #expect(result.changes.map(\.old) == [nil])
    let source = try bench.source(try repaired(sketch.bytes), as: "completed").onlyTrack
    #expect(source.containerFacts?.entry.children.map(\.type) == ["kfta", "dec3"])
  }

  /// A header of zeros ends the entry's boxes; what is put behind it is never found.
  @Test func `a configuration is put in front of zeros that end the entry`() throws {
    let sketch = MovieSketch(try units(of: "joc51.ec3"), children: [[UInt8](repeating: 0, count: 15)])
    let source = try bench.source(try repaired(sketch.bytes), as: "completed").onlyTrack
    #expect(source.containerFacts?.entry.children.map(\.type) == ["dec3"])
  }

  @Test(
    arguments: [
      ("box.tail", hex("00000000 00000000 0280 200f00 0103")),
      ("box.duplicate", box("dec3", hex("0280 200f00")) + box("dec3", hex("0280 200f00"))),
      ("box.duplicate", box("dac3", hex("103cc0")) + box("dec3", hex("0280 200f00"))),
    ])
  func `an entry of which not all is understood is not repaired`(code: String, children: [UInt8]) throws {
    let sketch = MovieSketch(try units(of: "joc51.ec3"), children: [children])
    let failure = try #require(failure { try repair(sketch.bytes) })
    #expect(failure.message.contains(code))
  }

  @Test func `dac3`() throws {
    var sketch = MovieSketch(try units(of: "ac3-51.ac3"), children: [box("dac3", hex("1034c0"))])
    sketch.entryType = "ac-3"
    let source = try bench.source(try repaired(sketch.bytes), as: "plain").onlyTrack
    #expect(try source.configuration == hex("103cc0"))
  }

  @Test func `a configuration inside wave`() throws {
    let bytes = try Media.bytes("joc-qt-v1.mov")
    #expect(try repaired(try bytes.patched("dec3", at: 6, [16])) == bytes)
  }

  @Test(
    arguments: [
      ("joc-stops.mp4", .inputMalformed, "joc.mixed"), ("joc-stts-gap.mp4", .inputMalformed, "stts.gap"),
      ("joc-enca.mp4", .unsupported, "in the clear"), ("ac4.mp4", .unsupported, "in the clear"),
      ("joc51.ec3", .unsupported, "elementary stream"),
    ] as [(String, Failure.Code, String)])
  func `what cannot be known is refused by name`(name: String, code: Failure.Code, reason: String) throws {
    let path = try #require(FilePath(Media.path(name)))
    let failure = try #require(failure { try Repair(path) })
    #expect(failure.code == code)
    #expect(failure.message.contains(reason))
  }

  @Test func `a broken bitstream is not built upon`() throws {
    var bytes = try Media.bytes("joc-flag-lost.mp4")
    let payload = try bytes.payload(of: "mdat")
    bytes[payload + 400] ^= 1
    let failure = try #require(failure { try repair(bytes) })
    #expect(failure.message.contains("au.crc"))
  }
}
