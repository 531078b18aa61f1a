/// A property that does not hold for an input.
public struct Violation: Error, CustomStringConvertible {
  /// Which, with the numbers that contradict it.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Throws a violation where a condition does not hold.
func require(_ condition: Bool, _ description: @autoclosure () -> String) throws(Violation) {
  guard condition else { throw Violation(description()) }
}

/// Throws a violation where two values differ.
func requireEqual<T: Equatable>(_ left: T, _ right: T, _ what: @autoclosure () -> String) throws(Violation) {
  guard left == right else { throw Violation("\(what()): \(left) and \(right)") }
}
