/// What moving the payload of an output took.
public struct TransferReport: Equatable, Sendable {
  /// Payload bytes shared with the source.
  public internal(set) var clonedByteCount = 0
  /// Payload bytes copied, or shared, by the kernel.
  public internal(set) var copiedByteCount = 0
  /// Payload bytes written from memory.
  public internal(set) var gatheredByteCount = 0

  /// The cheapest method that moved anything.
  public var method: CopyMethod {
    if clonedByteCount > 0 { return .clone }
    return copiedByteCount > 0 ? .copy : .gather
  }

  init() {}

  /// Everything written from memory.
  init(gathered pieces: [Piece]) {
    for case .extent(let extent) in pieces { gatheredByteCount += extent.byteCount }
  }
}
