public import Remuxing

/// What is wrong with one line of a manifest.
public struct LineError: Error, Equatable, Sendable {
  /// The key that it is about; nil for the line as a whole.
  public let key: String?
  /// The byte in the line at which it was noticed, from 1.
  public let column: Int?
  /// What is wrong, in one clause.
  public let message: String
  /// What to do about it.
  public let advice: String?

  init(key: String? = nil, column: Int? = nil, _ message: String, advice: String? = nil) {
    self.key = key
    self.column = column
    self.message = message
    self.advice = advice
  }

  /// As a failure of the job that the line asks for.
  public var failure: Failure {
    let place = (column.map { "column \($0): " } ?? "") + (key.map { "\($0): " } ?? "")
    return Failure(.jobInvalid, place + message, advice: advice)
  }
}
