import Foundation
import TestSupport
import Testing

/// Damaged files and what `repair` makes of them, judged by other programs.
struct RepairTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Repairs a file; the result must verify, and its payload must be the damaged file's, byte for byte.
  private func repair(_ damaged: String, at location: SourceLocation = #_sourceLocation) throws -> (
    output: String, report: JSON
  ) {
    let output = folder.file("repaired.mp4")
    let report = try kerflessJSON(["repair", damaged, "-o", output, "--force"], at: location)
    try kerfless(["verify", output, "--source", damaged], at: location)
    if Judges.python != nil {
      // The judge expects what kerfless itself writes; of what it says here nothing may be new.
      let (after, before) = (try faultCodes(of: output), try faultCodes(of: damaged))
      #expect(after.subtracting(before) == [], sourceLocation: location)
    }
    return (output, report)
  }

  private func faultCodes(of path: String) throws -> Set<Substring> {
    Set(try Judges.structure(path, edited: true).map { $0.prefix { $0 != ":" } })
  }

  /// What ffprobe, MediaInfo and the project's judge say must not tell a repaired file from one that was never damaged.
  private func expectTwins(_ repaired: String, _ sound: String, _ units: Int) throws {
    let (mine, theirs) = (try Judges.probe(repaired), try Judges.probe(sound))
    #expect(mine.fields == theirs.fields)
    #expect(mine.warnings == theirs.warnings)
    let (format, right) = (try Judges.format(repaired), try Judges.format(sound))
    #expect(format == right)
    #expect(format["ComplexityIndex"] == right["ComplexityIndex"])
    let payload = try Judges.payload(repaired, [Judges.Part(source: sound, units: 0..<units)])
    #expect(payload == [])
    let (structure, wanted) = (
      try Judges.structure(repaired, edited: true), try Judges.structure(sound, edited: true)
    )
    #expect(structure == wanted)
    let (a, b) = (try kerflessJSON(["inspect", repaired]), try kerflessJSON(["inspect", sound]))
    #expect(a["tracks"].description != "null")
    for key in [
      "configuration", "duration", "mediaDuration", "dataRate", "declaredDataRate", "joc", "formats", "edits",
    ] {
      #expect(a["tracks"][0][key].description == b["tracks"][0][key].description)
    }
    #expect(
      a["tracks"][0]["joc"]["signalledComplexity"].int == b["tracks"][0]["joc"]["signalledComplexity"].int)
  }

  @Test(
    .enabled(if: Judges.areAtHand, "python3, ffprobe, ffmpeg and mediainfo are needed"),
    arguments: [
      ("joc-flag-lost.mp4", "joc-base.mp4", 32, ["dec3.joc-missing"]),
      ("joc-wrong-complexity.mp4", "joc-base.mp4", 32, ["dec3.joc-complexity"]),
      ("ddp71-ffmpeg-dec3.mp4", "ddp71.mp4", 24, ["dec3.data-rate", "dec3.chan-loc"]),
    ])
  func `a damaged fixture becomes its twin`(
    _ damaged: String, _ sound: String, _ units: Int, _ reasons: [String]
  )
    throws
  {
    let (output, report) = try repair(Media.path(damaged))
    #expect(report["changes"].array.map { $0["reason"].description } == reasons)
    #expect(try readFile(output) == Media.bytes(sound))
    try expectTwins(output, Media.path(sound), units)
  }

  @Test(
    .enabled(if: Media.shared != nil && Judges.areAtHand, "the larger set of media is not at hand"),
    arguments: [
      ("generated/craft/joc448__joc_flag_lost.mp4", "generated/craft/joc448__base.mp4", 100),
      ("generated/craft/joc448__joc_wrong_index.mp4", "generated/craft/joc448__base.mp4", 100),
      ("generated/mp4/joc448_plain_flaglost.mp4", "generated/mp4/joc448_plain_flag.mp4", 312),
    ])
  func `the larger set's damaged files become their twins`(_ damaged: String, _ sound: String, _ units: Int)
    throws
  {
    let (output, _) = try repair(Media.sharedPath(damaged))
    guard !damaged.contains("plain") else {
      // Another FFmpeg wrote the sound file: channelcount 6, and a movie timescale of its own.
      let configuration = try kerflessJSON(["inspect", output])["tracks"][0]["configuration"].description
      #expect(configuration == "0e00200f000105")
      let (mine, theirs) = (try Judges.format(output), try Judges.format(Media.sharedPath(sound)))
      #expect(mine == theirs)
      let payload = try Judges.payload(
        output, [Judges.Part(source: Media.sharedPath(sound), units: 0..<units)])
      #expect(payload == [])
      return
    }
    try expectTwins(output, Media.sharedPath(sound), units)
  }

  @Test(
    .enabled(if: Judges.areAtHand, "python3, ffprobe, ffmpeg and mediainfo are needed"),
    arguments: [[], ["-movflags", "+faststart"]])
  func `what FFmpeg damaged is mended, with video beside it`(_ flags: [String]) throws {
    let damaged = folder.file("damaged.mp4")
    _ = try Judges.ffmpeg?.run(
      ["-v", "error", "-i", Media.path("av-joc.mp4"), "-map", "0", "-c", "copy"] + flags + [damaged])
    try #require(try Tool.kerfless.run(["verify", damaged]).status == 65)
    let (output, report) = try repair(damaged)
    #expect(report["changes"][0]["field"].description == "complexity_index_type_a")
    #expect(report["shift"].int == (flags.isEmpty ? 0 : 2))
    let (mine, theirs) = (try Judges.format(output), try Judges.format(Media.path("av-joc.mp4")))
    #expect(mine == theirs)
    let hashes = try [damaged, output].map { path in
      try Judges.ffmpeg?.run(["-v", "error", "-i", path, "-map", "0", "-c", "copy", "-f", "streamhash", "-"])
        .text
    }
    #expect(hashes[0] == hashes[1])
    #expect(hashes[0]?.split(separator: "\n").count == 2)
  }

  @Test func `a report names each field, its place, both values and why`() throws {
    let report = try repair(Media.path("joc-last-short.mp4")).report
    #expect(report["schema"].description == "kerfless.repair/1")
    #expect(report["repaired"].description == "true")
    let change = report["changes"][0]
    #expect(change["boxPath"].description == "moov/trak/mdia/minf/stbl/stts")
    #expect(change["track"].int == 1)
    #expect(change["field"].description == "last sample_delta")
    #expect(change["old"].int == 640)
    #expect(change["new"].int == 1536)
    #expect(change["reason"].description == "stts.last-short")
    #expect(report["findings"].array.contains { $0["code"].description == "stts.last-short" })
    #expect(report["io"]["method"].description == "gather")
  }

  @Test func `where nothing is wrong the copy is identical`() throws {
    let output = folder.file("copy.mov")
    let result = try kerfless(["repair", Media.path("joc-qt-v1.mov"), "-o", output])
    #expect(result.text.contains("nothing to repair"))
    #expect(try readFile(output) == Media.bytes("joc-qt-v1.mov"))
  }

  @Test func `into a pipe, and not at all`() throws {
    let piped = try kerfless(["repair", Media.path("joc-flag-lost.mp4"), "-o", "-"])
    #expect(try piped.bytes == Media.bytes("joc-base.mp4"))
    let output = folder.file("x.mp4")
    let planned = try kerflessJSON(["repair", Media.path("joc-flag-lost.mp4"), "-o", output, "--dry-run"])
    #expect(planned["io"].description == "null")
    #expect(planned["changes"].array.count == 1)
    #expect(folder.names == [])
  }

  @Test func `never in place, and never over something without leave`() throws {
    let file = try folder.write(try Media.bytes("joc-flag-lost.mp4"), as: "a.mp4")
    try FileManager.default.createSymbolicLink(atPath: folder.file("link.mp4"), withDestinationPath: file)
    for output in [file, folder.file("link.mp4")] {
      try expectFailure(
        73, ["repair", file, "-o", output, "--force"], saying: ["one of the sources"], leaving: folder)
    }
    _ = try folder.write([9], as: "b.mp4")
    try expectFailure(73, ["repair", file, "-o", folder.file("b.mp4")], saying: ["--force"], leaving: folder)
    #expect(try readFile(file) == Media.bytes("joc-flag-lost.mp4"))
  }

  @Test(
    arguments: [
      ("joc-stops.mp4", 65, "joc.mixed"), ("joc-stts-gap.mp4", 65, "stts.gap"),
      ("joc-enca.mp4", 69, "in the clear"),
      ("ac4.mp4", 69, "in the clear"), ("joc51.ec3", 69, "elementary stream"), ("none.mp4", 66, "none.mp4"),
    ] as [(String, Int32, String)])
  func `what cannot be put right is refused by name`(_ file: String, _ status: Int32, _ reason: String) throws
  {
    try expectFailure(
      status, ["repair", Media.path(file), "-o", folder.file("x.mp4")], saying: [reason], leaving: folder)
  }
}
