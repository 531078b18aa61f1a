import ISOMedia
import SystemIO
import TestSupport
import Testing

@testable import Remuxing

/// DESIGN.md, 5.5: chunks of about one second, at most 1,024 a segment.
@Suite struct ChunkPlanTests {
  private func extent(_ units: Int, size: Int = 64, segment: Int = 0) -> PayloadExtent {
    PayloadExtent(
      extent: Extent(source: 0, offset: 0, byteCount: units * size), accessUnits: units, segment: segment)
  }

  private func plan(_ extents: [PayloadExtent], rate: Int = 48000, size: Int = 64) -> ChunkPlan {
    ChunkPlan(extents, in: MediaLayout(extents), sampleRate: rate, sizes: .constant(size))
  }

  /// Access units in each chunk, from the runs.
  private func units(_ plan: ChunkPlan) -> [Int] {
    plan.offsets.indices.map { chunk in plan.runs.last { $0.firstChunk <= chunk }?.samplesPerChunk ?? 0 }
  }

  /// One second is 31.25 access units at 48 kHz, 28.7 at 44.1, 20.8 at 32 and 15.6 at 24.
  @Test(arguments: [(48000, 31), (44100, 29), (32000, 21), (24000, 16)])
  func `a chunk lasts about one second`(rate: Int, perChunk: Int) {
    let plan = plan([extent(10 * perChunk + 3)], rate: rate)
    #expect(units(plan) == Array(repeating: perChunk, count: 10) + [3])
    #expect(
      plan.runs == [
        SampleToChunk.Run(firstChunk: 0, samplesPerChunk: perChunk),
        SampleToChunk.Run(firstChunk: 10, samplesPerChunk: 3),
      ])
  }

  @Test(arguments: [1, 30, 31, 32])
  func `a short track has few chunks`(count: Int) {
    #expect(units(plan([extent(count)])) == (count <= 31 ? [count] : [31, count - 31]))
  }

  @Test(arguments: [31_744, 31_745, 1_125_000, 1 << 28])
  func `a long segment has at most 1,024 chunks`(count: Int) {
    let plan = plan([extent(count)])
    #expect(plan.offsets.count <= 1024)
    // Not fewer than needed: chunks are no longer than they must be.
    #expect(plan.offsets.count > 900)
    #expect(units(plan).reduce(0, +) == count)
  }

  @Test func `each segment has its own limit`() {
    let plan = plan([extent(100_000, segment: 0), extent(62, segment: 1), extent(200_000, segment: 2)])
    // 98 × 1020 + 40, 31 × 2, 196 × 1020 + 80.
    var expected = Array(repeating: 98, count: 1020) + [40, 31, 31]
    expected += Array(repeating: 196, count: 1020) + [80]
    #expect(units(plan) == expected)
  }

  @Test func `chunks reach across extents of one segment that lie together, never across segments or boxes`()
  {
    // Small extents of one segment, as in a file where audio and video take turns.
    #expect(units(plan([extent(8), extent(8), extent(8), extent(8)])) == [31, 1])
    // Two segments in one box.
    #expect(units(plan([extent(8, segment: 0), extent(8, segment: 1)])) == [8, 8])
    // One segment in three boxes: 2048 access units are 128 KiB.
    #expect(
      units(plan([extent(8), extent(2048), extent(8)])) == [8] + Array(repeating: 31, count: 66) + [2, 8])
  }

  @Test func `offsets are sums of the sizes`() {
    let sizes = (0..<100).map { 100 + $0 * 7 % 13 }
    let table = UnitSizes.table(sizes.flatMap { bigEndian(UInt32($0)) })
    let extents = [extent(40, segment: 0), extent(60, segment: 1)]
    let plan = ChunkPlan(extents, in: MediaLayout(extents), sampleRate: 48000, sizes: table)
    let starts = [0, 31, 40, 71]
    #expect(plan.offsets == starts.map { sizes[..<$0].reduce(0, +) })
    #expect(table.byteCount(of: 10..<20) == sizes[10..<20].reduce(0, +))
    #expect(UnitSizes.constant(320).byteCount(of: 10..<20) == 3200)
  }

  @Test func `random extents hold all access units once`() {
    let seed: UInt64 = 1024
    var generator = SeededGenerator(seed: seed)
    for round in 0..<300 {
      var segment = 0
      let extents = (0..<Int.random(in: 1...10, using: &generator)).map { _ in
        segment += Int.random(in: 0...1, using: &generator)
        return extent(Int.random(in: 1...5000, using: &generator), segment: segment)
      }
      let plan = plan(extents)
      #expect(
        units(plan).reduce(0, +) == extents.reduce(0) { $0 + $1.accessUnits },
        "round \(round) of seed \(seed)")
      #expect(plan.offsets == plan.offsets.sorted())
      #expect(plan.runs.map(\.firstChunk) == plan.runs.map(\.firstChunk).sorted())
      // Neighbouring runs differ, or they would be one.
      #expect(zip(plan.runs, plan.runs.dropFirst()).allSatisfy { $0.samplesPerChunk != $1.samplesPerChunk })
    }
  }
}
