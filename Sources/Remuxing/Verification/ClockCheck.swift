import EnhancedAC3
import ISOMedia
import SystemIO

/// How far the times of access units stray from the PCM clock of their bitstream.
///
/// A writer rounds each time to its own clock, some to milliseconds, and FFmpeg cuts what an access unit lasts off to whole
/// ticks of 90 kHz: times then run away by 0.022 %. Everything is in units of 1 / (timescale * rate) seconds, which makes
/// both clocks whole numbers.
struct ClockCheck {
  /// The first access unit in front of which the time is off by more than a writer's rounding.
  private(set) var firstStray: Int?
  /// By how much the duration of any access unit is off at most.
  private(set) var largestError: Int128 = 0

  private let nominal: Int128
  private let rate: Int128
  /// A millisecond and two ticks.
  private let tolerance: Int128
  /// What more is allowed with each access unit.
  private let slope: Int128
  private var unit = 0
  private var drift: Int128 = 0

  init(timescale: UInt32, rate: Int) {
    nominal = Int128(AccessUnit.samples) * Int128(timescale)
    self.rate = Int128(rate)
    slope = MediaTimes.slope(of: nominal)
    tolerance = Int128(timescale) * Int128(rate) / 1000 + 2 * Int128(rate)
  }

  /// Goes over access units that all last equally long.
  mutating func advance(over count: Int, lasting ticks: Int) {
    guard count > 0 else { return }
    defer { unit += count }
    let error = error(of: ticks)
    largestError = max(largestError, abs(error))
    // Off by a tick, each of them was rounded for itself.
    guard abs(error) > rate else { return }
    let allowed = tolerance + Int128(unit) * slope
    if firstStray == nil, abs(error) > slope {
      let room = (error > 0 ? allowed - drift : allowed + drift) / (abs(error) - slope)
      if room < Int128(count) { firstStray = unit + Int(max(0, room)) + 1 }
    }
    drift += Int128(count) * error
  }

  /// By how much an access unit is off that lasts so long.
  func error(of ticks: Int) -> Int128 { Int128(ticks) * rate - nominal }

  /// Whether every access unit lasts as long as it should, up to one tick.
  var isRegular: Bool { largestError <= rate }

  /// By how much one more access unit may be off: a tick, where whole ones are no whole number of ticks, or as much as
  /// the others are.
  var allowedError: Int128 { max(largestError, nominal.isMultiple(of: rate) ? 0 : rate) }

  /// The ticks of a whole access unit, to the nearest.
  var wholeTicks: Int { Int((2 * nominal + rate) / (2 * rate)) }
}

extension ClockCheck {
  /// Goes over all access units of a track; nil for an elementary stream, which has no other clock.
  init?(of track: AudioTrack) {
    guard let facts = track.containerFacts else { return nil }
    var clock = ClockCheck(timescale: facts.media.timescale, rate: track.sampleRate)
    track.forEachDuration { count, ticks in clock.advance(over: count, lasting: ticks) }
    self = clock
  }
}

extension AudioTrack {
  /// Calls `body` for access units that follow each other and last equally long by the container, with their number
  /// and the ticks that each lasts.
  func forEachDuration(_ body: (Int, Int) -> Void) {
    guard let table = containerFacts?.timeToSample else { return }
    let fragments = index.fragments
    var left = index.count - (fragments?.count ?? 0)
    for position in 0..<table.table.count where left > 0 {
      let run = table.run(position, in: file.bytes)
      body(min(run.sampleCount, left), run.sampleDelta)
      left -= min(run.sampleCount, left)
    }
    if let fragments { fragments.forEachDuration(of: 0..<fragments.count, in: file.bytes, body) }
  }
}
