import Testing

/// A way to make an output, of which each call shall fail once.
struct FaultScenario: CustomTestStringConvertible, Sendable {
  let joins: Bool
  let method: String
  let more: [String]

  var options: [String] { ["--io", method] + more }
  var testDescription: String { ([joins ? "concat" : "trim"] + options).joined(separator: " ") }

  static let all: [FaultScenario] = [
    FaultScenario(joins: false, method: "auto", more: []),
    FaultScenario(joins: false, method: "clone", more: []),
    FaultScenario(joins: false, method: "copy", more: ["--force"]),
    FaultScenario(joins: false, method: "gather", more: ["--sync", "file"]),
    FaultScenario(joins: false, method: "gather", more: ["--force", "--sync", "file"]),
    FaultScenario(joins: false, method: "auto", more: ["--publish", "direct"]),
    FaultScenario(joins: false, method: "copy", more: ["--publish", "direct", "--force"]),
    FaultScenario(joins: true, method: "auto", more: ["--force"]),
    FaultScenario(joins: true, method: "clone", more: []),
    FaultScenario(joins: true, method: "copy", more: []),
    FaultScenario(joins: true, method: "gather", more: []),
  ]
}
