/// A set of texts, kept as 64-bit hashes whose key changes with every process: 10 to 15 bytes a text.
///
/// Two of a million different texts are taken for one with a chance of less than one in ten million.
struct HashSet64: Sendable {
  /// 0 is a vacant slot.
  private var slots = [UInt64](repeating: 0, count: 1024)
  private var count = 0

  /// Adds what a hasher was fed with; false when it was there already.
  mutating func insert(_ hasher: Hasher) -> Bool {
    let hash = Self.hash(hasher)
    let place = place(of: hash)
    guard slots[place] == 0 else { return false }
    slots[place] = hash
    count += 1
    if count * 5 > slots.count * 4 { grow() }
    return true
  }

  /// Whether what a hasher was fed with is there.
  func contains(_ hasher: Hasher) -> Bool { slots[place(of: Self.hash(hasher))] != 0 }

  private static func hash(_ hasher: Hasher) -> UInt64 {
    max(1, UInt64(bitPattern: Int64(hasher.finalize())))
  }

  /// Where a hash is, or would be: its high bits, scaled to any number of slots, and on from there.
  private func place(of hash: UInt64) -> Int {
    var place = Int(hash.multipliedFullWidth(by: UInt64(slots.count)).high)
    while slots[place] != 0, slots[place] != hash { place = place + 1 == slots.count ? 0 : place + 1 }
    return place
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: old.count + old.count / 2)
    for hash in old where hash != 0 { slots[place(of: hash)] = hash }
  }
}
