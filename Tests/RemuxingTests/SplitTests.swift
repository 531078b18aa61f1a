import TestSupport
import Testing

@testable import Remuxing

@Suite struct SplitTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  /// The access units of each piece.
  private func pieces(
    _ source: Source, every length: String, _ range: TimeRange = .all, _ options: CutOptions = CutOptions()
  ) throws -> [Range<Int>] {
    let split = try Split(
      SegmentRequest(source: source, range: range), every: try time(length), options: options)
    let planner = OutputPlanner(options: options, form: .iso(isM4A: false))
    return try split.map { try planner.plan([$0]).report.segments[0].accessUnits }
  }

  @Test func `pieces of half a second of 1.024 s`() throws {
    // Borders at 15.625 and 31.25 access units.
    let source = try Workbench.fixture("joc-base.mp4")
    #expect(try pieces(source, every: "0.5") == [0..<15, 15..<31, 31..<32])
    var options = CutOptions()
    options.snap = .nearest
    #expect(try pieces(source, every: "0.5", .all, options) == [0..<16, 16..<31, 31..<32])
    options.snap = .ceil
    #expect(try pieces(source, every: "0.5", .all, options) == [0..<16, 16..<32])
  }

  @Test(arguments: [
    ("1.024", 1), ("5", 1), ("32au", 1), ("16au", 2), ("1au", 32), ("1536smp", 32), ("0.032", 32),
    ("31au", 2),
  ])
  func `a length makes so many pieces`(length: String, count: Int) throws {
    let pieces = try pieces(try Workbench.fixture("joc-base.mp4"), every: length)
    #expect(pieces.count == count)
    #expect(pieces.first?.lowerBound == 0)
    #expect(pieces.last?.upperBound == 32)
  }

  @Test(arguments: ["0", "0smp", "0au", "1535smp", "0.031999999999999", "1ms"])
  func `pieces shorter than an access unit are refused`(length: String) throws {
    let source = try Workbench.fixture("joc-base.mp4")
    #expect(failure { try pieces(source, every: length) }?.code == .rangeInvalid)
  }

  @Test(arguments: [CutMode.frame, .exact])
  func `a century of silence in front is passed over, and pieces lie where they would`(mode: CutMode) throws {
    var options = CutOptions()
    options.mode = mode
    // 92 years; the media start 24 samples into a piece.
    let silence: UInt64 = 2000 * 70_000_000_000 + 24
    var sketch = MovieSketch(4)
    sketch.edits = [
      MovieSketch.Edit(duration: silence, mediaTime: -1), MovieSketch.Edit(duration: 6144, mediaTime: 0),
    ]
    let source = try bench.source(sketch.bytes)
    let expected: [Range<Int>] =
      mode == .frame ? [0..<1, 1..<2, 2..<3, 3..<4] : [0..<2, 0..<3, 1..<4]
    #expect(try pieces(source, every: "2000smp", .all, options) == expected)
  }

  @Test func `a range is split, not the track`() throws {
    let source = try Workbench.fixture("joc-base.mp4")
    #expect(try pieces(source, every: "5au", range("3au", "20au")) == [3..<8, 8..<13, 13..<18, 18..<20])
    #expect(try pieces(source, every: "0.25", range("0.25", "0.75")) == [7..<15, 15..<23])
    #expect(failure { try pieces(source, every: "1", range("0", "5")) }?.code == .rangeInvalid)
    var options = CutOptions()
    options.clampsEnd = true
    #expect(try pieces(source, every: "1", range("0", "5"), options) == [0..<31, 31..<32])
  }

  @Test(arguments: [
    FrameSketch(sampleRateCode: 0), FrameSketch(sampleRateCode: 1), FrameSketch(sampleRateCode: 3),
  ])
  func `random pieces tile the range`(frame: FrameSketch) throws {
    let seed = UInt64(frame.sampleRate)
    var generator = SeededGenerator(seed: seed)
    var sketch = MovieSketch(400, of: frame)
    sketch.edits = [MovieSketch.Edit(duration: 0, mediaTime: 700)]
    let source = try bench.source(sketch.bytes)
    for _ in 0..<40 {
      var options = CutOptions()
      options.snap = Snap.allCases.randomElement(using: &generator) ?? .floor
      let start = "\(Int.random(in: 0..<200_000, using: &generator))smp"
      let end = "\(Int.random(in: 300_000..<600_000, using: &generator))smp"
      let asked =
        [try range("0"), try range(start), try range(start, end)].randomElement(using: &generator) ?? .all
      let length = randomSeconds(below: 3, using: &generator)
      guard Schoolbook.count(length, rate: frame.sampleRate, unit: 1536, .floor) >= 1 else { continue }
      let pieces = try pieces(source, every: length, asked, options)
      let comment: Comment = "\(asked) every \(length), \(options.snap), seed \(seed)"
      let whole = try OutputPlanner(options: options, form: .elementaryStream).plan(source, asked).report
      #expect(pieces.first?.lowerBound == whole.segments[0].accessUnits.lowerBound, comment)
      #expect(pieces.last?.upperBound == whole.segments[0].accessUnits.upperBound, comment)
      #expect(zip(pieces, pieces.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound }, comment)
      #expect(pieces.allSatisfy { !$0.isEmpty }, comment)
    }
  }

  @Test func `the last piece holds the whole access unit in which the edit ends`() throws {
    var sketch = MovieSketch(32)
    // It ends at sample 24256 of the media, inside access unit 15.
    sketch.edits = [MovieSketch.Edit(duration: 24000, mediaTime: 256)]
    let source = try bench.source(sketch.bytes)
    #expect(try pieces(source, every: "0.2") == [0..<6, 6..<12, 12..<16])
    #expect(try pieces(source, every: "1") == [0..<16])
  }

  @Test func `the error of a piece's length never adds up`() throws {
    // 0.1 s are 3.125 access units; after 80 pieces 250 have passed, exactly.
    let source = try bench.source(MovieSketch(250).bytes)
    let pieces = try pieces(source, every: "0.1")
    #expect(pieces.count == 80)
    for (number, piece) in pieces.enumerated() { #expect(piece.lowerBound == number * 3125 / 1000) }
  }

  @Test(arguments: [(2, 0), (2, 1), (2, 1535), (1, 1536), (1, 1535)])
  func `a rest of less than an access unit belongs to the exact piece in front`(count: Int, rest: Int) throws
  {
    // Pieces of 5,000 samples from 700 on.
    let source = try bench.source(MovieSketch(8).bytes)
    var options = CutOptions()
    options.mode = .exact
    let split = try Split(
      SegmentRequest(source: source, range: try range("700smp", "\(700 + count * 5000 + rest)smp")),
      every: try time("5000smp"), options: options)
    let planner = OutputPlanner.iso { $0.mode = .exact }
    let lengths = try split.map { try planner.plan([$0]).report.presentedSamples }
    let full = [Int](repeating: 5000, count: count)
    #expect(lengths == (rest < 1536 ? full.dropLast() + [5000 + rest] : full + [rest]))
  }

  /// DESIGN.md, 5.4: a segment to which no access unit falls is an error.
  @Test(arguments: [0, 256]) func `exact pieces can be joined exactly again`(priming: Int64) throws {
    let seed: UInt64 = 20
    var generator = SeededGenerator(seed: seed)
    var sketch = MovieSketch(40)
    sketch.edits = [MovieSketch.Edit(duration: 60_000, mediaTime: priming)]
    let source = try bench.source(sketch.bytes)
    for number in 0..<60 {
      var options = CutOptions()
      options.mode = .exact
      options.preRoll = [nil, 0, 1, 3].randomElement(using: &generator) ?? nil
      let length = "\(Int.random(in: 1536..<9000, using: &generator))smp"
      let planner = OutputPlanner.iso { $0 = options }
      let split = try Split(
        SegmentRequest(source: source, range: .all), every: try time(length), options: options)
      var pieces: [SegmentRequest] = []
      for piece in split {
        let name = "piece\(number)-\(pieces.count)"
        pieces.append(
          SegmentRequest(source: try bench.reopened(planner.plan([piece]).plan, as: name), range: .all))
      }
      let joined = try planner.plan(pieces).report
      #expect(joined.presentedSamples + joined.missing == 60_000, "every \(length), seed \(seed)")
    }
  }

  @Test func `leading silence is dropped from the first piece with a warning`() throws {
    let source = try Workbench.fixture("joc-edit-empty.mp4")
    for asked in [TimeRange.all, try range("0"), try range("0.25")] {
      let split = try Split(
        SegmentRequest(source: source, range: asked), every: try time("0.4"), options: CutOptions())
      let warned = try split.map { piece in
        try OutputPlanner.iso().plan([piece]).report.findings.contains { $0.code == .editsLeadingEmpty }
      }
      #expect(warned.first == true)
      #expect(!warned.dropFirst().contains(true))
    }
  }

  @Test func `pieces lie on the presentation clock, and what is all silence is left out`() throws {
    // Half a second of silence: 0.4 s to 0.8 s holds 0.3 s of sound, 9.375 access units.
    let source = try Workbench.fixture("joc-edit-empty.mp4")
    #expect(try pieces(source, every: "0.4") == [0..<9, 9..<21, 21..<32])
    #expect(try pieces(source, every: "0.5") == [0..<15, 15..<31, 31..<32])
  }
}
