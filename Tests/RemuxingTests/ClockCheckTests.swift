import Testing

@testable import Remuxing

/// Durations of access units against the PCM clock, with a writer's rounding and without.
struct ClockCheckTests {
  private func check(
    _ runs: [(count: Int, ticks: Int)], timescale: UInt32 = 48000, rate: Int = 48000
  ) -> ClockCheck {
    var clock = ClockCheck(timescale: timescale, rate: rate)
    for run in runs { clock.advance(over: run.count, lasting: run.ticks) }
    return clock
  }

  /// Times of access units rounded to a clock of `unit` ticks a second, and that to the timescale's.
  ///
  /// Truncated, each lasts a whole number of ticks of 90 kHz.
  private func rounded(
    _ count: Int, unit: Int, timescale: Int, rate: Int, isTruncated: Bool
  ) -> [(count: Int, ticks: Int)] {
    func time(_ index: Int) -> Int {
      let (ticks, clock) = isTruncated ? (index * (1536 * 90000 / rate), 90000) : (index * 1536, rate)
      let coarse = (2 * ticks * unit + clock) / (2 * clock)
      return (2 * coarse * timescale + unit) / (2 * unit)
    }
    return (0..<count).map { (1, time($0 + 1) - time($0)) }
  }

  @Test(arguments: [48000, 44100, 32000], [600, 1000, 44100, 48000, 90000])
  func `rounded times are right, to the clock's own ticks or to milliseconds`(rate: Int, timescale: Int) {
    for (unit, isTruncated) in [
      (1000, false), (1000, true), (90000, false), (90000, true), (timescale, false),
    ] {
      let runs = rounded(4000, unit: unit, timescale: timescale, rate: rate, isTruncated: isTruncated)
      let clock = check(runs, timescale: UInt32(timescale), rate: rate)
      #expect(clock.firstStray == nil, "\(unit) \(isTruncated)")
    }
  }

  @Test func `access units that are each off by a tick at most are regular`() {
    #expect(check([(4000, 1536)]).isRegular)
    #expect(check([(1, 1536), (3000, 1535)], timescale: 44100, rate: 44100).isRegular)
    #expect(check([(3000, 1535)], timescale: 44100, rate: 44100).firstStray == nil)
    #expect(!check([(1, 1536), (1, 1534), (1, 1538)]).isRegular)
  }

  /// A millisecond and two ticks are 50 ticks of 48,000 Hz; three quarters of one come with each access unit.
  @Test(
    arguments: [
      ([(32, 1513)], 3), ([(10, 1536), (22, 1513)], 13), ([(4, 1536), (1, 1589), (27, 1536)], nil),
      ([(4, 1536), (1, 1590), (27, 1536)], 5), ([(1, 1470), (1, 1602)], 1), ([(9, 1436)], 1), ([(16, 0)], 1),
      ([(1, 1 << 32)], 1), ([(0, 7), (3, 1536)], nil),
    ] as [([(Int, Int)], Int?)])
  func `times that stray are told where they do`(runs: [(count: Int, ticks: Int)], unit: Int?) {
    #expect(check(runs).firstStray == unit)
  }

  @Test func `the last one may be off as the others are`() {
    #expect(check([(31, 1536)]).allowedError == 0)
    #expect(check([(31, 35)], timescale: 1000, rate: 44100).allowedError == 44100)
    #expect(check([(1, 1499), (1, 1544)], timescale: 44100, rate: 44100).allowedError == 37 * 44100)
    #expect(check([], timescale: 1000, rate: 44100).wholeTicks == 35)
    #expect(check([], timescale: 600).wholeTicks == 19)
  }
}
