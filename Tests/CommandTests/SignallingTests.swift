import Foundation
import TestSupport
import Testing

/// `dec3` of outputs: carried where it is right, made from the bitstream where it is not.
struct SignallingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func configuration(_ path: String) throws -> String {
    try kerflessJSON(["inspect", path])["tracks"][0]["configuration"].description
  }

  private func trimmed(_ source: String, _ range: [String] = ["--start", "3au", "--end", "9au"]) throws -> (
    JSON, String
  ) {
    let output = folder.file("out.mp4")
    let report = try kerflessJSON(["trim", source, "-o", output, "--force"] + range)
    return (report, try configuration(output))
  }

  /// Payloads from INDEX.tsv, and those that the bitstream asks for (spec/mp4-ec3.md, 2.2).
  @Test(arguments: [
    ("joc-base.mp4", "0280200f000103", []), ("joc-flag-lost.mp4", "0280200f000103", ["dec3.joc-missing"]),
    ("joc-wrong-complexity.mp4", "0280200f000103", ["dec3.joc-complexity"]),
    ("ddp71.mp4", "0480200f0202", []),
    ("ddp71-ffmpeg-dec3.mp4", "0480200f0202", ["dec3.chan-loc", "dec3.data-rate"]),
    ("joc-qt-v1.mov", "0280200f000103", []), ("joc-entry-boxes.mp4", "0280200f000103", []),
  ])
  func `the configuration agrees with the bitstream`(_ file: String, _ payload: String, _ codes: [String])
    throws
  {
    let (report, made) = try trimmed(Media.path(file))
    #expect(made == payload)
    #expect(report["findings"].array.map { $0["code"].description } == codes)
  }

  @Test(
    .enabled(if: TimeTests.hasSharedMedia, "the larger set of media is not at hand"),
    arguments: [
      ("real/androidx_media/sample_eac3joc.mp4", ["--start", "0.5", "--end", "1.5"], "1400200f000110", []),
      (
        "real/DolbyLaboratories_dlb_mp4base/7ch_ddp_25fps_acmod_19.mp4", ["--start", "5", "--end", "10"],
        "1200200f0240",
        ["dec3.chan-loc"]
      ),
      ("real/DolbyLaboratories_dlb_mp4base/7ch_ddp_25fps_channel_id.ec3", [], "1200200f0202", []),
    ] as [(String, [String], String, [String])])
  func `real files get what their streams need`(
    _ file: String, _ range: [String], _ payload: String, _ codes: [String]
  ) throws {
    let (report, made) = try trimmed(Media.sharedPath(file), range)
    #expect(made == payload)
    #expect(report["findings"].array.map { $0["code"].description } == codes)
  }

  @Test func `JOC that stops midway is refused with the access unit of the change`() throws {
    let source = Media.path("joc-stops.mp4")
    let output = folder.file("mixed.mp4")
    try expectFailure(
      65, ["trim", source, "-o", output], saying: ["access unit 16", "--allow-mixed-joc", "joc-stops.mp4"],
      leaving: folder)
    let report = try kerflessJSON(["trim", source, "-o", output, "--allow-mixed-joc"])
    #expect(report["joc"]["complexity"].int == 3)
    #expect(report["joc"]["coverage"]["found"].int == 16)
    #expect(report["joc"]["coverage"]["examined"].int == 32)
    #expect(report["findings"].array.contains { $0["code"].description == "joc.mixed" })
    // On either side it is one or the other.
    #expect(try trimmed(source, ["--end", "16au"]).1 == "0280200f000103")
    #expect(try trimmed(source, ["--start", "16au"]).1 == "0280200f00")
  }

  @Test func `unknown boxes of the sample entry stay, QuickTime's own do not`() throws {
    _ = try trimmed(Media.path("joc-entry-boxes.mp4"))
    let made = String(decoding: try readFile(folder.file("out.mp4")).prefix(1000), as: UTF8.self)
    let source = String(decoding: try Media.bytes("joc-entry-boxes.mp4").prefix(1200), as: UTF8.self)
    for type in ["btrt", "dec3"] { #expect(made.contains(type) && source.contains(type)) }
    _ = try trimmed(Media.path("joc-qt-v1.mov"))
    let fromQuickTime = String(decoding: try readFile(folder.file("out.mp4")).prefix(1000), as: UTF8.self)
    for type in ["wave", "frma", "chan"] { #expect(!fromQuickTime.contains(type)) }
  }
}
