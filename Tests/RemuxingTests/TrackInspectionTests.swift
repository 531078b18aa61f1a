import EnhancedAC3
import TestSupport
import Testing

@testable import Remuxing

/// Every fixture is told as INDEX.tsv, which another program wrote, says.
@Suite struct TrackInspectionTests {
  /// A row of the index about one track.
  struct Row: Sendable, CustomTestStringConvertible {
    let fields: [String: String]
    var testDescription: String { fields["file"] ?? "" }

    subscript(name: String) -> String { fields[name] ?? "" }
  }

  static let rows = Media.ownIndex.map(Row.init).filter { row in
    // In fragments, behind a tag, not Dolby Digital, or two tracks.
    !row["file"].hasPrefix("frag")
      && !["ddp51-id3.ec3", "ac4.mp4", "joc-enca.mp4", "joc-2-tracks.mp4"].contains(row["file"])
  }

  @Test(arguments: rows)
  func `access units, sizes and rate are those of the index`(row: Row) throws {
    let inspection = try TrackInspection(try Workbench.fixture(row["file"]).onlyTrack)
    #expect("\(inspection.track.index.count)" == row["AUs"])
    #expect("\(inspection.track.sampleRate)" == row["rate"])
    #expect(inspection.constantSize == Int(row["AU_bytes"]))
    #expect(inspection.unit != nil)
  }

  @Test(arguments: rows.filter { $0["config"] != "-" })
  func `the configuration is that of the index`(row: Row) throws {
    let inspection = try TrackInspection(try Workbench.fixture(row["file"]).onlyTrack)
    let used = row["config"].split(separator: " ").first.map(String.init) ?? ""
    #expect(inspection.configuration == hex(used))
  }

  /// `media_time:duration:rate /movie timescale`; the media's timescale is 48000 where media_time is not 0.
  @Test(
    arguments: rows.filter {
      $0["elst"] != "-" && !["joc-edits-3.mp4", "joc-edit-rate2.mp4"].contains($0["file"])
    })
  func `the edit list is that of the index`(row: Row) throws {
    let parts = row["elst"].split(separator: " ")
    let timescale = try #require(Int(parts.last?.dropFirst() ?? ""))
    let edits = parts.dropLast().map { $0.split(separator: ":").compactMap { Int($0) } }
    let rate = try #require(Int(row["rate"]))
    let silence = edits[0][0] == -1 ? edits[0][1] * rate / timescale : 0
    let edit = try #require(edits.last)
    let length = (2 * edit[1] * rate + timescale) / (2 * timescale)
    let timeline = try #require(try TrackInspection(try Workbench.fixture(row["file"]).onlyTrack).timeline)
    #expect(timeline.leadingEmpty == silence)
    #expect(timeline.mediaStart == edit[0])
    #expect(timeline.mediaEnd == min(edit[0] + length, try #require(Int(row["AUs"])) * 1536))
  }

  @Test(
    arguments: [
      ("joc-base.mp4", ["ec+3", "ec-3"], 3, 3), ("joc-flag-lost.mp4", ["ec+3", "ec-3"], 3, nil),
      ("joc-wrong-complexity.mp4", ["ec+3", "ec-3"], 3, 16), ("ddp51.mp4", ["ec-3"], nil, nil),
      ("ac3.mp4", ["ac-3"], nil, nil),
      ("joc51.ec3", ["ec+3", "ec-3"], 3, nil),
    ] as [(String, [String], Int?, Int?)])
  func `joint object coding is told from the bitstream and from the box`(
    name: String, formats: [String], inBitstream: Int?, signalled: Int?
  ) throws {
    let inspection = try TrackInspection(try Workbench.fixture(name).onlyTrack)
    #expect(inspection.formats == formats)
    #expect(inspection.unit?.objects?.complexity?.index == inBitstream)
    #expect(inspection.signalledComplexity?.index == signalled)
    #expect(inspection.coverage.examined == 1)
    #expect(inspection.coverage.found == (inBitstream == nil ? 0 : 1))
  }

  /// Bits of all access units over their time: 320 bytes in 1536 PCM samples at 48 kHz are 80 kbit/s.
  @Test(
    arguments: [
      ("joc-base.mp4", 80, 80), ("ddp71.mp4", 144, 144), ("ac3.mp4", 96, 96),
      ("ddp71-ffmpeg-dec3.mp4", 144, 80),
      ("ddp20-24k.ec3", 32, nil),
    ] as [(String, Int, Int?)])
  func `the average rate is measured, the declared one read`(name: String, average: Int, declared: Int?)
    throws
  {
    let inspection = try TrackInspection(try Workbench.fixture(name).onlyTrack)
    #expect(inspection.averageDataRate == average)
    #expect(inspection.declaredDataRate == declared)
  }

  @Test func `a wrong checksum is an error with its place`() throws {
    let bench = try Workbench()
    var bytes = try Media.bytes("joc51.ec3")
    bytes[200] ^= 1
    let findings = try TrackInspection(try bench.source(bytes).onlyTrack).findings
    #expect(findings.contains { $0.code == .unitChecksum && $0.message.contains("byte 0") })
    let sound = try TrackInspection(try Workbench.fixture("joc51.ec3").onlyTrack).findings
    #expect(sound.isEmpty)
  }
}
