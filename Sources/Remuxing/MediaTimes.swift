import EnhancedAC3
import ISOMedia

/// How far the times of `stts` agree with the PCM clock of the bitstream.
///
/// They are not followed; see DESIGN.md, 5.1. What strays by half an access unit or more is a gap.
struct MediaTimes: Sendable {
  /// Access units in front of which the times jump, evenly spaced.
  private struct Gaps {
    let first: Int
    let count: Int
    let stride: Int

    var last: Int { first + (count - 1) * stride }
  }

  /// Whether every access unit lasts exactly 1536 PCM samples, and `stts` counts them all.
  let isRegular: Bool
  private let gaps: [Gaps]

  init(_ table: TimeToSample, timescale: UInt32, rate: Int, accessUnits: Int, in bytes: RawSpan) {
    // Everything in units of 1 / (timescale * rate) seconds, which makes both clocks whole numbers.
    let nominal = Int128(AccessUnit.samples) * Int128(timescale)
    let tolerance = nominal / 2
    var isRegular = true
    var gaps: [Gaps] = []
    var unit = 0
    var drift: Int128 = 0
    for index in 0..<table.table.count where unit < accessUnits {
      let run = table.run(index, in: bytes)
      let count = min(run.sampleCount, accessUnits - unit)
      let step = Int128(run.sampleDelta) * Int128(rate) - nominal
      if step != 0 { isRegular = false }
      // The border behind the last access unit is the track's end: a short last delta is no gap.
      let borders = unit + count == accessUnits ? count - 1 : count
      if step == 0 || borders <= 0 {
        unit += count
        continue
      }
      // The first border of the run at which the drift reaches the tolerance, and how many follow at equal distances.
      let toFirst = Self.steps(from: drift, by: step, to: tolerance)
      if toFirst <= borders {
        let stride = Self.steps(from: 0, by: step, to: tolerance)
        let more = (Int128(borders) - toFirst) / stride
        gaps.append(Gaps(first: unit + Int(toFirst), count: 1 + Int(more), stride: Int(stride)))
        drift = (Int128(borders) - toFirst - more * stride) * step
      } else {
        drift += Int128(borders) * step
      }
      unit += count
    }
    self.isRegular = isRegular && unit == accessUnits
    self.gaps = gaps
  }

  /// The first access unit inside a range in front of which the times jump; a jump at its very start is outside.
  func gap(inside units: Range<Int>) -> Int? {
    // The runs of gaps follow each other: the first whose last gap lies behind the start holds the answer or none does.
    var low = 0
    var high = gaps.count
    while low < high {
      let middle = (low + high) / 2
      if gaps[middle].last > units.lowerBound { high = middle } else { low = middle + 1 }
    }
    guard low < gaps.count else { return nil }
    let run = gaps[low]
    let skipped = units.lowerBound < run.first ? 0 : (units.lowerBound - run.first) / run.stride + 1
    let unit = run.first + skipped * run.stride
    return unit < units.upperBound ? unit : nil
  }

  /// How many steps it takes until the magnitude reaches the limit: at least one.
  private static func steps(from drift: Int128, by step: Int128, to limit: Int128) -> Int128 {
    let missing = step > 0 ? limit - drift : limit + drift
    let size = step > 0 ? step : -step
    return max(1, (missing + size - 1) / size)
  }
}
