/// What `addbsi` says of joint object coding.
///
/// Source: ETSI TS 103 420, 8.3: seven reserved bits, `flag_ec3_extension_type_a`, `complexity_index_type_a`.
public struct AdditionalInformation: Equatable, Sendable {
  /// Bytes of `addbsi`, 0 to 64.
  public let byteCount: Int
  private let first: UInt8
  private let second: UInt8?

  init(byteCount: Int = 0, first: UInt8 = 0, second: UInt8? = nil) {
    self.byteCount = byteCount
    self.first = first
    self.second = second
  }

  /// The complexity index, when the bytes signal joint object coding as they should.
  public var objectComplexity: ObjectComplexity? {
    guard first == 1, let second else { return nil }
    return ObjectComplexity(index: Int(second))
  }

  /// Whether the flag is set while the index is missing or out of range: no player can use that.
  public var hasInvalidObjectSignalling: Bool {
    byteCount > 0 && first == 1 && objectComplexity == nil
  }
}

/// `complexity_index_type_a`: how many objects a programme with joint object coding has, 1 to 16.
public struct ObjectComplexity: Equatable, Sendable {
  /// Bed, intermediate and dynamic objects together.
  public let index: Int

  /// Nil when the index is out of range.
  public init?(index: Int) {
    guard (1...16).contains(index) else { return nil }
    self.index = index
  }
}
