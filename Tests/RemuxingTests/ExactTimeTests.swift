import TestSupport
import Testing

@testable import Remuxing

@Suite struct ExactTimeTests {
  private static let rates = [48000, 44100, 32000, 24000]

  private func samples(_ seconds: String, at rate: Int) throws -> ExactSamples {
    guard case .seconds(let time) = try time(seconds) else { throw NoSeconds() }
    return time.samples(at: rate)
  }

  private struct NoSeconds: Error {}

  /// Worked out by hand: seconds × rate / 1536.
  @Test(arguments: [
    // 0.016 s are 768 PCM samples at 48 kHz: half an access unit, and a tie goes up.
    ("0.016", 48000, 0, 1, 1), ("0.015999999999999", 48000, 0, 0, 1), ("0.016000000000001", 48000, 0, 1, 1),
    ("0", 48000, 0, 0, 0), ("0.032", 48000, 1, 1, 1), ("0.031999999999999", 48000, 0, 1, 1),
    ("0.032000000000001", 48000, 1, 1, 2), ("5", 48000, 156, 156, 157), ("10", 48000, 312, 313, 313),
    ("36000", 48000, 1_125_000, 1_125_000, 1_125_000),
    // 1 s is 28.7 access units at 44.1 kHz; 256 s are 7350 exactly.
    ("1", 44100, 28, 29, 29), ("256", 44100, 7350, 7350, 7350),
    ("255.999999999999999", 44100, 7349, 7350, 7350),
    ("256.000000000000001", 44100, 7350, 7350, 7351),
    // 0.024 s are half an access unit at 32 kHz, 0.032 s at 24 kHz.
    ("0.024", 32000, 0, 1, 1), ("0.048", 32000, 1, 1, 1), ("0.072", 32000, 1, 2, 2),
    ("0.023", 32000, 0, 0, 1),
    ("0.032", 24000, 0, 1, 1), ("0.064", 24000, 1, 1, 1), ("0.096", 24000, 1, 2, 2),
    ("0.031", 24000, 0, 0, 1),
  ])
  func `a time falls to an access unit border`(
    seconds: String, rate: Int, floor: Int, nearest: Int, ceiling: Int
  ) throws {
    let position = try samples(seconds, at: rate)
    #expect(position.floor(by: 1536) == floor)
    #expect(position.nearest(by: 1536) == nearest)
    #expect(position.ceiling(by: 1536) == ceiling)
    #expect(Snap.floor.apply(position) == floor)
    #expect(Snap.nearest.apply(position) == nearest)
    #expect(Snap.ceil.apply(position) == ceiling)
  }

  @Test(arguments: [
    ("0.00001", 48000, 0), ("0.00002", 48000, 1), ("0.000010416666666", 48000, 0),
    ("0.000010416666667", 48000, 1),
    ("0.5", 44100, 22050), ("0.005", 44100, 221), ("0.0049999", 44100, 220), ("1.00001", 32000, 32000),
    ("1.000015625", 32000, 32001),
  ])
  func `a time is rounded to the nearest PCM sample, halves up`(seconds: String, rate: Int, rounded: Int)
    throws
  {
    let position = try samples(seconds, at: rate)
    #expect(position.rounded == rounded)
  }

  @Test func `positions before zero round down, towards the nearest and up like all others`() {
    // -2304 is one and a half access units in front of zero.
    let position = ExactSamples(-2304)
    #expect(position.floor(by: 1536) == -2)
    #expect(position.nearest(by: 1536) == -1)
    #expect(position.ceiling(by: 1536) == -1)
    #expect(ExactSamples(-3, over: 2).rounded == -1)
    #expect(ExactSamples(-5, over: 3).rounded == -2)
  }

  @Test(arguments: rates)
  func `random times agree with arithmetic on paper`(rate: Int) throws {
    let seed: UInt64 = 48_000 + UInt64(rate)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let seconds = randomSeconds(
        below: [2, 100, 36_000, 999_999_999].randomElement(using: &generator) ?? 2, using: &generator)
      let position = try samples(seconds, at: rate)
      #expect(
        position.floor(by: 1536) == Schoolbook.count(seconds, rate: rate, unit: 1536, .floor),
        "\(seconds), seed \(seed)")
      #expect(
        position.nearest(by: 1536) == Schoolbook.count(seconds, rate: rate, unit: 1536, .nearest),
        "\(seconds), seed \(seed)")
      #expect(
        position.ceiling(by: 1536) == Schoolbook.count(seconds, rate: rate, unit: 1536, .ceil),
        "\(seconds), seed \(seed)")
    }
  }

  @Test(arguments: rates)
  func `ties at a half access unit go up`(rate: Int) {
    for unit in 0..<1000 {
      let tie = ExactSamples(unit * 1536 + 768)
      #expect(tie.nearest(by: 1536) == unit + 1)
      #expect(ExactSamples(Int128(unit * 1536 + 768) * 1000 - 1, over: 1000).nearest(by: 1536) == unit)
    }
  }

  @Test func `sums of different decimals are exact`() throws {
    let sum = try samples("0.1", at: 48000).advanced(by: try samples("0.000000000000002", at: 48000))
    #expect(!sum.isBefore(4800))
    #expect(sum.isBefore(try samples("0.100000000000003", at: 48000)))
    #expect(!sum.isBefore(try samples("0.100000000000002", at: 48000)))
    #expect(!(try samples("0.100000000000002", at: 48000)).isBefore(sum))
    #expect(sum.advanced(by: -4800).isBefore(1))
    #expect(!sum.advanced(by: -4800).isBefore(0))
  }

  @Test(arguments: [
    ("0.1", 0, 10_000, 9600), ("0.1", 500, 500, 500), ("0.1", 0, 4799, 0), ("0.1", -9, 4791, 4791),
  ])
  func `whole steps go up to a limit and not beyond`(step: String, start: Int, limit: Int, end: Int) throws {
    let position = ExactSamples(start).advanced(
      inStepsOf: try samples(step, at: 48000), upTo: ExactSamples(limit))
    #expect(!position.isBefore(end))
    #expect(position.isBefore(end + 1))
    #expect(position.rounded == end)
  }

  @Test(arguments: [
    ("1.023", 1000, true), ("1.022999999999999", 1000, false), ("1.024", 1000, true), ("2", 1000, true),
    ("0", 1, false), ("0.024", 1, true), ("0.023999999999999", 1, false),
    ("1.023999652777777", 2_880_000, false), ("1.023999652777778", 2_880_000, true),
  ])
  func `a tick before a sample is told exactly`(seconds: String, ticks: Int, isWithin: Bool) throws {
    // 1.024 s are 49152 PCM samples at 48 kHz.
    let position = try samples(seconds, at: 48000)
    #expect(position.isWithinTick(of: 49152, ticks: ticks, rate: 48000) == isWithin)
  }

  @Test func `the longest times do not overflow`() throws {
    let longest = try samples("999999999.999999999999999", at: 48000)
    #expect(longest.floor(by: 1536) == 31_249_999_999)
    #expect(longest.advanced(by: longest).floor(by: 1536) == 62_499_999_999)
    #expect(longest.rounded == 48_000_000_000_000)
    #expect(!longest.isWithinTick(of: 1 << 47, ticks: Int(UInt32.max), rate: 48000))
    let clock = try samples("99999:59:59.999999999999999", at: 48000)
    #expect(clock.ceiling(by: 1536) == 11_250_000_000)
  }
}
