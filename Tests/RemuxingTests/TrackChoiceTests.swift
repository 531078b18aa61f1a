import EnhancedAC3
import TestSupport
import Testing

@testable import Remuxing

/// DESIGN.md, 6: the track that is asked for, else the only Dolby track, else the first enabled one.
@Suite struct TrackChoiceTests {
  @Test func `the first enabled one of several is taken, and a warning names the others`() throws {
    let choice = try TrackChoice(try Workbench.fixture("joc-2-tracks.mp4"), id: nil)
    #expect(choice.track.id == 5)
    #expect(choice.findings.map(\.code) == [.trackChoice])
    #expect(choice.findings.first?.severity == .warning)
    #expect(choice.findings.first?.message.contains("track 1") == true)
  }

  @Test(arguments: [(1, "ddp51.ec3"), (5, "joc51.ec3")] as [(UInt32, String)])
  func `a track that is asked for is taken without a word`(id: UInt32, stream: String) throws {
    let planned = try OutputPlanner.elementary.plan(
      try Workbench.fixture("joc-2-tracks.mp4"), .all, track: id)
    #expect(planned.plan.bytes == Array(try Media.bytes(stream).prefix(32 * 320)))
    #expect(planned.report.segments[0].trackID == id)
    #expect(!planned.report.findings.contains { $0.code == .trackChoice })
  }

  @Test(arguments: ["av-joc.mp4", "av-ddp51.mp4", "joc-base.mp4", "joc51.ec3"])
  func `the only Dolby track is taken without a word`(name: String) throws {
    let choice = try TrackChoice(try Workbench.fixture(name), id: nil)
    #expect(choice.findings.isEmpty)
  }

  @Test(arguments: [("joc-2-tracks.mp4", 2), ("joc-base.mp4", 0), ("joc51.ec3", 2)] as [(String, UInt32)])
  func `a track that is not there is an error that names those that are`(name: String, id: UInt32) throws {
    let source = try Workbench.fixture(name)
    let failure = failure { try TrackChoice(source, id: id) }
    #expect(failure?.code == .rangeInvalid)
    #expect(failure?.message.contains("track \(id)") == true)
    for track in source.tracks { #expect(failure?.advice?.contains("track \(track.id ?? 0)") == true) }
  }

  @Test(arguments: [("ac4.mp4", "AC-4"), ("joc-enca.mp4", "encrypted ec-3")])
  func `a track that cannot be cut is unsupported, asked for or not`(name: String, says: String) throws {
    let source = try Workbench.fixture(name)
    for id in [nil, 1] as [UInt32?] {
      let failure = failure { try TrackChoice(source, id: id) }
      #expect(failure?.code == .unsupported)
      #expect(failure?.code.exitStatus.rawValue == 69)
      #expect(failure?.message.contains(says) == true)
    }
  }

  @Test func `a video track cannot be cut`() throws {
    let source = try Workbench.fixture("av-joc.mp4")
    let video = try #require(source.tracks.first { if case .other = $0.content { true } else { false } })
    let failure = failure { try TrackChoice(source, id: video.id) }
    #expect(failure?.code == .unsupported)
    #expect(failure?.message.contains("vide avc1") == true)
  }

  @Test func `a file without tracks says so`() throws {
    let bench = try Workbench()
    let mvhd = box(
      "mvhd", [UInt8](repeating: 0, count: 12) + bigEndian(UInt32(1000)) + [UInt8](repeating: 0, count: 84))
    let source = try bench.source(box("ftyp", Array("mp42".utf8) + [0, 0, 0, 0]) + box("moov", mvhd))
    let failure = failure { try TrackChoice(source, id: nil) }
    #expect(failure?.code == .unsupported)
    #expect(failure?.message.contains("no tracks") == true)
  }

  @Test func `a track that is malformed is told by what is wrong with it`() throws {
    let bench = try Workbench()
    var sketch = MovieSketch(4)
    sketch.mediaTimescale = 0
    let source = try bench.source(sketch.bytes)
    let failure = failure { try TrackChoice(source, id: nil) }
    #expect(failure?.code == .inputMalformed)
    #expect(failure?.boxPath?.hasPrefix("moov/trak") == true)
    #expect(failure?.offset != nil)
  }

  @Test func `sample entries that say the same are one, others are a border`() throws {
    let bench = try Workbench()
    var bytes = try Media.bytes("joc-2-entries.mp4")
    #expect(try OutputPlanner.iso().plan(bench.source(bytes)).report.accessUnitCount == 32)
    // The second dec3 says another data rate: 0x02 of its first byte becomes 0x04.
    let places = bytes.indices.filter { bytes[$0...].starts(with: Array("dec3".utf8)) }
    try #require(places.count == 2)
    bytes[places[1] + 4] = 4
    let source = try bench.source(bytes)
    let failure = failure { try OutputPlanner.iso().plan(source) }
    #expect(failure?.code == .inputIncompatible)
    let border = try #require(failure?.message.firstMatch(of: /access unit (\d+)/).flatMap { Int($0.1) })
    for range in [(0, border), (border, 32)] {
      let asked = TimeRange(start: .accessUnits(range.0), end: .at(.accessUnits(range.1)))
      let planned = try OutputPlanner.iso().plan([SegmentRequest(source: source, range: asked)])
      #expect(planned.report.accessUnitCount == range.1 - range.0)
    }
  }

  @Test func `a sample entry that is not used is no hindrance`() throws {
    let planned = try OutputPlanner.iso().plan(try Workbench.fixture("joc-entry-unused.mp4"))
    #expect(planned.report.complexity?.index == 3)
    #expect(planned.report.accessUnitCount == 32)
  }

  @Test func `media in another file are refused`() throws {
    let bench = try Workbench()
    var bytes = MovieSketch(4).bytes
    // The flag of the one `url ` box: not this file.
    let url = try #require(
      (0..<bytes.count - 12).first { Array(bytes[$0 + 4..<$0 + 8]) == Array("url ".utf8) })
    bytes[url + 11] = 0
    let failure = failure { try OutputPlanner.iso().plan(try bench.source(bytes)) }
    #expect(failure?.code == .unsupported)
    #expect(failure?.message.contains("dref") == true)
  }
}
