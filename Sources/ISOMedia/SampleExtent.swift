/// A contiguous run of bytes that holds whole samples.
public struct SampleExtent: Equatable, Sendable {
  /// Absolute offset in the file.
  public var offset: Int
  /// Bytes.
  public var byteCount: Int
  /// Samples in it.
  public var sampleCount: Int

  /// An extent from its parts.
  public init(offset: Int, byteCount: Int, sampleCount: Int) {
    self.offset = offset
    self.byteCount = byteCount
    self.sampleCount = sampleCount
  }
}

extension [SampleExtent] {
  /// Appends an extent, or lets the last one grow by it where it starts at that one's end.
  public mutating func append(merging next: SampleExtent) {
    if let last, last.offset + last.byteCount == next.offset {
      self[count - 1].byteCount += next.byteCount
      self[count - 1].sampleCount += next.sampleCount
    } else {
      append(next)
    }
  }
}

extension ClosedRange<Int>? {
  /// The range from the smaller start to the larger end; an absent one counts for nothing.
  @inlinable
  public func union(_ other: ClosedRange<Int>) -> ClosedRange<Int> {
    guard let self else { return other }
    return Swift.min(self.lowerBound, other.lowerBound)...Swift.max(self.upperBound, other.upperBound)
  }

  /// The same with one number more.
  @inlinable
  func union(_ number: Int) -> ClosedRange<Int> { union(number...number) }
}
