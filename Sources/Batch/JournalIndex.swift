import Remuxing
import SystemIO

/// What earlier runs have begun and done, in 16 bytes a job.
///
/// A hash table without chains: the claims of jobs spread over it by themselves, being digests.
struct JournalIndex: Sendable {
  /// What is known of a job.
  enum Entry: Equatable {
    /// Nothing: what is at its output's name is not its own.
    case unknown
    /// It was begun, so it may replace what is there.
    case begun
    /// It was done; so many bytes of the output are its header.
    case done(check: UInt32, headerByteCount: Int)
  }

  private struct Slot {
    var claim: UInt64 = 0
    /// Of a job that failed, the number of the failure's code.
    var check: UInt32 = 0
    /// `vacant`, `begun`, `failed`, or the bytes of the header.
    var state: UInt32 = Self.vacant

    static let vacant = UInt32.max
    static let begun = UInt32.max - 1
    static let failed = UInt32.max - 2
  }

  private var slots = [Slot](repeating: Slot(), count: 1024)
  private var count = 0

  /// What is known of a job.
  func entry(for claim: UInt64) -> Entry {
    let slot = slots[place(of: claim)]
    switch slot.state {
    case Slot.vacant, Slot.failed: return .unknown
    case Slot.begun: return .begun
    default: return .done(check: slot.check, headerByteCount: Int(slot.state))
    }
  }

  /// What became of a job when it was last run; nil where it is not known.
  func state(of claim: UInt64) -> JournalState? { Self.state(slots[place(of: claim)]) }

  private static func state(_ slot: Slot) -> JournalState? {
    switch slot.state {
    case Slot.vacant: return nil
    case Slot.begun: return .begun
    case Slot.failed:
      let codes = Failure.Code.allCases
      return .failed(slot.check < codes.count ? codes[Int(slot.check)] : nil)
    default: return .done
    }
  }

  /// That a job was begun: whatever was known of its output holds no longer.
  mutating func begin(_ claim: UInt64) {
    set(Slot(claim: claim, check: 0, state: Slot.begun))
  }

  /// That a job failed: it was begun, but what is at its output's name is not its own.
  mutating func fail(_ claim: UInt64, _ code: Failure.Code?) {
    let place = code.flatMap { Failure.Code.allCases.firstIndex(of: $0) }
    set(Slot(claim: claim, check: place.map { UInt32($0) } ?? .max, state: Slot.failed))
  }

  /// That a job was done.
  mutating func finish(_ claim: UInt64, check: UInt32, headerByteCount: Int) {
    guard let state = UInt32(exactly: headerByteCount), state < Slot.failed else { return begin(claim) }
    set(Slot(claim: claim, check: check, state: state))
  }

  /// How many jobs are in which state.
  var counts: JournalCounts {
    var counts = JournalCounts()
    for slot in slots {
      switch Self.state(slot) {
      case nil: break
      case .begun: counts.begun += 1
      case .failed(let code?): counts.failures.add(code)
      case .failed(nil): counts.failedOtherwise += 1
      case .done: counts.done += 1
      }
    }
    return counts
  }

  private mutating func set(_ slot: Slot) {
    let place = place(of: slot.claim)
    if slots[place].state == Slot.vacant {
      count += 1
      // Four fifths full: some three probes for what is there.
      guard count * 5 < slots.count * 4 else {
        grow()
        slots[self.place(of: slot.claim)] = slot
        return
      }
    }
    slots[place] = slot
  }

  /// Where a claim is, or would be.
  private func place(of claim: UInt64) -> Int {
    // The high bits of a digest, scaled to any number of slots.
    var place = Int((claim &* 0x9e37_79b9_7f4a_7c15).multipliedFullWidth(by: UInt64(slots.count)).high)
    while slots[place].state != Slot.vacant, slots[place].claim != claim {
      place = place + 1 == slots.count ? 0 : place + 1
    }
    return place
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: old.count + old.count / 2)
    for slot in old where slot.state != Slot.vacant { slots[place(of: slot.claim)] = slot }
  }
}
