import Remuxing
import SystemIO

/// The words behind the probe's name.
struct ProbeRequest {
  let kind: ProbeWork
  /// How often.
  let count: Int
  /// Whether each time is timed, which takes system calls of its own.
  let isTimed: Bool
  private let values: [String: String]

  /// Throws when a word cannot be understood.
  init(_ words: ArraySlice<String>) throws {
    guard let kind = words.first.flatMap(ProbeWork.init) else { throw ProbeError("which work?") }
    self.kind = kind
    var values: [String: String] = [:]
    for word in words.dropFirst() {
      let parts = word.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { throw ProbeError("'\(word)' is no KEY=VALUE") }
      values[String(parts[0])] = String(parts[1])
    }
    self.values = values
    count = values["count"].flatMap { Int($0) } ?? 1
    isTimed = values["timed"] == "yes"
  }

  /// A path. Throws when it is missing.
  func path(_ key: String) throws -> FilePath {
    guard let path = values[key].flatMap(FilePath.init) else { throw ProbeError("\(key)=PATH is missing") }
    return path
  }

  /// A number. Throws when it is missing.
  func number(_ key: String) throws -> Int {
    guard let number = values[key].flatMap({ Int($0) }) else { throw ProbeError("\(key)=N is missing") }
    return number
  }

  /// How payload is moved.
  var method: CopyMethod { values["io"].flatMap(CopyMethod.init) ?? .auto }
}

/// Why the probe cannot do what it is asked.
struct ProbeError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
