import TestSupport
import Testing

@testable import Remuxing

/// DESIGN.md, 5.2: [a,b) and [b,c) tile.
@Suite struct TilingTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  @Test(arguments: [
    FrameSketch(sampleRateCode: 0), FrameSketch(sampleRateCode: 1), FrameSketch(sampleRateCode: 2),
    FrameSketch(sampleRateCode: 3),
  ])
  func `two cuts that share a time share no access unit and lose none`(frame: FrameSketch) throws {
    let seed = UInt64(frame.sampleRate)
    var generator = SeededGenerator(seed: seed)
    let count = 3000
    let track = try bench.track(MovieSketch(count, of: frame))
    let limit = count * 1536 / frame.sampleRate
    for _ in 0..<300 {
      let times = (0..<3).map { _ in randomSeconds(below: limit, using: &generator) }
      for (snap, rounding) in [(Snap.floor, Schoolbook.Rounding.floor), (.nearest, .nearest), (.ceil, .ceil)]
      {
        let borders = times.map { Schoolbook.count($0, rate: frame.sampleRate, unit: 1536, rounding) }
        let order = (0..<3).sorted { borders[$0] < borders[$1] }
        let (a, b, c) = (order[0], order[1], order[2])
        guard borders[a] < borders[b], borders[b] < borders[c], borders[c] < count else { continue }
        var options = CutOptions()
        options.snap = snap
        let comment: Comment = "\(times) \(snap), seed \(seed)"
        let first = try SegmentCut(frames: range(times[a], times[b]), of: track, options: options).units
        let second = try SegmentCut(frames: range(times[b], times[c]), of: track, options: options).units
        let whole = try SegmentCut(frames: range(times[a], times[c]), of: track, options: options).units
        #expect(first == borders[a]..<borders[b], comment)
        #expect(second == borders[b]..<borders[c], comment)
        #expect(whole == borders[a]..<borders[c], comment)
      }
    }
  }

  @Test func `many random pieces of a primed track make up the whole, byte for byte`() throws {
    let seed: UInt64 = 5
    var generator = SeededGenerator(seed: seed)
    var sketch = MovieSketch(
      (0..<200).map { FrameSketch(byteCount: 8 + 2 * ($0 % 7), filler: UInt8($0)).bytes },
      dec3: FrameSketch().dec3)
    sketch.edits = [MovieSketch.Edit(duration: 0, mediaTime: 1000)]
    let source = try bench.source(sketch.bytes)
    let borders = (0..<40).map { _ in Int.random(in: 1..<200 * 1536 - 3000, using: &generator) }.sorted()
    let ends = [""] + borders.map { "\($0)smp" } + [""]
    var joined: [UInt8] = []
    for (start, end) in zip(ends, ends.dropFirst()) {
      // Two borders in one access unit leave nothing between them.
      let asked = try range(start, end)
      do throws(Failure) {
        joined += try OutputPlanner.elementary.plan(source, asked).plan.bytes
      } catch {
        #expect(error.code == .rangeInvalid, "\(start) to \(end), seed \(seed)")
      }
    }
    #expect(joined == sketch.units.flatMap { $0 })
  }
}
