import Testing

@testable import Remuxing

/// DESIGN.md, 5.1: parsed to an exact rational, never through binary floating point.
@Suite struct TimeExpressionTests {
  @Test(
    arguments: [
      ("0", 0, 1), ("12", 12, 1), ("12.5", 25, 2), ("12.5s", 25, 2), ("12s", 12, 1), ("500ms", 1, 2),
      ("0.5ms", 1, 2000), ("1500ms", 3, 2), (".5", 1, 2), ("1.", 1, 1), ("0.1", 1, 10), ("007", 7, 1),
      ("01:02:03.5", 7447, 2), ("00:00:00", 0, 1), ("1:02", 62, 1), ("59:59.999", 3_599_999, 1000),
      ("100:00:00", 360_000, 1), ("99999:59:59", 359_999_999, 1), ("999999999", 999_999_999, 1),
      ("0.000000000000001", 1, 1_000_000_000_000_000),
      ("0.333333333333333", 333_333_333_333_333, 1_000_000_000_000_000),
    ] as [(String, Int128, Int128)])
  func `seconds are exact quotients`(text: String, numerator: Int128, denominator: Int128) throws {
    guard case .seconds(let time) = TimeExpression(text) else {
      Issue.record("\(text) is no time")
      return
    }
    #expect(time.numerator * denominator == numerator * time.denominator)
  }

  @Test(arguments: [("0smp", 0), ("240000smp", 240_000), ("999999999999999smp", 999_999_999_999_999)])
  func `PCM samples are whole numbers`(text: String, count: Int) {
    #expect(TimeExpression(text) == .samples(count))
  }

  @Test(arguments: [("0au", 0), ("156au", 156), ("999999999999au", 999_999_999_999)])
  func `access units are whole numbers`(text: String, count: Int) {
    #expect(TimeExpression(text) == .accessUnits(count))
  }

  @Test(arguments: [
    "", " ", ".", "s", "ms", "smp", "au", ":", "::", "1 ", " 1", "1\n", "+1", "-1", "-0", "--1", "1,5",
    "1..5", "1.2.3",
    "1e3", "0x10", "nan", "NaN", "inf", "infinity", "1_000", "١", "１", "²", "½",
    "12S", "12sec", "12m", "1h",
    "5MS",
    "1.5smp", "1.5au", "-5smp", "5 smp", "smp5", "5smps", "5aus", "1000000000", "0.0000000000000000001",
    "1000000000000000smp", "1000000000000au", "1:60", "1:2:60", "1:60:00", "60:00", "1:2:3:4", ":30", "30:",
    "1::2",
    "1:2:", "-1:00", "1:-1", "1:00s", "1:00ms", "1.5:00", "1:1.5:00", "100000:00:00", "12.5ss", "5s\u{301}",
    "1\u{0}",
  ])
  func `anything else is no time`(text: String) {
    #expect(TimeExpression(text) == nil)
  }

  @Test(arguments: [
    ("1.5", 48000, 72_000), ("500ms", 48000, 24_000), ("10smp", 48000, 10), ("2au", 48000, 3072),
    ("2au", 44100, 3072), ("1", 44100, 44_100), ("1:00", 24000, 1_440_000),
  ])
  func `a duration is a number of PCM samples on the track's clock`(text: String, rate: Int, samples: Int)
    throws
  {
    let length = try time(text).length(at: rate)
    #expect(!length.isBefore(samples) && length.isBefore(samples + 1) && length.rounded == samples)
  }
}

@Suite struct TimeRangeTests {
  @Test(arguments: [
    ("-", "", ""), ("1-2", "1", "2"), ("1-", "1", ""), ("-2.5s", "", "2.5s"), ("3au-00:05", "3au", "00:05"),
  ])
  func `either end of a written range may be left out`(text: String, start: String, end: String) throws {
    #expect(try TimeRange(text) == range(start, end))
  }

  @Test(arguments: ["", "1", "1-2-3", "a-2", "1-b", "--", "1--2", " 1-2", "-1-2"])
  func `other text is no range`(text: String) {
    #expect(TimeRange(text) == nil)
  }
}
