import EnhancedAC3
import ISOMedia

/// How far the times of `stts` agree with the PCM clock of the bitstream.
///
/// They are not followed; see DESIGN.md, 5.1. What strays by half an access unit or more is a gap, but not where a clock
/// runs a little slow throughout: FFmpeg cuts what an access unit lasts off to whole ticks of 90 kHz.
struct MediaTimes: Sendable {
  /// Whether every access unit lasts exactly 1536 PCM samples, and `stts` counts them all.
  let isRegular: Bool
  private let gaps: [Gaps]

  /// The media time, in ticks, at which the first access unit is decoded: fragments may start late.
  let start: Int
  /// The same in PCM samples, if it is not 0.
  let lateStart: Int?

  /// The times of what `moov` holds, `head` access units, and then of the fragments.
  init(
    _ table: TimeToSample, head: Int, _ fragments: FragmentedSamples?, timescale: UInt32, rate: Int,
    accessUnits: Int, in bytes: RawSpan
  ) {
    let times = fragments?.decodeTimes ?? []
    let start = head == 0 ? times.first?.ticks ?? 0 : 0
    var drift = Drift(timescale: timescale, rate: rate)
    var unit = 0
    for index in 0..<table.table.count where unit < head {
      let run = table.run(index, in: bytes)
      let count = min(run.sampleCount, head - unit)
      // The border behind the track's last access unit is its end: a short last delta is no gap.
      drift.advance(over: count, lasting: run.sampleDelta, isLast: unit + count == accessUnits)
      unit += count
    }
    for time in times { drift.note(ticks: time.ticks - start, at: head + time.sample) }
    isRegular = drift.isRegular && unit == head
    gaps = drift.isSteady ? [] : drift.gaps
    self.start = start
    let late = (2 * Int128(start) * Int128(rate) + Int128(timescale)) / (2 * Int128(timescale))
    lateStart = late == 0 ? nil : Int(clamping: late)
  }

  /// How much of its length an access unit may be off by a writer's rounding, again and again: 0.05 %.
  static func slope(of unit: Int128) -> Int128 { unit / 2048 }

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
}

/// Access units in front of which the times jump, evenly spaced.
private struct Gaps {
  let first: Int
  let count: Int
  let stride: Int

  var last: Int { first + (count - 1) * stride }
}

/// How far the container's clock is from the PCM clock.
///
/// Everything is in units of 1 / (timescale * rate) seconds, which makes both clocks whole numbers.
private struct Drift {
  private(set) var isRegular = true
  /// Whether no access unit strays by more than the slope, and no fragment by more than that and a tick: then the clock
  /// runs a little slow or fast, and nothing is missing, however far the times have run away in the end.
  private(set) var isSteady = true
  private(set) var gaps: [Gaps] = []
  private let nominal: Int128
  private let rate: Int
  private let slope: Int128
  /// The access unit of the last fragment's time.
  private var noted = 0
  private var unit = 0
  /// Since the last gap.
  private var drift: Int128 = 0
  /// In all.
  private var total: Int128 = 0

  init(timescale: UInt32, rate: Int) {
    nominal = Int128(AccessUnit.samples) * Int128(timescale)
    self.rate = rate
    slope = MediaTimes.slope(of: nominal)
  }

  private var tolerance: Int128 { nominal / 2 }

  /// Goes over access units that all last equally long.
  mutating func advance(over count: Int, lasting ticks: Int, isLast: Bool) {
    let step = Int128(ticks) * Int128(rate) - nominal
    if step != 0 { isRegular = false }
    let borders = isLast ? count - 1 : count
    defer { unit += count }
    guard step != 0, borders > 0 else { return }
    total += Int128(borders) * step
    if abs(step) > slope { isSteady = false }
    // The first border at which the drift reaches the tolerance, and how many follow at equal distances.
    let toFirst = steps(from: drift, by: step)
    guard toFirst <= borders else {
      drift += Int128(borders) * step
      return
    }
    let stride = steps(from: 0, by: step)
    let more = (Int128(borders) - toFirst) / stride
    gaps.append(Gaps(first: unit + Int(toFirst), count: 1 + Int(more), stride: Int(stride)))
    drift = (Int128(borders) - toFirst - more * stride) * step
  }

  /// A fragment says when its first access unit is decoded.
  mutating func note(ticks: Int, at unit: Int) {
    let now = Int128(ticks) * Int128(rate) - Int128(unit) * nominal
    let since = drift + now - total
    if abs(now - total) > Int128(unit - noted) * slope + min(Int128(rate), tolerance / 8) { isSteady = false }
    total = now
    noted = unit
    if now != 0 { isRegular = false }
    guard abs(since) >= tolerance else {
      drift = since
      return
    }
    gaps.append(Gaps(first: unit, count: 1, stride: 1))
    drift = 0
  }

  /// How many steps it takes until the magnitude reaches the tolerance: at least one.
  private func steps(from drift: Int128, by step: Int128) -> Int128 {
    let missing = step > 0 ? tolerance - drift : tolerance + drift
    let size = step > 0 ? step : -step
    return max(1, (missing + size - 1) / size)
  }
}
