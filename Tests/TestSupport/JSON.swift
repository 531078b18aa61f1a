import Foundation

/// A JSON value, looked into by keys and indices; anything that is not there is null.
public struct JSON: Equatable, Sendable, CustomStringConvertible {
  /// The value's own text.
  public let description: String
  private let members: [String: JSON]
  private let elements: [JSON]

  private static let null = JSON(NSNull())

  /// Parses text.
  public init(parsing text: String) throws {
    self.init(try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed))
  }

  private init(_ value: Any) {
    switch value {
    case let object as [String: Any]:
      members = object.mapValues { JSON($0) }
      elements = []
      description = "{\(object.keys.sorted().joined(separator: ","))}"
    case let array as [Any]:
      elements = array.map { JSON($0) }
      members = [:]
      description = "[" + elements.map(\.description).joined(separator: ",") + "]"
    case is NSNull:
      (members, elements, description) = ([:], [], "null")
    case let number as NSNumber where CFBooleanNumber.isBoolean(number):
      (members, elements, description) = ([:], [], number.boolValue ? "true" : "false")
    default:
      (members, elements, description) = ([:], [], "\(value)")
    }
  }

  /// A member of an object.
  public subscript(key: String) -> JSON { members[key] ?? Self.null }

  /// An element of an array.
  public subscript(index: Int) -> JSON { elements.indices.contains(index) ? elements[index] : Self.null }

  /// The elements of an array.
  public var array: [JSON] { elements }

  /// The keys of an object.
  public var keys: Set<String> { Set(members.keys) }

  /// The value as a whole number.
  public var int: Int? { Int(description) }

  private enum CFBooleanNumber {
    static func isBoolean(_ number: NSNumber) -> Bool {
      String(cString: number.objCType) == "c" || String(cString: number.objCType) == "B"
    }
  }
}
