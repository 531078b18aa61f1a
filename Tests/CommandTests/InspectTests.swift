import Foundation
import TestSupport
import Testing

struct InspectTests {
  @Test(arguments: Subject.all)
  func `the facts are those of the index`(_ subject: Subject) throws {
    let json = try kerflessJSON(["inspect", subject.path])
    #expect(json["schema"].description == "kerfless.inspect/1")
    let kind = subject.isElementary ? "elementary-stream" : subject.isFragmented ? "fragmented-mp4" : "mp4"
    #expect(json["container"].description == kind)
    let track = try #require(json["tracks"].array.first { $0["accessUnits"].int != nil })
    #expect(track["accessUnits"].int == subject.unitCount)
    #expect(track["sampleRate"].int == subject.sampleRate)
    #expect(track["samplesPerAccessUnit"].int == 1536)
    #expect(track["mediaDuration"]["samples"].int == subject.unitCount * 1536)
    #expect(track["channelNames"].array.count == track["channels"].int)
  }

  /// Expected values from Tests/Media/INDEX.tsv and from how the fixtures are made.
  @Test(arguments: [
    ("joc-base.mp4", "5.1", 6, "[ec+3,ec-3]", "true", "3", "3"),
    ("joc-flag-lost.mp4", "5.1", 6, "[ec+3,ec-3]", "false", "null", "3"),
    ("joc-wrong-complexity.mp4", "5.1", 6, "[ec+3,ec-3]", "true", "16", "3"),
    ("ddp51.mp4", "5.1", 6, "[ec-3]", "false", "null", "null"),
    ("ddp71.mp4", "7.1", 8, "[ec-3]", "false", "null", "null"),
    ("ac3.mp4", "5.1", 6, "[ac-3]", "false", "null", "null"),
    ("ddp20-24k.ec3", "2.0", 2, "[ec-3]", "false", "null", "null"),
  ])
  func `layout, formats and JOC are told`(
    _ file: String, _ layout: String, _ channels: Int, _ formats: String, _ isSignalled: String,
    _ signalled: String,
    _ complexity: String
  ) throws {
    let track = try kerflessJSON(["inspect", Media.path(file)])["tracks"][0]
    #expect(track["layout"].description == layout)
    #expect(track["channels"].int == channels)
    #expect(track["formats"].description == formats)
    #expect(track["joc"]["signalled"].description == isSignalled)
    #expect(track["joc"]["signalledComplexity"].description == signalled)
    #expect(track["joc"]["complexity"].description == complexity)
    #expect(track["joc"]["coverage"]["examined"].int == 1)
  }

  @Test(arguments: [
    ("joc-flag-lost.mp4", ["dec3.joc-missing"]), ("joc-wrong-complexity.mp4", ["dec3.joc-complexity"]),
    ("ddp71-ffmpeg-dec3.mp4", ["dec3.chan-loc", "dec3.data-rate"]), ("joc-stts-gap.mp4", ["stts.gap"]),
    ("joc-last-short.mp4", ["stts.irregular"]), ("joc-edits-3.mp4", ["elst.unsupported"]),
    ("ac3-51-swapped.ac3", ["stream.byte-swapped"]), ("ddp51-torn.ec3", ["stream.torn-tail"]),
    ("joc-base.mp4", []), ("joc-ts90k.mp4", []),
  ])
  func `findings have stable codes`(_ file: String, _ codes: [String]) throws {
    let findings = try kerflessJSON(["inspect", Media.path(file)])["tracks"][0]["findings"].array
    #expect(findings.map { $0["code"].description } == codes)
  }

  @Test func `what cannot be cut is named`() throws {
    let ac4 = try kerflessJSON(["inspect", Media.path("ac4.mp4")])["tracks"][0]
    #expect(ac4["codec"].description == "ac-4")
    let encrypted = try kerflessJSON(["inspect", Media.path("joc-enca.mp4")])["tracks"][0]
    #expect(encrypted["codec"].description == "ec-3")
    #expect(encrypted["encrypted"].description == "true")
    let fragmented = try kerflessJSON(["inspect", Media.path("frag.mp4")])
    #expect(fragmented["container"].description == "fragmented-mp4")
  }

  @Test func `edits are printed as they are, and the duration is what is presented`() throws {
    let track = try kerflessJSON(["inspect", Media.path("joc-edit-priming.mp4")])["tracks"][0]
    #expect(track["edits"][0]["mediaTime"].int == 256)
    #expect(track["duration"]["samples"].int == 32 * 1536 - 256)
    let late = try kerflessJSON(["inspect", Media.path("joc-edit-empty.mp4")])["tracks"][0]
    #expect(late["edits"][0]["mediaTime"].int == -1)
    #expect(late["duration"]["seconds"].description == "1.524")
  }

  @Test func `one thing is counted as one, and an edit's times say what they count`() throws {
    let folder = try TemporaryFolder()
    let output = folder.file("one.mp4")
    try kerfless(["trim", Media.path("joc-base.mp4"), "--end", "1au", "-o", output])
    let lines = try kerfless(["inspect", output]).lines
    #expect(lines.contains { $0.hasPrefix("    1 access unit of 320 bytes") })
    #expect(lines.contains { $0.hasSuffix(", 1 chunk") })
    #expect(try kerfless(["verify", output]).text.contains(", 1 access unit, "))
    let edits = try kerfless(["inspect", Media.path("joc-edits-3.mp4")]).lines.filter {
      $0.contains("    edit ")
    }
    #expect(edits.first == "    edit from media time 0 s (0/48000), duration 0.256 s (12288/48000)")
  }

  @Test func `a file that is cut off says so`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(Media.bytes("joc-base.mp4").prefix(5000)), as: "cut.mp4")
    let json = try kerflessJSON(["inspect", path])
    #expect(json["findings"].array.map { $0["code"].description } == ["file.truncated"])
    #expect(json["tracks"][0]["findings"].array.map { $0["code"].description } == ["au.missing"])
    try kerfless(["trim", path, "-o", folder.file("front.mp4"), "--end", "10au"])
    try expectFailure(
      65, ["trim", path, "-o", folder.file("back.mp4"), "--start", "20au"], saying: ["5000"], leaving: folder)
  }

  @Test func `a file that cannot be read does not keep the others from being printed`() throws {
    let result = try Tool.kerfless.run([
      "inspect", "--json", "/nonexistent", Media.path("joc-base.mp4"), Media.path("INDEX.tsv"),
    ])
    #expect(result.status == 66)
    let objects = try result.lines.map { try JSON(parsing: $0) }
    #expect(
      objects.map { $0["schema"].description } == [
        "kerfless.error/1", "kerfless.inspect/1", "kerfless.error/1",
      ])
    #expect(objects[0]["exit"].int == 66)
    #expect(objects[2]["exit"].int == 65)
    #expect(objects[2]["path"].description == Media.path("INDEX.tsv"))
  }

  @Test func `the text names every fact of a track`() throws {
    let text = try kerfless(["inspect", Media.path("joc-named.mp4")]).text
    for part in [
      "E-AC-3 with JOC", "5.1 (L R C LFE Ls Rs)", "48000 Hz", "32 access units of 320 bytes", "language deu",
      "'Kerfless test'", "formats ec+3, ec-3", "complexity 3", "0280200f000103",
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
  }
}
