import Foundation
import TestSupport
import Testing

/// One verdict a file, its exit code, and what it is proven equal to.
struct VerifyTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func verify(
    _ arguments: [String], status: Int32 = 0, at location: SourceLocation = #_sourceLocation
  ) throws
    -> JSON
  {
    let result = try Tool.kerfless.run(["verify", "--json"] + arguments)
    #expect(result.status == status, "\(arguments): \(result.text)\(result.errors)", sourceLocation: location)
    return try JSON(parsing: result.text)
  }

  private func codes(_ json: JSON) -> [String] { json["findings"].array.map { $0["code"].description } }

  @Test(arguments: Subject.all.filter { !$0.hasBadChecksum })
  func `what kerfless writes is right, and proven equal to its source`(_ subject: Subject) throws {
    let source = subject.path
    let (mp4, stream) = (folder.file("out.mp4"), folder.file("out.ec3"))
    let end = Double(subject.unitCount) * 1536 / Double(subject.sampleRate)
    let (a, b) = ("\(end * 0.21)", "\(end * 0.68)")
    let ranges = [
      (["--start", "2au", "--end", "7au"], "@2au-7au"), ([], ""),
      (["--start", a, "--end", b, "--cut", "exact"], "@\(a)-\(b)"),
      (["--start", a, "--end", b, "--cut", "exact", "--preroll", "0"], "@\(a)-\(b)"),
    ]
    for (options, range) in ranges {
      try kerfless(["trim", source, "-o", mp4, "--force"] + options)
      let json = try verify([mp4, "--source", source + range])
      #expect(json["verdict"].description == "right")
      #expect(json["source"]["equal"].description == "true")
      #expect(codes(json) == [])
    }
    try kerfless(["extract", source, "-o", stream])
    #expect(try verify([stream, "--source", source])["source"]["accessUnits"].int == subject.unitCount)
    let segments = ["5au-9au", "2au-6au", "7au-"].map { "\(source)@\($0)" }
    for cut in ["frame", "exact"] {
      try kerfless(["concat"] + segments + ["-o", mp4, "--force", "--cut", cut])
      let json = try verify([mp4] + segments.flatMap { ["--source", $0] })
      #expect(json["source"]["cut"].description == cut)
      #expect(json["source"]["segments"].array.count == 3)
    }
  }

  @Test func `every file is looked at and the first that is wrong gives the exit code`() throws {
    let result = try Tool.kerfless.run([
      "verify", "--json", Media.path("joc-base.mp4"), Media.path("joc-flag-lost.mp4"),
      folder.file("none.mp4"),
      Media.path("ac4.mp4"), Media.path("ddp51.mp4"),
    ])
    #expect(result.status == 65)
    let lines = try result.lines.map { try JSON(parsing: $0) }
    #expect(
      lines.map { $0["verdict"].description } == ["right", "wrong", "null", "unchecked", "right"])
    #expect(lines[2]["schema"].description == "kerfless.error/1")
    #expect(lines[2]["exit"].int == 66)
  }

  @Test(
    arguments: [
      ("joc-base.mp4", 0), ("joc-edits-3.mp4", 0), ("joc-flag-lost.mp4", 65), ("ddp51-torn.ec3", 65),
      ("ac4.mp4", 69),
      ("joc-enca.mp4", 69), ("INDEX.tsv", 65), ("none.mp4", 66),
    ] as [(String, Int32)])
  func `exit codes`(_ file: String, _ status: Int32) throws {
    #expect(try Tool.kerfless.run(["verify", Media.path(file)]).status == status)
  }

  @Test func `a finding has its code, severity, place and writer`() throws {
    let json = try verify([Media.path("ddp71-ffmpeg-dec3.mp4")], status: 65)
    #expect(json["schema"].description == "kerfless.verify/1")
    #expect(json["counts"]["errors"].int == 2)
    #expect(json["counts"]["accessUnits"].int == 24)
    #expect(json["checkedBytes"].int == 24 * 576)
    let finding = json["findings"][0]
    #expect(finding["code"].description == "dec3.chan-loc")
    #expect(finding["severity"].description == "error")
    #expect(finding["track"].int == 1)
    #expect(finding["boxPath"].description == "moov/trak/mdia/minf/stbl/stsd/ec-3/dec3")
    let bytes = try Media.bytes("ddp71-ffmpeg-dec3.mp4")
    let offset = try #require(finding["offset"].int)
    #expect(String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self) == "dec3")
    #expect(finding["writer"].description == "FFmpeg")
  }

  @Test(
    .enabled(if: Media.shared != nil, "the larger set of media is not at hand"),
    arguments: [
      ("generated/craft/joc448__joc_flag_lost.mp4", ["dec3.joc-missing"], "FFmpeg before 8"),
      ("generated/craft/joc448__joc_wrong_index.mp4", ["dec3.joc-complexity"], "null"),
      ("generated/mp4/joc448_plain_flaglost.mp4", ["dec3.joc-missing"], "FFmpeg before 8"),
      ("generated/mp4/ddp71_dep_576_10s.mp4", ["dec3.chan-loc", "dec3.data-rate"], "FFmpeg"),
      (
        "real/DolbyLaboratories_dlb_mp4base/7ch_ddp_25fps_acmod_19.mp4", ["dec3.chan-loc"],
        "L-SMASH or GPAC 0.4"
      ),
      ("real/androidx_media/sample_eac3.mp4", ["au.invalid"], "Bento4"),
      ("real/androidx_media/sample_ac3.mp4", ["au.crc"], "null"),
      ("real/joeyparrish_shaka-packager/bear-640x360-ec3.mp4", ["tkhd.duration"], "FFmpeg"),
    ])
  func `real files with defects are found and named`(_ file: String, _ expected: [String], _ writer: String)
    throws
  {
    let json = try verify([Media.sharedPath(file)], status: 65)
    #expect(codes(json) == expected)
    #expect(json["findings"][0]["writer"].description == writer)
  }

  @Test(
    .enabled(if: Media.shared != nil, "the larger set of media is not at hand"),
    .enabled(if: Judges.ffmpeg != nil, "ffmpeg is needed"))
  func `the advice on a file of Bento4 leads to a right one`() throws {
    let file = Media.sharedPath("real/androidx_media/sample_eac3.mp4")
    let (stream, muxed) = (folder.file("STREAM.ec3"), folder.file("OUT.mp4"))
    let command = "ffmpeg -i FILE -map 0:a:0 -c copy -f eac3 STREAM.ec3"
    for line in [
      ["trim", file, "-o", muxed], ["extract", file, "-o", stream], ["repair", file, "-o", muxed],
    ] {
      try expectFailure(65, line, saying: [command, "kerfless mux STREAM.ec3 -o OUT.mp4"], leaving: folder)
    }
    let options = command.split(separator: " ").dropFirst().map {
      $0 == "FILE" ? file : $0 == "STREAM.ec3" ? stream : String($0)
    }
    _ = try Judges.ffmpeg?.run(["-v", "error"] + options)
    try kerfless(["mux", stream, "-o", muxed])
    #expect(try verify([muxed])["counts"]["accessUnits"].int == 9)
  }

  @Test(
    .enabled(if: Judges.ffmpeg != nil, "ffmpeg is needed"))
  func `what FFmpeg makes of a JOC stream is found`() throws {
    let copy = folder.file("copy.mp4")
    _ = try Judges.ffmpeg?.run(["-v", "error", "-i", Media.path("joc-base.mp4"), "-c", "copy", copy])
    let found = codes(try verify([copy], status: 65))
    // FFmpeg before 8 loses the tail; later ones keep it, and then nothing is wrong.
    #expect(found == ["dec3.joc-missing"])
  }

  @Test func `a difference from the source is told with both places`() throws {
    let output = folder.file("out.mp4")
    try kerfless(["trim", Media.path("joc-base.mp4"), "-o", output, "--start", "4au"])
    var bytes = try readFile(output)
    bytes[bytes.count - 1] ^= 1
    _ = try folder.write(bytes, as: "out.mp4")
    let json = try verify([output, "--source", Media.path("joc-base.mp4") + "@4au-"], status: 65)
    #expect(json["source"]["equal"].description == "false")
    #expect(json["source"]["difference"]["accessUnit"].int == 27)
    #expect(json["source"]["difference"]["sourceAccessUnit"].int == 31)
    #expect(json["source"]["difference"]["offset"].int == bytes.count - 1)
    #expect(codes(json) == ["au.crc", "source.payload"])
  }

  @Test func `a track is told by its number in the source`() throws {
    let (source, output) = (Media.path("joc-2-tracks.mp4"), folder.file("out.mp4"))
    for track in ["1", "5"] {
      try kerfless(["trim", source, "-o", output, "--force", "--track", track, "--start", "3au"])
      let json = try verify([output, "--source", source + "@3au-", "--track", track])
      #expect(json["source"]["segments"][0]["track"].description == track)
      #expect(
        try verify([source, "--source", source, "--track", track])["source"]["equal"].description == "true")
    }
    #expect(
      try verify([output, "--source", source + "@3au-", "--track", "1"], status: 65)["source"]["equalBytes"]
        .int == 0)
  }

  @Test func `options that mean nothing are told`() throws {
    for option in [
      ["--cut", "exact"], ["--preroll", "1"], ["--snap", "ceil"], ["--clamp"], ["--ignore-edits"],
    ] {
      try expectFailure(64, ["verify", Media.path("joc-base.mp4")] + option, saying: ["--source"])
    }
    try expectFailure(64, ["verify"], saying: ["at least 1 file"])
    try expectFailure(
      66, ["verify", Media.path("joc-base.mp4"), "--source", "none.mp4"], saying: ["none.mp4"])
    try expectFailure(
      65, ["verify", Media.path("joc-base.mp4"), "--source", Media.path("joc-base.mp4") + "@5-9"],
      saying: ["behind the end"])
  }

  @Test func `text says the same as JSON`() throws {
    let lines = try Tool.kerfless.run(["verify", Media.path("joc-flag-lost.mp4")]).lines
    #expect(lines.count == 2)
    #expect(lines[0].contains("joc-flag-lost.mp4: wrong (mp4, 22 boxes, 32 access units, 10240 bytes"))
    #expect(lines[1].hasPrefix("  error: dec3 does not signal joint object coding"))
    #expect(lines[1].contains("[dec3.joc-missing] (track 1, moov/trak/mdia/minf/stbl/stsd/ec-3/dec3, byte "))
  }
}
