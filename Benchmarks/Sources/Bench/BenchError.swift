import Foundation

/// Why something cannot be measured, and what helps.
struct BenchError: Error, CustomStringConvertible {
  /// Exit codes, of the same meaning as those of the command.
  enum Code: Int32 {
    case malformed = 65
    case missing = 66
    /// What is asked for cannot be told on this machine.
    case unsupported = 69
    case notMeasured = 70
  }

  let message: String
  let advice: String?
  let code: Code

  init(_ message: String, advice: String? = nil, code: Code = .notMeasured) {
    self.message = message
    self.advice = advice
    self.code = code
  }

  var description: String { advice.map { "\(message); \($0)" } ?? message }
}

extension Error {
  /// For people, also where Foundation says which file it is and why in a dictionary.
  var text: String {
    let error = self as NSError
    guard error.domain == NSCocoaErrorDomain, let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError,
      cause.domain == NSPOSIXErrorDomain
    else { return "\(self)" }
    let paths = ["NSDestinationFilePath", NSFilePathErrorKey].compactMap { error.userInfo[$0] as? String }
    let url = (error.userInfo[NSURLErrorKey] as? URL)?.path
    return "\(paths.first ?? url ?? "a file"): \(String(cString: strerror(Int32(cause.code))))"
  }
}
