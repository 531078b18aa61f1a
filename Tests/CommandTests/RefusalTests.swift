import Foundation
import TestSupport
import Testing

/// Every refusal says what, where and what to do, has its exit code, and leaves nothing.
struct RefusalTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(
    arguments: [
      ("ac4.mp4", 69, "AC-4"), ("joc-enca.mp4", 69, "encrypted ec-3"),
      ("joc-edit-rate2.mp4", 69, "--ignore-edits"), ("joc-edits-3.mp4", 69, "3 edits"),
      ("joc-stts-gap.mp4", 65, "jump in front of access unit"), ("INDEX.tsv", 65, "neither an MP4 file nor"),
    ] as [(String, Int32, String)])
  func `files that cannot be cut`(_ file: String, _ status: Int32, _ reason: String) throws {
    try expectFailure(
      status, ["trim", Media.path(file), "-o", folder.file("x.mp4")], saying: [file, reason], leaving: folder)
  }

  @Test(
    .enabled(if: Media.shared != nil, "the larger set of media is not at hand"),
    arguments: [
      ("real/androidx_media/sample_eac3.mp4", 65, "holds 1 block"),
      ("real/androidx_media/sample_ac4.mp4", 69, "AC-4"),
      ("real/androidx_media/sample_ac4_protected.mp4", 69, "encrypted ac-4"),
    ] as [(String, Int32, String)])
  func `real files that cannot be cut`(_ file: String, _ status: Int32, _ reason: String) throws {
    try expectFailure(
      status, ["trim", Media.sharedPath(file), "-o", folder.file("x.mp4")], saying: [reason], leaving: folder)
  }

  @Test func `a range that is no range gets a hint`() throws {
    try expectFailure(66, ["concat", "a.mp4@1..2", "-o", "x.mp4"], saying: ["FILE@START-END"])
    try expectFailure(66, ["trim", "a.mp4@1-2", "-o", "x.mp4"], saying: ["--start and --end"])
  }

  @Test func `edit lists that cannot be followed can be ignored`() throws {
    for file in ["joc-edit-rate2.mp4", "joc-edits-3.mp4"] {
      let report = try kerflessJSON([
        "trim", Media.path(file), "-o", "x.mp4", "-n", "--ignore-edits", "--start", "0.5",
      ])
      #expect(report["firstAccessUnit"].int == 15)
    }
  }

  @Test func `a gap in the times outside the range does no harm`() throws {
    let file = Media.path("joc-stts-gap.mp4")
    let report = try kerflessJSON(["inspect", file])["tracks"][0]
    let message = try #require(
      report["findings"][0]["message"].description.split(separator: " ").last.flatMap { Int($0) })
    try kerfless(["trim", file, "-o", folder.file("a.mp4"), "--end", "\(message)au"])
    try kerfless(["trim", file, "-o", folder.file("b.mp4"), "--start", "\(message)au"])
    try expectFailure(
      65,
      ["trim", file, "-o", folder.file("c.mp4"), "--start", "\(message - 1)au", "--end", "\(message + 1)au"],
      saying: ["access unit \(message)"])
  }

  @Test func `things that are no files`() throws {
    let fifo = folder.file("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    let empty = try folder.write([], as: "empty.mp4")
    let one = try folder.write([0x0b], as: "one.ec3")
    for (path, status, reason) in [
      (fifo, 66, "FIFO"), ("/dev/zero", 66, "character device"), (folder.path, 66, "folder"),
      (folder.file("missing.mp4"), 66, "No such file"), (empty, 65, "empty"), (one, 65, "one byte"),
      ("", 64, "empty"),
      (folder.file("empty.mp4") + "/x", 66, "Not a directory"),
    ] as [(String, Int32, String)] {
      for command in [["inspect", path], ["trim", path, "-o", folder.file("x.mp4")]] {
        try expectFailure(status, command, saying: [reason], leaving: folder)
      }
    }
  }

  @Test func `foreign formats are named`() throws {
    for (magic, name) in [
      ("1a45dfa3", "Matroska"), ("52494646", "RIFF"), ("000001ba", "MPEG program stream"),
      ("474011", "transport stream"),
      ("ac40", "AC-4"), ("664c6143", "FLAC"),
    ] {
      let path = try folder.write(hex(magic) + [UInt8](repeating: 0, count: 64), as: "foreign")
      try expectFailure(69, ["inspect", path], saying: [name, "byte 0"])
    }
  }

  @Test(arguments: [
    (["trim"], "no output"), (["trim", "a.mp4"], "no output"), (["trim", "-o", "x.mp4"], "needs 1 source"),
    (["trim", "a.mp4", "-o", "x.mkv"], "cannot be 'mkv'"), (["trim", "a.mp4", "-o", "x"], "--format"),
    (["trim", "a.mp4", "-o", "-"], "--format"),
    (["trim", "a.mp4", "-o", "x.mp4", "--start", "-1"], "--start"),
    (["trim", "a.mp4", "-o", "x.mp4", "--start", "1e3"], "--start"),
    (["trim", "a", "b", "-o", "x.mp4"], "needs 1 source"),
    (["trim", "a.mp4", "-o", "x.mp4", "--end", "2", "--duration", "1"], "exclude"),
    (["trim", "a.mp4", "-o", "x.mp4", "--ned", "2"], "no option --ned"),
    (["trim", "a.mp4", "-x"], "no option -x"),
    (["trim", "a.mp4", "-o"], "needs a value"), (["trim", "a.mp4", "-o", "x.mp4", "-o", "y.mp4"], "twice"),
    (["trim", "a.mp4", "-o", "x.mp4", "--force=yes"], "takes no value"),
    (["trim", "a.mp4", "-o", "x.mp4", "--snap", "up"], "floor"),
    (["trim", "a.mp4", "-o", "x.mp4", "--track", "one"], "whole number"),
    (["concat", "-o", "x.mp4"], "at least 1"),
    (["split", "a.mp4", "-o", "x.mp4", "--every", "1"], "%06d"),
    (["split", "a.mp4", "-o", "x%d.mp4"], "--every"),
    (["split", "a.mp4", "-o", "x%s.mp4", "--every", "1"], "%06d"),
    (["extract", "a.mp4", "-o", "x.mp4"], "elementary"),
    (["mux", "a.ec3", "-o", "x.ec3"], "MP4"), (["tirm"], "is it trim?"), ([], "no command"),
    (["--json", "inspect"], "command first"),
    (["trim", "a.mp4", "--strat", "1", "-o", "x.mp4"], "is it start?"),
    (["inspect"], "at least 1"),
    (["trim", "a.mp4", "-o", "x.mp4", "--preroll", "1"], "--cut exact"), (["help", "tirm"], "is it trim?"),
  ])
  func `command lines that cannot be understood`(_ arguments: [String], _ reason: String) throws {
    try expectFailure(64, arguments, saying: [reason])
  }

  @Test func `tracks are chosen by id`() throws {
    let file = Media.path("joc-2-tracks.mp4")
    let report = try kerflessJSON(["trim", file, "-o", "x.mp4", "-n"])
    #expect(report["segments"][0]["track"].int == 5)
    #expect(report["findings"].array.map { $0["code"].description } == ["track.choice"])
    #expect(
      try kerflessJSON(["trim", file, "-o", "x.mp4", "-n", "--track", "1"])["segments"][0]["track"].int == 1)
    try expectFailure(
      65, ["trim", file, "-o", "x.mp4", "--track", "2"], saying: ["no track 2", "track 1", "track 5"])
    let video = Media.path("av-joc.mp4")
    try expectFailure(69, ["trim", video, "-o", "x.mp4", "--track", "1"], saying: ["track 1 is vide"])
  }

  @Test func `errors are JSON objects too`() throws {
    let result = try Tool.kerfless.run(["trim", Media.path("ac4.mp4"), "-o", "x.mp4", "--json"])
    let object = try JSON(parsing: result.text)
    #expect(object["schema"].description == "kerfless.error/1")
    #expect(object["code"].description == "input.unsupported")
    #expect(object["path"].description == Media.path("ac4.mp4"))
    #expect(object["exit"].int == 69)
    #expect(object.keys.isSuperset(of: ["schema", "code", "message", "path", "offset", "exit"]))
  }
}
