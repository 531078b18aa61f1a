import Testing

@testable import Bench

@Suite struct ComparisonTests {
  @Test(arguments: [(64.0, Comparison.Verdict.same), (65, .worse), (63, .better)])
  func `one allocation more is worse`(now: Double, verdict: Comparison.Verdict) {
    #expect(Comparison("clip", "allocations", exactly: 64, now, tolerance: Margin.calls).verdict == verdict)
  }

  @Test(arguments: [
    (101_900.0, Comparison.Verdict.same), (102_100, .worse), (98_100, .same), (97_900, .better),
  ])
  func `instructions may move by two percent`(now: Double, verdict: Comparison.Verdict) {
    let comparison = Comparison(
      "clip", "instructions", exactly: 100_000, now, tolerance: Margin.instructions)
    #expect(comparison.verdict == verdict)
  }

  @Test func `what cannot be counted here is not compared`() {
    let comparison = Comparison("clip", "instructions", exactly: 100_000, nil, tolerance: 0)
    #expect(comparison.verdict == .unknown)
    #expect(comparison.now == "n/a")
  }

  /// Of nine pairs the second smallest and second largest bound the interval.
  @Test(arguments: [
    ([0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.79, 0.79], Comparison.Verdict.worse),
    ([0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.81, 0.81], .same),
    ([0.9, 1, 1, 1, 1, 1, 1, 1, 1.1], .same),
    ([1.3, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3, 1.3], .same),
  ])
  func `a ratio is worse when its whole interval is below the margin`(
    ratios: [Double], verdict: Comparison.Verdict
  ) throws {
    let now = try #require(Estimate(ratios))
    #expect(Comparison("clip", "floor / CPU", ratio: 1, now, margin: 0.2).verdict == verdict)
  }

  @Test func `a table of strace is summed without waiting and memory`() {
    let table = """
      % time     seconds  usecs/call     calls    errors syscall
      ------ ----------- ----------- --------- --------- ------------------
       87.51    0.188432         441       427        16 openat
        1.94    0.004173           5       829       417 newfstatat
        0.00    0.000000           0        24           futex
        0.00    0.000000           0         3           brk
        0.00    0.000003           3         1           write
      ------ ----------- ----------- --------- --------- ------------------
      100.00    0.215331          72      1284       433 total
      """
    #expect(Counters.calls(table) == 427 + 829 + 1)
  }
}
