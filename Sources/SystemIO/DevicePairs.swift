import Synchronization

/// Pairs of devices between which a copy method does not work, remembered by all threads of the process.
///
/// It has no lock: pairs are only added. When it is full, further ones are found out anew for each output.
final class DevicePairs: Sendable {
  /// Where FICLONERANGE does not work.
  static let withoutClone = DevicePairs()
  /// Where copy_file_range does not work.
  static let withoutCopy = DevicePairs()

  private static let capacity = 64

  /// Source device in the upper half, target device in the lower one; 0 is free. The kernel's numbers have 32 bits.
  private let slots = InlineArray<64, Atomic<UInt64>> { _ in Atomic(0) }

  /// Whether some pair with this source has been remembered.
  func mentions(source: UInt) -> Bool {
    holds { UInt($0 >> 32) == source }
  }

  /// Whether a pair has been remembered.
  func contains(source: UInt, target: UInt) -> Bool {
    let key = Self.key(source, target)
    return holds { $0 == key }
  }

  /// Remembers a pair; without a target, only that there is one.
  func insert(source: UInt, target: UInt?) {
    guard let key = Self.key(source, target ?? 0) else { return }
    for index in 0..<Self.capacity {
      let found = slots[index].compareExchange(expected: 0, desired: key, ordering: .relaxed)
      if found.exchanged || found.original == key { return }
    }
  }

  private func holds(_ isMeant: (UInt64) -> Bool) -> Bool {
    for index in 0..<Self.capacity {
      let slot = slots[index].load(ordering: .relaxed)
      if slot == 0 { return false }
      if isMeant(slot) { return true }
    }
    return false
  }

  private static func key(_ source: UInt, _ target: UInt) -> UInt64? {
    guard let upper = UInt32(exactly: source), let lower = UInt32(exactly: target) else { return nil }
    return UInt64(upper) << 32 | UInt64(lower)
  }
}
