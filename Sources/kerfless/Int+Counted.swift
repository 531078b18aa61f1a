extension Int {
  /// A number of things: "1 job", "2 jobs".
  func counted(_ noun: StaticString) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
