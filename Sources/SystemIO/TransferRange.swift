/// A range of a source and its place in the target.
struct TransferRange: Equatable {
  var sourceOffset: Int
  var targetOffset: Int
  var byteCount: Int

  /// The first bytes of the range, at most so many.
  func prefix(_ count: Int) -> TransferRange {
    TransferRange(
      sourceOffset: sourceOffset, targetOffset: targetOffset, byteCount: min(count, byteCount))
  }

  /// What is left without the first bytes.
  func dropFirst(_ count: Int) -> TransferRange {
    TransferRange(
      sourceOffset: sourceOffset + count, targetOffset: targetOffset + count, byteCount: byteCount - count)
  }

  /// The bytes in front of the first whole block; nil when source and target lie differently in their blocks.
  func edge(blockByteCount: Int) -> Int? {
    guard sourceOffset % blockByteCount == targetOffset % blockByteCount else { return nil }
    let offset = sourceOffset % blockByteCount
    return offset == 0 ? 0 : blockByteCount - offset
  }
}
