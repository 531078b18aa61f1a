import Foundation
import TestSupport
import Testing

/// What users reported against other tools, turned into tests: the shapes of stream that those got wrong.
struct PeerReportTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Frames of three, two and one block and a rest: GPAC and Bento4 make each frame an MP4 sample.
  @Test(
    .enabled(if: Judges.areAtHand, "ffmpeg is needed"),
    arguments: [("1536k", 3, 313), ("3000k", 2, 469), ("6000k", 1, 938)])
  func `access units are of six blocks, however the encoder frames them`(
    _ bitRate: String, _ blocks: Int, _ frames: Int
  ) throws {
    let stream = folder.file("stream.ec3")
    let made = try Judges.ffmpeg?.run([
      "-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=5:r=48000:a=0.1:s=7", "-ac", "6", "-c:a", "eac3",
      "-b:a", bitRate, "-f", "eac3", stream,
    ])
    #expect(made?.errors == "")
    let unit = try kerflessJSON(["inspect", stream])["tracks"][0]["substreams"][0]
    #expect(unit["blocks"].int == blocks)
    // What ffmpeg wrote, counted in frames.
    let size = try #require(unit["bytes"].int) * blocks / 6
    let written = try readFile(stream).count
    #expect(written / size == frames)
    let output = folder.file("out.mp4")
    let report = try kerflessJSON(["mux", stream, "-o", output])
    #expect(report["accessUnits"].int == 156)
    let track = try kerflessJSON(["inspect", "--scan", output])["tracks"][0]
    #expect(track["scan"]["accessUnits"].int == 156)
    #expect(track["mediaDuration"]["samples"].int == 156 * 1536)
    #expect(try Judges.structure(output) == [])
  }

  /// FFmpeg signals what its last frame has.
  @Test func `JOC that is missing in the last access unit alone is not lost`() throws {
    let joc = try Media.bytes("joc-stops.mp4")
    let source = try folder.write(Array(joc), as: "source.mp4")
    let output = folder.file("out.mp4")
    try expectFailure(
      65, ["trim", source, "-o", output, "--end", "17au"], saying: ["access unit 16"], leaving: folder)
    let report = try kerflessJSON(["trim", source, "-o", output, "--end", "17au", "--allow-mixed-joc"])
    #expect(report["joc"]["coverage"]["found"].int == 16)
    #expect(report["joc"]["coverage"]["examined"].int == 17)
    let track = try kerflessJSON(["inspect", output])["tracks"][0]
    #expect(track["configuration"].description == "0280200f000103")
  }

  @Test func `an AC-3 core with a dependent substream is E-AC-3`() throws {
    let output = folder.file("core.mp4")
    try kerfless(["trim", Media.path("ac3-core-71.ec3"), "-o", output, "--start", "3au", "--end", "20au"])
    let track = try kerflessJSON(["inspect", "--scan", output])["tracks"][0]
    #expect(track["codec"].description == "ec-3")
    #expect(track["sampleEntry"].description == "ec-3")
    #expect(track["layout"].description == "7.1")
    #expect(track["substreams"].array.map { $0["codec"].description } == ["ac-3", "ec-3"])
    #expect(track["substreams"].array.map { $0["bsid"].int } == [8, 16])
    // data_rate 160, one independent of bsid 8 with one dependent at Lrs/Rrs.
    #expect(track["configuration"].description == "0500100f0202")
    #expect(track["findings"].array.isEmpty)
  }

  @Test(
    arguments: [
      ("ddp-dual-mono.ec3", 48000, "1+1"), ("ddp20-22k05.ec3", 22050, "2.0"), ("ddp20-16k.ec3", 16000, "2.0"),
    ])
  func `dual mono and half sample rates`(_ file: String, _ rate: Int, _ layout: String) throws {
    let output = folder.file("out.mp4")
    try kerfless(["trim", Media.path(file), "-o", output, "--start", "1au", "--end", "11au"])
    let track = try kerflessJSON(["inspect", "--scan", output])["tracks"][0]
    #expect(track["sampleRate"].int == rate)
    #expect(track["timescale"].int == rate)
    #expect(track["layout"].description == layout)
    #expect(track["channels"].int == 2)
    #expect(track["duration"]["samples"].int == 10 * 1536)
    #expect(track["findings"].array.isEmpty)
  }
}
