/// A four-character code: the type of a box, a brand, a handler or a sample entry.
///
/// Source: ISO/IEC 14496-12, 4.2.
public struct FourCC: Hashable, Sendable {
  /// The four bytes as one big-endian number.
  public let rawValue: UInt32

  /// A code from its big-endian number.
  @inlinable public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }
}

extension FourCC: ExpressibleByStringLiteral {
  /// A code from a literal of exactly four ASCII characters.
  @inlinable public init(stringLiteral value: StaticString) {
    precondition(value.hasPointerRepresentation && value.utf8CodeUnitCount == 4)
    // The four bytes are there: a literal's storage is as long as its code unit count.
    let start = unsafe value.utf8Start
    unsafe rawValue =
      UInt32(start[0]) << 24 | UInt32(start[1]) << 16 | UInt32(start[2]) << 8 | UInt32(start[3])
  }
}

extension FourCC: CustomStringConvertible {
  /// The four characters, or `0x…` where one of them is not printable ASCII.
  public var description: String {
    guard isPrintable else {
      let digits = String(rawValue, radix: 16)
      return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
    }
    return String(decoding: characters, as: UTF8.self)
  }

  /// Whether all four bytes are printable ASCII.
  public var isPrintable: Bool {
    characters.allSatisfy { (0x20...0x7e).contains($0) }
  }

  private var characters: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) }
  }
}
