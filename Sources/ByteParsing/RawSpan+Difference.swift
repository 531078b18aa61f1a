extension RawSpan {
  /// The offset of the first byte that differs from another span of the same length; nil when none does.
  public func firstDifference(to other: RawSpan) -> Int? {
    let count = Swift.min(byteCount, other.byteCount)
    var position = 0
    // Four words at a time; the differences of a block are looked for only where there are some.
    while position + 32 <= count {
      var difference: UInt64 = 0
      for step in 0..<4 {
        let place = position + 8 * step
        difference |= bigEndian(UInt64.self, at: place) ^ other.bigEndian(UInt64.self, at: place)
      }
      if difference != 0 { break }
      position += 32
    }
    while position < count {
      if byte(at: position) != other.byte(at: position) { return position }
      position += 1
    }
    return byteCount == other.byteCount ? nil : count
  }
}
