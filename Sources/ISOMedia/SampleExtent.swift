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
