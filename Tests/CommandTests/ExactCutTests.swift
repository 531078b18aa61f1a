import Foundation
import TestSupport
import Testing

/// Exact cuts and joins, decoded by a current FFmpeg and compared with the decoded source, PCM sample by PCM sample.
@Suite(.enabled(if: Judges.currentFFmpeg != nil, "a current FFmpeg is needed: make test fetches one"))
struct ExactCutTests {
  /// A source and how many random ranges of it are compared.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let path: String
    let rate: Int
    let channels: Int
    /// FFmpeg decodes the last block of some access units of ac3forge's low-rate streams by what came long before:
    /// such a clip is compared with a decode that has the same run-up.
    var needsSameRunUp = false
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "5.1", path: Media.path("ddp51.mp4"), rate: 48000, channels: 6),
    Case(name: "7.1", path: Media.path("ddp71.mp4"), rate: 48000, channels: 8, needsSameRunUp: true),
    Case(name: "44.1 kHz", path: Media.path("ddp20-44k1.mp4"), rate: 44100, channels: 2),
    Case(name: "VBR", path: Media.path("ddp-vbr.ec3"), rate: 48000, channels: 6, needsSameRunUp: true),
    Case(name: "JOC", path: Media.path("joc51.ec3"), rate: 48000, channels: 6, needsSameRunUp: true),
    Case(name: "priming", path: Media.path("ddp51-edit-short.mp4"), rate: 48000, channels: 6),
    Case(name: "fragments", path: Media.path("frag.mp4"), rate: 48000, channels: 6),
  ]

  static let sharedCases: [Case] =
    Media.shared == nil
    ? []
    : [
      Case(
        name: "5.1, 10 s", path: Media.sharedPath("generated/mp4/ddp51_plain.mp4"), rate: 48000, channels: 6),
      Case(
        name: "7.1, 10 s", path: Media.sharedPath("generated/mp4/ddp71_dep_576_10s.mp4"), rate: 48000,
        channels: 8),
      Case(
        name: "44.1 kHz, 5 s", path: Media.sharedPath("generated/mp4/ddp20_192_44k1_5s.mp4"), rate: 44100,
        channels: 2),
      Case(
        name: "VBR, 10 s", path: Media.sharedPath("generated/mp4/ddp51_vbr_10s.mp4"), rate: 48000, channels: 6
      ),
      Case(
        name: "JOC, 10 s", path: Media.sharedPath("generated/mp4/joc448_plain_flag.mp4"), rate: 48000,
        channels: 6),
    ]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// 16-bit samples, all channels, as the edit list presents them; noise is seeded anew in each frame.
  private func decode(_ path: String) throws -> [UInt8] {
    let result = try Judges.currentFFmpeg?.run([
      "-v", "error", "-drc_scale", "0", "-cons_noisegen", "1", "-i", path, "-map", "a:0", "-f", "s16le", "-",
    ])
    #expect(result?.errors == "")
    return result?.bytes ?? []
  }

  private func part(_ pcm: [UInt8], _ samples: Range<Int>, _ channels: Int) -> ArraySlice<UInt8> {
    pcm[samples.lowerBound * channels * 2..<samples.upperBound * channels * 2]
  }

  @Test(arguments: cases + sharedCases)
  func `random ranges decode to the same samples as the source`(_ source: Case) throws {
    let whole = try decode(source.path)
    let length = whole.count / 2 / source.channels
    let seed: UInt64 = 20_261_130
    var random = SeededGenerator(seed: seed)
    let output = folder.file("clip.mp4")
    for round in 0..<12 {
      // The source's last presented samples can need an access unit that it does not have: leave the decoder's delay.
      let start = Int.random(in: 0..<length * 3 / 4, using: &random)
      let end = Int.random(in: start + 1..<length - 256, using: &random)
      let report = try kerflessJSON([
        "trim", source.path, "-o", output, "--force", "--cut", "exact", "--start", "\(start)smp", "--end",
        "\(end)smp",
      ])
      #expect(report["presented"]["start"]["samples"].int == start)
      #expect(report["presented"]["duration"]["samples"].int == end - start)
      let clip = try decode(output)
      let expected =
        source.needsSameRunUp
        ? try decode(sameRunUp: report, source) : Array(part(whole, start..<end, source.channels))
      let comment: Comment = "seed \(seed) round \(round): \(start) ..< \(end)"
      #expect(clip.count == (end - start) * source.channels * 2, comment)
      #expect(clip == expected, comment)
      let faults = try Judges.structure(output, edited: true)
      #expect(faults == [])
    }
  }

  /// The source from the clip's first access unit on, and of that what the clip presents.
  private func decode(sameRunUp report: JSON, _ source: Case) throws -> [UInt8] {
    let stream = folder.file("run-up.ec3")
    let first = try #require(report["firstAccessUnit"].int)
    try kerfless(["extract", source.path, "-o", stream, "--force", "--start", "\(first)au"])
    let hidden = try #require(report["hidden"]["start"]["samples"].int)
    let length = try #require(report["presented"]["duration"]["samples"].int)
    return Array(part(try decode(stream), hidden..<hidden + length, source.channels))
  }

  @Test(arguments: (cases + sharedCases).filter { !$0.needsSameRunUp && $0.name != "priming" })
  func `a frame cut compares clean from sample 256 on`(_ source: Case) throws {
    let whole = try decode(source.path)
    let output = folder.file("clip.mp4")
    let report = try kerflessJSON(["trim", source.path, "-o", output, "--start", "5au", "--end", "15au"])
    let start = try #require(report["presented"]["start"]["samples"].int)
    let clip = try decode(output)
    #expect(
      part(clip, 256..<10 * 1536, source.channels)
        == part(whole, start + 256..<start + 10 * 1536, source.channels))
    #expect(clip[...] != part(whole, start..<start + 10 * 1536, source.channels))
  }

  @Test(.enabled(if: Media.shared != nil, "the larger set of media is not at hand"))
  func `the textbook cut presents 96,000 samples, the textbook join 192,000`() throws {
    let source = Media.sharedPath("generated/mp4/ddp51_plain.mp4")
    let whole = try decode(source)
    try kerfless([
      "trim", source, "-o", folder.file("a.mp4"), "--cut", "exact", "--start", "1.010", "--duration", "2",
    ])
    #expect(try decode(folder.file("a.mp4"))[...] == part(whole, 48480..<144_480, 6))
    try kerfless(["concat", source + "@1-3", source + "@3-5", "-o", folder.file("b.mp4"), "--cut", "exact"])
    #expect(try decode(folder.file("b.mp4"))[...] == part(whole, 48000..<240_000, 6))
  }

  @Test func `contiguous ranges join to the very samples of one range`() throws {
    let source = Media.path("ddp51.mp4")
    let whole = try decode(source)
    try kerfless([
      "concat", source + "@0.5-0.7333", source + "@0.7333-1.1", source + "@1.1-2.345", "-o",
      folder.file("joined.mp4"),
      "--cut", "exact",
    ])
    #expect(try decode(folder.file("joined.mp4"))[...] == part(whole, 24000..<112_560, 6))
  }
}

/// What can be told of exact cuts without decoding.
struct ExactReportTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `37 segments of odd lengths keep the clock`() throws {
    let sources = ["joc51.ec3", "joc-base.mp4", "av-joc.mp4"].map(Media.path)
    var random = SeededGenerator(seed: 37)
    var total = 0
    let segments = (0..<37).map { number in
      let start = Int.random(in: 0..<20_000, using: &random)
      let length = Int.random(in: 1700..<23_000, using: &random)
      total += length
      return "\(sources[number % 3])@\(start)smp-\(start + length)smp"
    }
    let report = try kerflessJSON(["concat"] + segments + ["-o", folder.file("reel.mp4"), "--cut", "exact"])
    #expect(report["presented"]["duration"]["samples"].int == total)
    #expect(report["requested"]["duration"]["samples"].int == total)
    // Each joint on the output's clock, against where it was asked.
    var asked = 0
    var joint = 0
    for segment in report["segments"].array {
      #expect(abs(asked - joint) <= 768)
      let offset = try #require(segment["offset"]["start"]["samples"].int)
      #expect(abs(offset - (joint - asked)) <= 768)
      asked += try #require(segment["requested"]["duration"]["samples"].int)
      joint += try #require(segment["presented"]["duration"]["samples"].int)
    }
    #expect(joint == total)
    let faults = try Judges.structure(folder.file("reel.mp4"), edited: true)
    #expect(faults == [])
  }

  @Test(arguments: [("joc51.ec3", 2), ("ddp51.ec3", 1)])
  func `pre-roll is one access unit, with JOC two, fewer at the start`(_ file: String, _ usual: Int) throws {
    for (start, options, preRoll) in [
      ("1", [], usual), ("0.04", [], 1), ("0.01", [], 0), ("1", ["--preroll", "0"], 0),
      ("1", ["--preroll", "5"], 5),
    ] as [(String, [String], Int)] {
      let report = try kerflessJSON(
        ["trim", Media.path(file), "-o", "x.mp4", "-n", "--cut", "exact", "--start", start] + options)
      #expect(report["preRoll"].int == preRoll)
      let first = try #require(report["firstAccessUnit"].int)
      let asked = try #require(report["requested"]["start"]["samples"].int)
      #expect(report["hidden"]["start"]["samples"].int == asked - first * 1536)
    }
  }

  @Test func `silence in front is kept by an exact trim and dropped by a join`() throws {
    let late = Media.path("joc-edit-empty.mp4")
    let output = folder.file("late.mp4")
    let report = try kerflessJSON([
      "trim", late, "-o", output, "--cut", "exact", "--start", "0.2", "--end", "1",
    ])
    #expect(report["presented"]["duration"]["seconds"].description == "0.8")
    let edits = try kerflessJSON(["inspect", output])["tracks"][0]["edits"]
    #expect(edits.array.map { $0["mediaTime"].int } == [-1, 0])
    #expect(edits[0]["segmentDuration"].int == 14400)
    #expect(edits[1]["segmentDuration"].int == 24000)
    let joined = try kerflessJSON(["concat", late, late, "-o", folder.file("twice.mp4"), "--cut", "exact"])
    #expect(joined["findings"].array.map { $0["code"].description } == ["elst.leading-empty"])
    #expect(joined["presented"]["duration"]["samples"].int == 2 * 49152)
  }

  @Test func `an elementary stream cannot be cut exactly`() throws {
    try expectFailure(
      64, ["trim", Media.path("joc51.ec3"), "-o", folder.file("x.ec3"), "--cut", "exact"],
      saying: ["edit list"])
    try expectFailure(
      64, ["trim", Media.path("joc51.ec3"), "-o", "x.mp4", "--cut", "exact", "--snap", "ceil"])
  }

  @Test func `with no bounds the presented part is taken, and pieces tile to the sample`() throws {
    let primed = Media.path("ddp51-edit-short.mp4")
    let all = try kerflessJSON(["trim", primed, "-o", "x.mp4", "-n", "--cut", "exact"])
    #expect(all["presented"]["duration"]["samples"].int == 1018 * 48)
    #expect(all["hidden"]["start"]["samples"].int == 256)
    let result = try Tool.kerfless.run([
      "split", primed, "--every", "0.1", "-o", "x%d.mp4", "-n", "--cut", "exact", "--json",
    ])
    let pieces = try result.lines.map { try JSON(parsing: $0)["presented"] }
    // The last 18 ms are less than an access unit.
    #expect(pieces.count == 10)
    for (piece, next) in zip(pieces, pieces.dropFirst()) { #expect(piece["end"] == next["start"]) }
    #expect(pieces.last?["end"]["samples"].int == 1018 * 48)
  }

  @Test func `a segment to which no access unit falls is an error`() throws {
    let file = Media.path("joc51.ec3")
    try expectFailure(
      65,
      [
        "concat", file + "@0-0.5", file + "@1-1.0001", file + "@1-", "-o", folder.file("x.mp4"), "--cut",
        "exact",
      ],
      saying: ["segment 1"], leaving: folder)
  }
}

/// What a user should hear of when edit lists and frame cuts meet.
struct HiddenUnitTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `a frame cut without ends says that it shows what the edit list hid`() throws {
    let exact = folder.file("exact.mp4")
    try kerfless([
      "trim", Media.path("joc51.ec3"), "-o", exact, "--cut", "exact", "--start", "0.5", "--end", "1",
    ])
    let joined = try kerflessJSON(["concat", exact, exact, "-o", folder.file("joined.mp4")])
    #expect(joined["findings"].array.map { $0["code"].description } == ["elst.dropped"])
    #expect(joined["findings"][0]["message"].description.contains("2 in front and 0 behind"))
    // With ends, or exactly, nothing hidden comes out.
    for more in [["--start", "0"], ["--cut", "exact"]] {
      let report = try kerflessJSON(["trim", exact, "-o", "x.mp4", "-n"] + more)
      #expect(report["findings"].array.isEmpty)
    }
    let priming = try kerflessJSON(["trim", Media.path("joc-edit-priming.mp4"), "-o", "x.mp4", "-n"])
    #expect(priming["findings"].array.isEmpty)
  }

  @Test func `an exact end behind the track is told, unless that was wanted`() throws {
    let arguments = [
      "trim", Media.path("joc-base.mp4"), "-o", "x.mp4", "-n", "--cut", "exact", "--end", "1.03",
    ]
    let report = try kerflessJSON(arguments)
    #expect(report["findings"].array.map { $0["code"].description } == ["end.missing"])
    #expect(report["findings"][0]["message"].description.contains("288 PCM samples"))
    #expect(try kerflessJSON(arguments + ["--clamp"])["findings"].array.isEmpty)
  }

  @Test func `what is passed over or exchanged in a stream is said`() throws {
    for (file, text) in [
      ("ac3-51-swapped.ac3", "byte-swapped"), ("ddp51-id3.ec3", "in front of the first sync word"),
      ("ddp51-torn.ec3", "cut off"),
    ] {
      let result = try kerfless(["mux", Media.path(file), "-o", folder.file(file + ".mp4")])
      #expect(result.errors.contains(text))
    }
  }
}
