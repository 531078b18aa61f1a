import Remuxing
import SystemIO

/// Where a command prints: results on standard output, everything else on standard error.
struct Console: Sendable {
  /// Whether results are JSON objects.
  let printsJSON: Bool
  /// Where results go: standard error when standard output takes the output itself.
  private let results: StandardStream

  init(printsJSON: Bool, outputIsStandardOutput: Bool = false) {
    self.printsJSON = printsJSON
    results = outputIsStandardOutput ? .error : .output
  }

  /// Prints a result, followed by a line break.
  func printResult(_ text: String) throws(CommandError) {
    do throws(SystemError) {
      try results.write(Array("\(text)\n".utf8))
    } catch {
      throw CommandError(Failure(error))
    }
  }

  /// Prints findings, one a line.
  func printFindings(_ findings: [Finding]) {
    for finding in findings where finding.severity != .note {
      Self.printDiagnostic("\(finding.severity.rawValue): \(finding.message) [\(finding.code.rawValue)]")
    }
  }

  /// Prints why a command failed; with JSON also as an object.
  func printFailure(_ failure: Failure) {
    Self.printDiagnostic("error: \(failure)")
    guard printsJSON else { return }
    let object = JSONValue.object([
      ("schema", .string("kerfless.error/1")), ("code", .string(failure.code.rawValue)),
      ("message", .string(failure.message)), ("path", .optional(failure.path?.description)),
      ("offset", .optional(failure.offset)), ("boxPath", .optional(failure.boxPath)),
      ("advice", .optional(failure.advice)), ("exit", .number(Int(failure.code.exitStatus.rawValue))),
    ])
    // Nothing better can be done when this fails too.
    try? printResult(object.text)
  }

  static func printDiagnostic(_ text: String) {
    // Line breaks in paths must not forge lines.
    let line = text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? "?" : String($0) }.joined()
    // Nothing better can be done when this fails.
    try? StandardStream.error.write(Array("kerfless: \(line)\n".utf8))
  }
}
