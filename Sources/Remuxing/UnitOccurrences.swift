/// Access units of which one thing is true: how many, and the first of them.
public struct UnitOccurrences: Equatable, Sendable {
  /// The first one and what there is to say of it.
  public struct Place: Equatable, Sendable {
    /// The access unit.
    public let unit: Int
    /// Absolute offset in the file.
    public let offset: Int
    /// What was found, in one clause.
    public let description: String
  }

  /// How many there are.
  public private(set) var count = 0
  /// The first; nil when there is none.
  public private(set) var first: Place?

  mutating func add(_ unit: Int, at offset: Int, _ description: @autoclosure () -> String = "") {
    if count == 0 { first = Place(unit: unit, offset: offset, description: description()) }
    count += 1
  }

  /// The occurrences as a finding; nil when there are none.
  ///
  /// The text follows the number of access units: "with a wrong checksum".
  func finding(_ code: Finding.Code, _ severity: Finding.Severity, _ text: String) -> Finding? {
    guard let first else { return nil }
    let units = count == 1 ? "1 access unit" : "\(count) access units"
    let description = first.description.isEmpty ? "" : ": \(first.description)"
    return Finding(
      code, severity,
      "\(units) \(text), the first is access unit \(first.unit) (byte \(first.offset))\(description)")
  }
}
