import Foundation
import TestSupport
import Testing

/// Where cuts fall, told by a dry run.
struct TimeTests {
  static let hasSharedMedia = Media.shared != nil

  /// The access units that a range takes: first, end.
  private func units(_ file: String, _ range: [String]) throws -> [Int?] {
    let json = try kerflessJSON(["trim", file, "-o", "unused.mp4", "--dry-run"] + range)
    let first = json["firstAccessUnit"].int
    return [first, first.flatMap { first in json["accessUnits"].int.map { first + $0 } }]
  }

  @Test(.enabled(if: hasSharedMedia, "the larger set of media is not at hand"))
  func `five to ten seconds are access units 156 to 312`() throws {
    let file = Media.sharedPath("generated/mp4/joc448_plain_flag.mp4")
    #expect(try units(file, ["--start", "5", "--end", "10"]) == [156, 312])
    let longer = Media.sharedPath("real/DolbyLaboratories_dlb_mp4base/7ch_ddp_25fps_acmod_19.mp4")
    #expect(try units(longer, ["--start", "5", "--end", "10"]) == [156, 312])
    #expect(try units(longer, ["--start", "5s", "--duration", "5000ms"]) == [156, 312])
    #expect(try units(longer, ["--start", "00:00:05.000", "--end", "0:10"]) == [156, 312])
    #expect(try units(longer, ["--start", "240000smp", "--end", "480000smp"]) == [156, 312])
    #expect(try units(longer, ["--start", "156au", "--end", "312au"]) == [156, 312])
  }

  @Test(.enabled(if: hasSharedMedia, "the larger set of media is not at hand"))
  func `a second on a clock of 90 kHz is access unit 31`() throws {
    let file = Media.sharedPath("generated/craft/joc448__timescale_90k.mp4")
    #expect(try units(file, ["--start", "1"]) == [31, 100])
  }

  /// floor(T × rate / 1536), and with nearest (T × rate + 768) / 1536, worked out by hand.
  @Test(arguments: [
    ("joc51.ec3", "0.016", "floor", 0), ("joc51.ec3", "0.016", "nearest", 1),
    ("joc51.ec3", "0.016", "ceil", 1),
    ("joc51.ec3", "0.015999", "nearest", 0), ("joc51.ec3", "767smp", "nearest", 0),
    ("joc51.ec3", "768smp", "nearest", 1), ("joc51.ec3", "1535smp", "floor", 0),
    ("joc51.ec3", "1536smp", "floor", 1),
    ("joc51.ec3", "1537smp", "ceil", 2), ("joc51.ec3", "1536smp", "ceil", 1), ("joc51.ec3", "1", "floor", 31),
    ("joc51.ec3", "1", "nearest", 31), ("joc51.ec3", "1", "ceil", 32), ("joc51.ec3", "0.048", "nearest", 2),
    // 44.1 kHz: an access unit lasts 34.83 ms; 0.0174 s is sample 767.34, 0.01742 s is 768.2.
    ("ddp20-44k1.ec3", "0.0174", "nearest", 0), ("ddp20-44k1.ec3", "0.01742", "nearest", 1),
    ("ddp20-44k1.ec3", "1", "floor", 28), ("ddp20-44k1.ec3", "1", "nearest", 29),
    ("ddp20-44k1.ec3", "1", "ceil", 29),
    ("ddp20-44k1.ec3", "2", "nearest", 57), ("ddp20-44k1.ec3", "0.034829931972789", "floor", 0),
    ("ddp20-44k1.ec3", "0.034829931972790", "floor", 1),
    // 24 kHz: 64 ms.
    ("ddp20-24k.ec3", "0.032", "nearest", 1), ("ddp20-24k.ec3", "0.031999", "nearest", 0),
    ("ddp20-24k.ec3", "0.5", "floor", 7),
  ])
  func `starts snap in whole numbers`(_ file: String, _ start: String, _ snap: String, _ unit: Int) throws {
    #expect(try units(Media.path(file), ["--start", start, "--snap", snap])[0] == unit)
  }

  @Test(arguments: ["joc51.ec3", "ddp20-44k1.ec3", "joc-edit-priming.mp4", "ddp20-44k1.mp4"])
  func `neighbouring ranges tile`(_ file: String) throws {
    let borders = ["0.1", "0.2333333", "0.5", "0.6667", "0.9"]
    for snap in ["floor", "nearest", "ceil"] {
      var ends: [Int?] = []
      for (start, end) in zip(borders, borders.dropFirst()) {
        let taken = try units(Media.path(file), ["--start", start, "--end", end, "--snap", snap])
        if let last = ends.last { #expect(taken[0] == last) }
        ends.append(taken[1])
      }
    }
  }

  /// Most files that ffmpeg encoded: their edit lists end a few PCM samples before the media does.
  static let edited: [Subject] = Subject.all.filter { !$0.isElementary }

  @Test(.enabled(if: Tool.exists("ffprobe"), "ffprobe is needed"), arguments: edited)
  func `the end, and the duration that ffprobe prints, lose no access unit`(_ subject: Subject) throws {
    let probe = try Judges.probe(subject.path)
    let start = Double(probe.fields["start_time"] ?? "") ?? 0
    let duration = try #require(probe.fields["duration"])
    #expect(try units(subject.path, [])[1] == subject.unitCount)
    #expect(try units(subject.path, ["--start", "0"])[1] == subject.unitCount)
    // ffprobe's duration starts with the track, which a leading empty edit delays.
    // Without an edit list a short last delta is not followed, and an end inside the last access unit falls to its start.
    guard start == 0, subject.name != "joc-last-short.mp4" else { return }
    #expect(try units(subject.path, ["--end", duration])[1] == subject.unitCount, "duration \(duration)")
  }

  @Test func `an end a little beyond the track is its end, further out an error that states the duration`()
    throws
  {
    let file = Media.path("joc-base.mp4")
    #expect(try units(file, ["--end", "1.055"]) == [0, 32])
    #expect(try units(file, ["--end", "50687smp"]) == [0, 32])
    try expectFailure(
      65, ["trim", file, "-o", "x.mp4", "--end", "50688smp"], saying: ["1.024 s", "--clamp"])
    #expect(try units(file, ["--end", "99", "--clamp"]) == [0, 32])
    try expectFailure(65, ["trim", file, "-o", "x.mp4", "--end", "33au"], saying: ["33", "32"])
    #expect(try units(file, ["--end", "33au", "--clamp"]) == [0, 32])
    try expectFailure(
      65, ["trim", file, "-o", "x.mp4", "--start", "1.024"], saying: ["starts at 1.024 s, behind the end"])
  }

  @Test func `one tick of the movie's clock before the end is the end`() throws {
    // An edit of 1018 ticks of 1/1000 s from media time 256 on: it ends inside the last access unit; a tick is 48 samples.
    let file = Media.path("ddp51-edit-short.mp4")
    let end = 1018 * 48
    #expect(try units(file, ["--end", "\(end - 48)smp"])[1] == 32)
    #expect(try units(file, ["--end", "\(end - 49)smp"])[1] == 31)
  }

  @Test func `presentation times pass through the edit list`() throws {
    let primed = Media.path("joc-edit-priming.mp4")
    #expect(try units(primed, ["--start", "1280smp", "--end", "1281smp", "--snap", "ceil"]) == [1, 2])
    #expect(try units(primed, ["--start", "1279smp"])[0] == 0)
    #expect(try units(primed, ["--start", "1280smp"])[0] == 1)
    #expect(try units(primed, ["--start", "1536smp", "--ignore-edits"])[0] == 1)
    // 0.5 s of silence in front.
    let late = Media.path("joc-edit-empty.mp4")
    #expect(try units(late, ["--start", "0.5"])[0] == 0)
    #expect(try units(late, ["--start", "0.532"])[0] == 1)
    let early = try kerflessJSON(["trim", late, "-o", "x.mp4", "--dry-run", "--start", "0.2", "--end", "1"])
    #expect(early["firstAccessUnit"].int == 0)
    #expect(early["findings"].array.map { $0["code"].description } == ["elst.leading-empty"])
  }

  @Test func `what was asked is reported as it was asked`() throws {
    let file = Media.path("joc-base.mp4")
    let json = try kerflessJSON(["trim", file, "-o", "x.mp4", "--dry-run", "--end", "1.05"])
    #expect(json["requested"]["end"]["seconds"].description == "1.05")
    #expect(json["offset"]["end"]["seconds"].description == "-0.026")
    let clamped = try kerflessJSON(["trim", file, "-o", "x.mp4", "--dry-run", "--end", "9", "--clamp"])
    #expect(clamped["offset"]["end"]["seconds"].description == "-7.976")
    let late = Media.path("joc-edit-empty.mp4")
    try expectFailure(
      65, ["trim", late, "-o", "x.mp4", "--end", "0.1"], saying: ["silence in front of the track"])
  }

  @Test(arguments: [
    ["--start", "1", "--end", "0.5"], ["--start", "0.5", "--end", "0.5"],
    ["--start", "0.5", "--duration", "0"],
    ["--start", "0.5", "--end", "0.51"],
  ])
  func `an empty range is an error`(_ range: [String]) throws {
    try expectFailure(
      65, ["trim", Media.path("joc-base.mp4"), "-o", "x.mp4"] + range, saying: ["joc-base.mp4"])
  }

  @Test func `the report says how far each end is from what was asked`() throws {
    let json = try kerflessJSON([
      "trim", Media.path("joc-base.mp4"), "-o", "x.mp4", "--dry-run", "--start", "0.5", "--end", "0.9",
    ])
    #expect(json["requested"]["start"]["samples"].int == 24000)
    #expect(json["requested"]["end"]["samples"].int == 43200)
    #expect(json["presented"]["start"]["samples"].int == 15 * 1536)
    #expect(json["presented"]["end"]["samples"].int == 28 * 1536)
    #expect(json["offset"]["start"]["samples"].int == 15 * 1536 - 24000)
    #expect(json["offset"]["end"]["seconds"].description == "-0.004")
    #expect(json["presented"]["duration"]["seconds"].description == "0.416")
  }
}
