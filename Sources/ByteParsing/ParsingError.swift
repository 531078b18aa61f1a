/// What is wrong with the bytes, at which offset, inside which boxes.
public struct ParsingError: Error, Equatable, Sendable {
  /// Whether the bytes break the rules, or keep them in a way that is not supported.
  public enum Kind: Sendable {
    case malformed
    case unsupported
  }

  /// Malformed or unsupported.
  public let kind: Kind
  /// One clause, in words.
  public let message: String
  /// Absolute offset in the file, in bytes.
  public let offset: Int
  /// The boxes around the offset, outermost first.
  public private(set) var path: [FourCC] = []

  /// Bytes that break the rules.
  public static func malformed(_ message: String, at offset: Int) -> ParsingError {
    ParsingError(kind: .malformed, message: message, offset: offset)
  }

  /// Bytes that are legal and that this code does not support.
  public static func unsupported(_ message: String, at offset: Int) -> ParsingError {
    ParsingError(kind: .unsupported, message: message, offset: offset)
  }

  /// The same error, one box further out.
  public func inside(_ type: FourCC) -> ParsingError {
    var outer = self
    outer.path.insert(type, at: 0)
    return outer
  }

  private init(kind: Kind, message: String, offset: Int) {
    self.kind = kind
    self.message = message
    self.offset = offset
  }
}
