import TestSupport
import Testing

/// Changes inside boxes of a file, made without the code under test.
extension [UInt8] {
  /// Where the payload of the n-th box of a type starts, found by its type alone.
  func payload(of type: String, _ number: Int = 0) throws -> Int {
    let code = Array(type.utf8)
    let places = indices.dropLast(3).filter { self[$0..<$0 + 4].elementsEqual(code) }
    return try #require(places.dropFirst(number).first) + 4
  }

  /// Overwrites bytes in the payload of a box.
  mutating func patch(_ type: String, _ number: Int = 0, at distance: Int, _ bytes: [UInt8]) throws {
    let start = try payload(of: type, number) + distance
    replaceSubrange(start..<start + bytes.count, with: bytes)
  }

  /// The same bytes with a part of a box's payload overwritten.
  func patched(_ type: String, _ number: Int = 0, at distance: Int, _ bytes: [UInt8]) throws -> [UInt8] {
    var changed = self
    try changed.patch(type, number, at: distance, bytes)
    return changed
  }
}
