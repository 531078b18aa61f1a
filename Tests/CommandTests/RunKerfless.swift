import Foundation
import TestSupport
import Testing

/// Runs the command and expects it to succeed.
@discardableResult
func kerfless(
  _ arguments: [String], folder: String? = nil, at location: SourceLocation = #_sourceLocation
) throws -> Tool.Output {
  let result = try Tool.kerfless.run(arguments, folder: folder)
  #expect(result.status == 0, "\(arguments): \(result.errors)", sourceLocation: location)
  return result
}

/// Runs the command with `--json` and parses the object that it prints.
func kerflessJSON(_ arguments: [String], at location: SourceLocation = #_sourceLocation) throws -> JSON {
  try JSON(parsing: try kerfless(arguments + ["--json"], at: location).text)
}

/// Runs the command and expects it to fail with a code, one line on standard error that has these parts, and no output.
func expectFailure(
  _ status: Int32, _ arguments: [String], saying parts: [String] = [], leaving folder: TemporaryFolder? = nil,
  at location: SourceLocation = #_sourceLocation
) throws {
  let before = folder?.names
  let result = try Tool.kerfless.run(arguments)
  #expect(result.status == status, "\(arguments): \(result.errors)", sourceLocation: location)
  let lines = result.errors.split(separator: "\n")
  #expect(lines.count == 1, "\(result.errors)", sourceLocation: location)
  for part in parts where !part.isEmpty { #expect(result.errors.contains(part), sourceLocation: location) }
  #expect(folder?.names == before, sourceLocation: location)
}

/// Runs a shell script in which KERFLESS stands for the command.
func shell(_ script: String) throws -> Tool.Output {
  try #require(Tool("sh")).run([
    "-c", script.replacingOccurrences(of: "KERFLESS", with: Tool.kerfless.path),
  ])
}
