import TestSupport
import Testing

@testable import Batch

struct LatencyHistogramTests {
  @Test func `quantiles are at most a sixteenth too large`() throws {
    var generator = SeededGenerator(seed: 3)
    var histogram = LatencyHistogram()
    #expect(histogram.quantile(0.5) == nil)
    var values: [Int] = []
    for _ in 0..<10000 {
      let value = Int(generator.next() >> UInt64.random(in: 20...63, using: &generator))
      values.append(value)
      histogram.add(value)
    }
    values.sort()
    for share in [0.001, 0.1, 0.5, 0.9, 0.99, 1] {
      let exact = values[max(0, Int((share * 10000).rounded(.up)) - 1)]
      let found = try #require(histogram.quantile(share))
      #expect(found >= exact)
      #expect(found - exact <= exact / 16)
    }
  }

  @Test func `the ends of the range are counted`() {
    var histogram = LatencyHistogram()
    for value in [0, 15, 16, 17, Int.max, -5] { histogram.add(value) }
    #expect(histogram.quantile(0.01) == 0)
    #expect(histogram.quantile(1) == Int.max)
    var sum = LatencyHistogram()
    sum.add(histogram)
    sum.add(histogram)
    #expect(sum.quantile(0.5) == histogram.quantile(0.5))
  }
}
