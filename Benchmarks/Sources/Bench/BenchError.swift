/// Why something cannot be measured, and what helps.
struct BenchError: Error, CustomStringConvertible {
  let message: String
  let advice: String?

  init(_ message: String, advice: String? = nil) {
    self.message = message
    self.advice = advice
  }

  var description: String { advice.map { "\(message); \($0)" } ?? message }
}
