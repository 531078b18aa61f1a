import Remuxing
import SystemIO

/// Where a command prints: results on standard output, everything else on standard error.
///
/// A result that cannot be printed does not undo what was done, so printing never throws; the command ends with
/// `failure` in the end.
final class Console {
  /// Whether results are JSON objects.
  let printsJSON: Bool
  /// Why a result could not be printed.
  private(set) var failure: Failure?
  /// Where results go: standard error when standard output takes the output itself.
  private let results: StandardStream

  init(printsJSON: Bool, outputIsStandardOutput: Bool) {
    self.printsJSON = printsJSON
    results = outputIsStandardOutput ? .error : .output
  }

  /// Prints lines of text; control characters in them, which paths may hold, are shown as `?`.
  func print(_ lines: [String]) {
    write(lines.map(Self.printable).joined(separator: "\n"))
  }

  /// Prints one object.
  func print(_ json: JSONValue) {
    write(json.text)
  }

  /// Prints findings, one a line: what was put right or is to be known, not why the command would have failed.
  func printFindings(_ findings: [Finding]) {
    for finding in findings {
      let word = finding.severity == .note ? "note" : "warning"
      Self.printDiagnostic("\(word): \(finding.message) [\(finding.code.rawValue)]")
    }
  }

  /// Prints why a command failed; with JSON also as an object.
  func printFailure(_ failure: Failure) {
    Self.printDiagnostic("error: \(failure)")
    guard printsJSON else { return }
    print(
      .object([
        ("schema", .string("kerfless.error/1")), ("code", .string(failure.code.rawValue)),
        ("message", .string(failure.message)), ("path", .optional(failure.path?.description)),
        ("offset", .optional(failure.offset)), ("boxPath", .optional(failure.boxPath)),
        ("advice", .optional(failure.advice)), ("exit", .number(Int(failure.code.exitStatus.rawValue))),
      ]))
  }

  static func printDiagnostic(_ text: String) {
    // Nothing better can be done when this fails.
    try? StandardStream.error.write(Array("kerfless: \(printable(text))\n".utf8))
  }

  private func write(_ text: String) {
    do throws(SystemError) {
      try results.write(Array("\(text)\n".utf8))
    } catch {
      let reason = error.errno?.text ?? "it failed"
      failure = Failure(
        .inputOutput, "the result could not be printed: \(reason)", advice: "what was asked has been done")
    }
  }

  /// A text with control characters shown as `?`.
  static func printable(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { return text }
    return text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? "?" : String($0) }.joined()
  }
}
