import Testing

@testable import Bench

@Suite struct StatisticsTests {
  /// Ranks of the 95 % confidence interval of a median, from tables of the sign test (Conover, table A3).
  @Test(arguments: [(5, 1), (6, 1), (8, 1), (9, 2), (11, 2), (12, 3), (15, 4), (20, 6), (25, 8), (50, 18)])
  func `the interval of a median has the ranks of the sign test`(count: Int, rank: Int) throws {
    let estimate = try #require(Estimate((1...count).reversed().map(Double.init)))
    #expect(estimate.low == Double(rank))
    #expect(estimate.high == Double(count + 1 - rank))
    #expect(estimate.median == Double(count + 1) / 2)
    #expect(estimate.count == count)
  }

  @Test func `no values have no estimate`() {
    #expect(Estimate([]) == nil)
    #expect(Distribution([]) == nil)
  }

  @Test func `quantiles lie between neighbours in proportion`() {
    let values = [40.0, 10, 30, 20]
    #expect(values.quantile(0) == 10)
    #expect(values.quantile(0.5) == 25)
    #expect(values.quantile(0.9) == 37)
    #expect(values.quantile(1) == 40)
  }

  /// The first numbers of the reference program for the seed 1234567.
  @Test func `random numbers are those of SplitMix64`() {
    var random = SplitMix64(seed: 1_234_567)
    #expect(random.next() == 6_457_827_717_110_365_317)
    #expect(random.next() == 3_203_168_211_198_807_973)
    #expect(random.next() == 9_817_491_932_198_370_423)
  }
}
