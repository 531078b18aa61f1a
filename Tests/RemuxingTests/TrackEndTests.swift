import Testing

@testable import Remuxing

/// DESIGN.md, 5.1: where the track ends, and which ends mean its end.
@Suite struct TrackEndTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  private func units(
    _ track: AudioTrack, _ start: String, _ end: String, clamps: Bool = false, snap: Snap = .floor
  ) throws -> Range<Int> {
    var options = CutOptions()
    options.clampsEnd = clamps
    options.snap = snap
    return try SegmentCut(frames: try range(start, end), of: track, options: options).units
  }

  /// 32 access units: 49152 PCM samples, 1.024 s.
  @Test(
    arguments: [
      ("0", "", 0..<32), ("0.5", "", 15..<32), ("0", "1.024", 0..<32), ("0", "49152smp", 0..<32),
      ("0", "32au", 0..<32),
      ("0", "31au", 0..<31), ("31au", "32au", 31..<32), ("31au", "", 31..<32), ("3au", "7au", 3..<7),
      // Less than one access unit beyond the end is the end.
      ("0", "49153smp", 0..<32), ("0", "50687smp", 0..<32), ("0", "1.055", 0..<32),
      ("0", "1.055999999999999", 0..<32),
      // One tick before it, too: here a tick is a PCM sample.
      ("0", "49151smp", 0..<32), ("0", "49150smp", 0..<31), ("0", "1.023979166666666", 0..<31),
      ("0", "1.023979166666667", 0..<32), ("0", "48smp", nil), ("0", "1536smp", 0..<1), ("0", "1535smp", nil),
    ] as [(String, String, Range<Int>?)])
  func `an end near the track's end means the whole last access unit`(
    start: String, end: String, expected: Range<Int>?
  ) throws {
    let track = try bench.track(MovieSketch(32))
    #expect((try? units(track, start, end)) == expected)
  }

  @Test(arguments: [
    ("50688smp", "the track ends at 1.024 s"), ("1.056", "the track ends at 1.024 s"),
    ("2", "the track ends at 1.024 s"), ("999999999", "the track ends at 1.024 s"), ("33au", "32"),
    ("999999999999au", "32"), ("999999999999999smp", "the track ends at 1.024 s"),
  ])
  func `an end further out is an error that states the duration, and the end when clamped`(
    end: String, says: String
  )
    throws
  {
    let track = try bench.track(MovieSketch(32))
    let failure = failure { try units(track, "0", end) }
    #expect(failure?.code == .rangeInvalid)
    #expect(failure?.code.exitStatus.rawValue == 65)
    #expect(failure?.message.contains(says) == true)
    #expect(failure?.advice?.contains("--clamp") == true)
    #expect(try units(track, "0", end, clamps: true) == 0..<32)
  }

  @Test(arguments: [
    ("1", "1"), ("1", "0.5"), ("0.5", "0.5"), ("5au", "5au"), ("6au", "5au"), ("0", "0"), ("0", "0au"),
    ("0.01", "0.02"),
    ("1.024", ""), ("2", ""), ("32au", ""), ("33au", "40au"), ("2", "3"), ("49152smp", "50000smp"),
  ])
  func `a range that is empty, inverted, behind the end or without a whole access unit is an error`(
    start: String, end: String
  ) throws {
    let track = try bench.track(MovieSketch(32))
    for clamps in [false, true] {
      let failure = failure { try units(track, start, end, clamps: clamps) }
      #expect(failure?.code == .rangeInvalid)
      #expect(failure?.message.contains("1.024 s") == true)
    }
  }

  /// Movie timescales, and the last time that is more than a tick before the end, and the first that is not.
  @Test(
    arguments: [
      (1000, "1.0229", "1.023"), (600, "1.0223", "1.0224"), (90000, "1.02398", "1.02399"),
      (1, "0.0239", "0.024"),
      (48000, "1.023979", "1.02398"), (2_880_000, "1.0239996", "1.0239997"),
    ] as [(UInt32, String, String)])
  func `a tick is one of the movie's clock, with an edit list or without`(
    timescale: UInt32, before: String, within: String
  ) throws {
    var sketch = MovieSketch(32)
    sketch.movieTimescale = timescale
    for edits in [nil, [MovieSketch.Edit(duration: 0, mediaTime: 0)]] {
      sketch.edits = edits
      let track = try bench.track(sketch)
      #expect((try? units(track, "0", within)) == 0..<32, "with edits: \(edits != nil)")
      #expect((try? units(track, "0", before)) != 0..<32, "with edits: \(edits != nil)")
    }
  }

  /// ddp51-edit-short.mp4 presents 48864 PCM samples, 1.018 s, and its media go on for 32 more.
  @Test(arguments: [
    ("", 32), ("1.018", 32), ("1.017", 32), ("1.0169", 31), ("1.0499", 32), ("32au", 32), ("31au", 31),
  ])
  func `the end of the edit is the end, and the access unit that holds it is taken`(end: String, units: Int)
    throws
  {
    let track = try Workbench.fixture("ddp51-edit-short.mp4").onlyTrack
    #expect(try self.units(track, "0", end) == 0..<units)
  }

  @Test func `beyond the end of the edit is an error although there are media`() throws {
    var sketch = MovieSketch(32)
    sketch.edits = [MovieSketch.Edit(duration: 24000, mediaTime: 256)]
    let track = try bench.track(sketch)
    // The edit ends at sample 24256 of the media, inside access unit 15.
    #expect(try units(track, "0", "") == 0..<16)
    #expect(try units(track, "0", "0.5319") == 0..<16)
    let failure = failure { try units(track, "0", "0.532") }
    #expect(failure?.message.contains("the track ends at 0.5 s") == true)
    #expect(try units(track, "0", "0.532", clamps: true) == 0..<16)
    // Access units are counted in the media.
    #expect(try units(track, "0", "20au") == 0..<20)
    // With no bounds at all every access unit is taken.
    #expect(try SegmentCut(frames: .all, of: track, options: CutOptions()).units == 0..<32)
  }

  @Test func `a duration is counted from the start`() throws {
    let track = try bench.track(MovieSketch(32))
    for (start, length, expected) in [
      ("0.5", "0.25", 15..<23), ("0.5", "0.524", 15..<32), ("0.5", "0.54", 15..<32), ("10au", "5au", 10..<15),
    ] {
      let range = TimeRange(start: try time(start), end: .after(try time(length)))
      #expect(try SegmentCut(frames: range, of: track, options: CutOptions()).units == expected)
    }
    let range = TimeRange(start: try time("0.5"), end: .after(try time("0.556")))
    #expect(
      failure { try SegmentCut(frames: range, of: track, options: CutOptions()) }?.code == .rangeInvalid)
  }

  @Test(arguments: [Snap.floor, .nearest, .ceil])
  func `the end of the track is the same whichever way the ends move`(snap: Snap) throws {
    let track = try bench.track(MovieSketch(32))
    #expect(try units(track, "0", "1.024", snap: snap) == 0..<32)
    #expect(try units(track, "0", "1.04", snap: snap) == 0..<32)
    #expect(try units(track, "0", "", snap: snap) == 0..<32)
  }
}
