import Foundation
import TestSupport
import Testing

struct JoinTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// What differs, and both values as they are in the files (INDEX.tsv).
  @Test(arguments: [
    ("ddp51.mp4", "ac3.mp4", "codec", "ec-3", "ac-3"),
    ("ddp51.ec3", "ddp20-24k.ec3", "sample rate", "48000 Hz", "24000 Hz"),
    ("ddp20-44k1.ec3", "ddp20-24k.ec3", "sample rate", "44100 Hz", "24000 Hz"),
    ("ddp51.mp4", "ddp71.mp4", "substreams", "I0", "I0+D0"),
    ("ddp71.mp4", "ddp2ind.mp4", "substreams", "I0+D0", "I0+I1"),
    ("joc-base.mp4", "ddp51.mp4", "joint object coding complexity", "3", "none"),
    ("ddp51.mp4", "joc51.ec3", "joint object coding complexity", "none", "3"),
    ("ddp51.mp4", "ddp-3blk.mp4", "blocks per syncframe", "6", "3"),
    ("ddp51.mp4", "ddp-1blk.mp4", "acmod of I0", "7", "2"),
    ("ddp51.ec3", "ddp-vbr.ec3", "declared bit rate", "80", ""),
    ("ac3.mp4", "ac3-51-swapped.ac3", "", "", ""),
  ])
  func `what does not go together is named`(
    _ first: String, _ second: String, _ field: String, _ mine: String, _ theirs: String
  ) throws {
    let output = folder.file("joined.mp4")
    let arguments = ["concat", Media.path(first), Media.path(second), "-o", output]
    guard !field.isEmpty else {
      try kerfless(arguments)
      return
    }
    try expectFailure(65, arguments, saying: [first, second, "\(field) is \(mine)", theirs], leaving: folder)
  }

  @Test func `different bit rates do not go together`() throws {
    // The same signal at another rate: 320 and 384 bytes an access unit.
    let slow = try Media.bytes("ddp51.ec3")
    let fast = try folder.write(Self.padded(slow), as: "fast.ec3")
    try expectFailure(
      65, ["concat", Media.path("ddp51.ec3"), fast, "-o", folder.file("out.mp4")],
      saying: ["bit rate is 80 kbit/s (320 bytes an access unit)", "96 kbit/s (384 bytes an access unit)"],
      leaving: folder)
  }

  /// Frames of 320 bytes made 64 bytes longer: their headers say so, their checksums no longer hold.
  private static func padded(_ stream: [UInt8]) -> [UInt8] {
    stride(from: 0, to: stream.count, by: 320).flatMap { start -> [UInt8] in
      var frame = Array(stream[start..<start + 320]) + [UInt8](repeating: 0, count: 64)
      let size = UInt16(frame[2]) << 8 | UInt16(frame[3])
      let longer = size & 0xf800 | (size & 0x7ff) + 32
      (frame[2], frame[3]) = (UInt8(longer >> 8), UInt8(longer & 0xff))
      return frame
    }
  }

  @Test func `files of one format join, whatever holds them`() throws {
    let output = folder.file("joined.mp4")
    let report = try kerflessJSON([
      "concat", Media.path("joc51.ec3") + "@60au-", Media.path("joc-base.mp4") + "@-4au",
      Media.path("joc-qt-v1.mov") + "@1-", Media.path("av-joc.mp4") + "@0.5-0.7", "-o", output,
    ])
    #expect(report["accessUnits"].int == 4 + 4 + 1 + 6)
    let faults = try Judges.payload(
      output,
      [
        Judges.Part(source: Media.path("joc51.ec3"), units: 60..<64),
        Judges.Part(source: Media.path("joc-base.mp4"), units: 0..<4),
        Judges.Part(source: Media.path("joc-qt-v1.mov"), units: 31..<32),
        Judges.Part(source: Media.path("av-joc.mp4"), units: 15..<21),
      ])
    #expect(faults == [])
    let structure = try Judges.structure(output)
    #expect(structure == [])
  }

  @Test func `dialnorm that differs is a warning`() throws {
    let report = try kerflessJSON([
      "concat", Media.path("ddp71.mp4"), try loud(), "-o", folder.file("out.mp4"),
    ])
    #expect(report["findings"].array.map { $0["code"].description } == ["dialnorm.differs"])
  }

  /// The 7.1 stream with another dialnorm in each of its frames; the checksums no longer hold.
  private func loud() throws -> String {
    var stream = try Media.bytes("ddp71.ec3")
    var position = 0
    while position + 6 <= stream.count {
      // Bits 45 to 49: the low three of byte 5 and the high two of byte 6.
      stream[position + 5] = stream[position + 5] & 0xf8 | 0x05
      position += 2 * (Int(stream[position + 2] & 7) << 8 | Int(stream[position + 3])) + 2
    }
    return try folder.write(stream, as: "loud.ec3")
  }

  @Test(arguments: ["a@2.mp4", "a@1-x.mp4", "a@-.mp4", "day@night-1"])
  func `an at sign in a name stays in the name`(_ name: String) throws {
    let source = folder.file(name)
    try FileManager.default.copyItem(atPath: Media.path("joc-base.mp4"), toPath: source)
    #expect(try kerflessJSON(["concat", source, "-o", "x.mp4", "-n"])["accessUnits"].int == 32)
    #expect(try kerflessJSON(["concat", source + "@0-10au", "-o", "x.mp4", "-n"])["accessUnits"].int == 10)
    #expect(try kerflessJSON(["concat", source + "@", "-o", "x.mp4", "-n"])["accessUnits"].int == 32)
  }

  @Test func `an at sign at the very end forces a name that looks like a range`() throws {
    let source = folder.file("clip@1-2")
    try FileManager.default.copyItem(atPath: Media.path("joc-base.mp4"), toPath: source)
    #expect(try kerflessJSON(["concat", source + "@", "-o", "x.mp4", "-n"])["accessUnits"].int == 32)
    try expectFailure(66, ["concat", source, "-o", "x.mp4", "-n"], saying: ["clip"])
  }
}
