import ByteParsing
import ISOMedia
import Testing

@testable import Remuxing

/// DESIGN.md, 5.1: "optional empty edit + one edit at rate 1" is followed, every other list is refused.
@Suite struct TimelineTests {
  /// An edit list and the clocks that it is written in.
  struct Shape: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let edits: [EditList.Entry]
    var movie: UInt32 = 48000
    var media: UInt32 = 48000
    var rate = 48000
    var units = 32

    init(
      _ name: String, _ edits: [(UInt64, Int64)], movie: UInt32 = 48000, media: UInt32 = 48000,
      rate: Int = 48000,
      speed: UInt32 = 0x1_0000
    ) {
      testDescription = name
      self.edits = edits.map { EditList.Entry(segmentDuration: $0.0, mediaTime: $0.1, mediaRate: speed) }
      self.movie = movie
      self.media = media
      self.rate = rate
    }

    func timeline() throws -> Timeline {
      try Timeline(
        EditList(entries: edits), movieTimescale: movie, mediaTimescale: media, rate: rate, accessUnits: units
      )
    }
  }

  @Test func `a track without edits is presented whole`() {
    let timeline = Timeline(all: 32, rate: 48000)
    #expect(timeline.mediaStart == 0)
    #expect(timeline.mediaEnd == 49152)
    #expect(timeline.leadingEmpty == 0)
    #expect(!timeline.hasEdits)
  }

  /// 32 access units are 49152 PCM samples; the numbers are silence, start and end.
  @Test(arguments: [
    (Shape("one edit over everything", [(49152, 0)]), 0, 0, 49152),
    (Shape("256 samples of priming", [(48896, 256)]), 0, 256, 49152),
    (Shape("an edit that ends early", [(10000, 256)]), 0, 256, 10256),
    (Shape("an edit longer than the media", [(60000, 256)]), 0, 256, 49152),
    (Shape("duration 0: to the end", [(0, 256)]), 0, 256, 49152),
    (Shape("leading silence", [(24000, -1), (49152, 0)]), 24000, 0, 49152),
    (Shape("leading silence and priming", [(24000, -1), (1000, 256)]), 24000, 256, 1256),
    (Shape("leading silence of no length", [(0, -1), (49152, 0)]), 0, 0, 49152),
    (Shape("movie in milliseconds", [(1018, 256)], movie: 1000), 0, 256, 49120),
    (Shape("movie in 600ths", [(300, -1), (600, 0)], movie: 600), 24000, 0, 48000),
    (Shape("movie and media in 90000ths", [(91680, 480)], movie: 90000, media: 90000), 0, 256, 49152),
    (
      Shape("movie and media in 2880000ths", [(2_933_760, 15360)], movie: 2_880_000, media: 2_880_000), 0,
      256, 49152
    ),
    (Shape("a tie is rounded up", [(5, 0)], movie: 1000, rate: 44100), 0, 0, 221),
    (Shape("less than a tie is rounded down", [(3, 0)], movie: 1000, rate: 44100), 0, 0, 132),
    (Shape("priming in milliseconds is rounded", [(0, 5)], media: 1000, rate: 44100), 0, 221, 49152),
    (Shape("a movie of one tick a second", [(1, 0)], movie: 1), 0, 0, 48000),
    (Shape("the last sample alone", [(48000, 49151)]), 0, 49151, 49152),
  ])
  func `a list of the known shape is followed`(shape: Shape, silence: Int, start: Int, end: Int) throws {
    let timeline = try shape.timeline()
    #expect(timeline.leadingEmpty == silence)
    #expect(timeline.mediaStart == start)
    #expect(timeline.mediaEnd == end)
    #expect(timeline.hasEdits)
    #expect(timeline.presentedSamples == end - start)
    #expect(timeline.presentationEnd == silence + end - start)
    #expect(timeline.presentation(ofMedia: start) == silence)
    #expect(timeline.presentation(ofMedia: 0) == silence - start)
  }

  @Test(arguments: [
    Shape("two edits", [(1000, 0), (1000, 1000)]), Shape("three edits", [(10, 0), (10, 20), (10, 5)]),
    Shape("silence alone", [(1000, -1)]), Shape("silence twice", [(1000, -1), (1000, -1)]),
    Shape("silence, twice, and an edit", [(1000, -1), (1000, -1), (1000, 0)]),
    Shape("silence behind the edit", [(1000, 0), (1000, -1)]),
    Shape("silence, edit, edit", [(5, -1), (5, 0), (5, 5)]),
    Shape("another negative start", [(1000, -2)]), Shape("rate 2", [(1000, 0)], speed: 0x2_0000),
    Shape("rate 1/2", [(1000, 0)], speed: 0x8000), Shape("rate 0, a dwell", [(1000, 0)], speed: 0),
    Shape("rate -1", [(1000, 0)], speed: 0xffff_0000), Shape("a start at the end", [(1000, 49152)]),
    Shape("a start behind the end", [(0, 60000)]), Shape("an endless duration", [(.max, 0)]),
    Shape("an endless start", [(0, .max)]), Shape("endless silence", [(.max, -1), (0, 0)]),
    Shape("seventeen edits", Array(repeating: (1, 0), count: 17)),
    Shape("a duration that is no sample long", [(1, 0)], movie: 2_880_000), Shape("no edits", []),
  ])
  func `any other list is refused`(shape: Shape) {
    #expect(throws: Timeline.Refusal.self) { try shape.timeline() }
  }

  @Test func `a list longer than what is kept of it is refused by its count`() throws {
    // Sixteen edits are kept.
    let rows = [UInt8](repeating: 0, count: 12 * 100)
    let payload: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 100] + rows
    var cursor = ByteCursor(payload.rawBytes, origin: 0)
    let list = try EditList(parsing: &cursor)
    #expect(
      throws: Timeline.Refusal(
        reason: "it has 100 edits; an optional empty edit and one edit can be followed")
    ) {
      try Timeline(list, movieTimescale: 1000, mediaTimescale: 1000, rate: 48000, accessUnits: 32)
    }
  }

  @Test func `a list without edits is none`() throws {
    var sketch = MovieSketch(32)
    sketch.edits = []
    let track = try Workbench().track(sketch)
    #expect(track.findings == [])
    #expect(try track.timeline(ignoringEdits: false) == Timeline(all: 32, rate: 48000))
  }

  @Test(arguments: ["joc-edits-3.mp4", "joc-edit-rate2.mp4"])
  func `a track with another list is opened, and cut only when edits are ignored`(name: String) throws {
    let source = try Workbench.fixture(name)
    let track = try source.onlyTrack
    #expect(track.findings.contains { $0.code == .editsUnsupported && $0.severity == .error })
    let failure = failure { try OutputPlanner.iso().plan(source) }
    #expect(failure?.code == .unsupported)
    #expect(failure?.code.exitStatus.rawValue == 69)
    #expect(failure?.advice?.contains("--ignore-edits") == true)
    #expect(failure?.offset != nil)
    let ignoring = OutputPlanner.iso { $0.ignoresEdits = true }
    #expect(try ignoring.plan(source).report.segments[0].accessUnits == 0..<32)
    #expect(try ignoring.plan(source, range("0.5")).report.segments[0].accessUnits == 15..<32)
  }
}
