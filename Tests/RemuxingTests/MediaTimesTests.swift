import ByteParsing
import ISOMedia
import TestSupport
import Testing

@testable import Remuxing

/// DESIGN.md, 5.1: a writer's rounding and a short last delta are irregular and not followed.
///
/// What strays by half an access unit or more is a gap.
@Suite struct MediaTimesTests {
  private func times(
    _ runs: [(count: Int, delta: Int)], timescale: UInt32 = 48000, rate: Int = 48000, units: Int
  ) throws -> MediaTimes {
    let rows = runs.flatMap { bigEndian(UInt32($0.count)) + bigEndian(UInt32($0.delta)) }
    let payload: [UInt8] = [0, 0, 0, 0] + bigEndian(UInt32(runs.count)) + rows
    var cursor = ByteCursor(payload.rawBytes, origin: 0)
    let table = try TimeToSample(parsing: &cursor)
    return MediaTimes(
      table, head: units, nil, timescale: timescale, rate: rate, accessUnits: units, in: payload.rawBytes)
  }

  /// Deltas of access units whose times were rounded to the timescale one by one, as runs.
  private func rounded(rate: Int, timescale: Int, units: Int) -> [(count: Int, delta: Int)] {
    let moments = (0...units).map { (2 * $0 * 1536 * timescale + rate) / (2 * rate) }
    return zip(moments, moments.dropFirst()).map { (1, $1 - $0) }
  }

  @Test(
    arguments: [
      (48000, 48000, 1536), (90000, 48000, 2880), (1000, 48000, 32), (44100, 44100, 1536),
      (2_880_000, 48000, 92160),
      (96000, 24000, 6144), (125, 48000, 4),
    ] as [(UInt32, Int, Int)])
  func `a table that counts 1536 PCM samples each is regular on any clock`(
    timescale: UInt32, rate: Int, delta: Int
  )
    throws
  {
    let times = try times([(1000, delta)], timescale: timescale, rate: rate, units: 1000)
    #expect(times.isRegular)
    #expect(times.gap(inside: 0..<1000) == nil)
    #expect(
      try self.times([(1, delta), (999, delta)], timescale: timescale, rate: rate, units: 1000).isRegular)
  }

  @Test(arguments: [
    (48000, 600), (44100, 1000), (44100, 600), (44100, 90000), (32000, 1000), (24000, 600), (48000, 48),
  ])
  func `times rounded to a coarse clock are irregular and no gap`(rate: Int, timescale: Int) throws {
    let runs = rounded(rate: rate, timescale: timescale, units: 5000)
    let times = try times(runs, timescale: UInt32(timescale), rate: rate, units: 5000)
    #expect(times.isRegular == runs.allSatisfy { $0.delta * rate == 1536 * timescale })
    #expect(times.gap(inside: 0..<5000) == nil)
  }

  /// 34.83 ms are 3134.69 ticks of 90 kHz. In an hour the times of such a file are off by 0.8 s.
  @Test func `durations that are cut off to whole ticks are irregular and no gap, however long the file`()
    throws
  {
    let times = try times([(100_000, 3134)], timescale: 90000, rate: 44100, units: 100_000)
    #expect(!times.isRegular)
    #expect(times.gap(inside: 0..<100_000) == nil)
    // A gap in the front of it is one.
    let broken = try self.times(
      [(500, 3134), (1, 6000), (99_499, 3134)], timescale: 90000, rate: 44100, units: 100_000)
    #expect(broken.gap(inside: 0..<1000) == 501)
  }

  @Test(arguments: [0, 1, 640, 767, 768, 1535, 1537, 100_000])
  func `a last delta that is short or long is irregular and no gap`(delta: Int) throws {
    let times = try times([(31, 1536), (1, delta)], units: 32)
    #expect(!times.isRegular)
    #expect(times.gap(inside: 0..<32) == nil)
  }

  @Test func `a table for fewer or more access units is irregular in the first case only`() throws {
    #expect(!(try times([(31, 1536)], units: 32).isRegular))
    #expect(try times([(40, 1536)], units: 32).isRegular)
    #expect(!(try times([], units: 32).isRegular))
    #expect(try times([(31, 1536)], units: 32).gap(inside: 0..<32) == nil)
  }

  @Test func `a gap lies between two access units, and outside what starts or ends there`() throws {
    // As in joc-stts-gap.mp4: access unit 15 lasts 3000, so the times jump in front of 16.
    let times = try times([(15, 1536), (1, 3000), (16, 1536)], units: 32)
    #expect(times.gap(inside: 0..<32) == 16)
    #expect(times.gap(inside: 15..<17) == 16)
    #expect(times.gap(inside: 0..<16) == nil)
    #expect(times.gap(inside: 16..<32) == nil)
    #expect(times.gap(inside: 17..<32) == nil)
    #expect(times.gap(inside: 15..<16) == nil)
  }

  @Test(arguments: [
    (1536 + 767, false), (1536 + 768, true), (1536 - 767, false), (1536 - 768, true), (0, true),
  ])
  func `half an access unit is where a gap begins`(delta: Int, isGap: Bool) throws {
    let times = try times([(10, 1536), (1, delta), (10, 1536)], units: 21)
    #expect(times.gap(inside: 0..<21) == (isGap ? 11 : nil))
  }

  @Test func `what strays one way and back is no gap`() throws {
    let times = try times(
      Array(repeating: [(1, 1536 + 700), (1, 1536 - 700)], count: 50).flatMap { $0 }, units: 100)
    #expect(times.gap(inside: 0..<100) == nil)
  }

  @Test func `a slow drift is a gap each time it has come to half an access unit`() throws {
    // One PCM sample more each: 768 after 768 access units.
    let times = try times([(10_000, 1537)], units: 10_000)
    #expect(times.gap(inside: 0..<10_000) == 768)
    #expect(times.gap(inside: 0..<768) == nil)
    #expect(times.gap(inside: 768..<1536) == nil)
    #expect(times.gap(inside: 769..<1600) == 1536)
    #expect(times.gap(inside: 9217..<9984) == nil)
    #expect(times.gap(inside: 9217..<9985) == 9984)
    #expect(times.gap(inside: 9984..<10_000) == nil)
  }

  @Test func `random tables agree with a sum made one access unit after the other`() throws {
    let seed: UInt64 = 20
    var generator = SeededGenerator(seed: seed)
    for round in 0..<300 {
      let runs = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
        (
          count: Int.random(in: 0...40, using: &generator),
          delta: 1536 + ([0, 0, 1, -1, 30, -100, 500, -900, 3000].randomElement(using: &generator) ?? 0)
        )
      }
      let units = max(1, runs.reduce(0) { $0 + $1.count } - Int.random(in: 0...3, using: &generator))
      let expected = gaps(runs.flatMap { Array(repeating: $0.delta, count: $0.count) }.prefix(units))
      let times = try times(runs, units: units)
      for _ in 0..<20 {
        let start = Int.random(in: 0..<units, using: &generator)
        let range = start..<Int.random(in: start + 1...units, using: &generator)
        #expect(
          times.gap(inside: range) == expected.first { $0 > range.lowerBound && $0 < range.upperBound },
          "\(runs) \(range), round \(round) of seed \(seed)")
      }
    }
  }

  /// Access units in front of which the times have strayed by half an access unit since the last such place.
  private func gaps(_ deltas: some Collection<Int>) -> [Int] {
    var found: [Int] = []
    var drift = 0
    for (unit, delta) in deltas.dropLast().enumerated() {
      drift += delta - 1536
      if abs(drift) >= 768 {
        found.append(unit + 1)
        drift = 0
      }
    }
    return found
  }
}
