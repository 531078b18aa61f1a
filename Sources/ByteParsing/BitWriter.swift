/// Collects bits, most significant first.
public struct BitWriter {
  private var writer = ByteWriter()
  private var pending = 0
  private var pendingCount = 0

  /// An empty writer.
  public init() {}

  /// Appends the `count` low bits of a number, at most 32.
  public mutating func put(_ value: Int, _ count: Int) {
    pending = pending << count | value & ((1 << count) - 1)
    pendingCount += count
    while pendingCount >= 8 {
      pendingCount -= 8
      writer.put(UInt8(truncatingIfNeeded: pending >> pendingCount))
    }
    pending &= (1 << pendingCount) - 1
  }

  /// Appends a flag.
  public mutating func put(_ flag: Bool) {
    put(flag ? 1 : 0, 1)
  }

  /// All bits so far, the last byte padded with zeros.
  public var bytes: [UInt8] {
    guard pendingCount > 0 else { return writer.bytes }
    var padded = writer
    padded.put(UInt8(truncatingIfNeeded: pending << (8 - pendingCount)))
    return padded.bytes
  }
}
