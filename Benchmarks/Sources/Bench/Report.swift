import Foundation

/// Everything that a run came to.
struct Report: Codable {
  let schema: String
  let date: Date
  let host: Host
  /// Full, quick, or a choice.
  let form: String
  let pairs: Int
  let measurements: [Measurement]
  let budgets: [BudgetResult]
  /// What a check compared; empty for a run.
  let comparisons: [Comparison]
  /// What could not be measured, and why.
  let notes: [String]

  private static let schema = "kerfless.bench/1"

  init(
    host: Host, form: String, pairs: Int, measurements: [Measurement], budgets: [BudgetResult],
    comparisons: [Comparison] = [], notes: [String]
  ) {
    schema = Self.schema
    date = Date()
    self.host = host
    self.form = form
    self.pairs = pairs
    self.measurements = measurements
    self.budgets = budgets
    self.comparisons = comparisons
    self.notes = notes
  }

  /// Reads one that was written.
  init(readingFrom path: String) throws {
    self = try JSON.read(
      Report.self, from: path, called: "report", advice: "kerfless-bench run --json writes one"
    ) {
      $0.schema == Self.schema && $0.isPlausible
    }
  }

  var json: Data {
    get throws { try JSON.encoder.encode(self) + Data("\n".utf8) }
  }

  /// Whether a check fails.
  var isWorse: Bool { comparisons.contains { $0.verdict == .worse } }

  /// What a check says in one line.
  var verdict: String {
    let worse = comparisons.filter { $0.verdict == .worse }
    let better = comparisons.count { $0.verdict == .better }
    guard worse.isEmpty else {
      return "check failed: " + worse.map { "\($0.scenario): \($0.quantity)" }.joined(separator: ", ")
    }
    let unknown = comparisons.count { $0.verdict == .unknown }
    return "check passed: \(comparisons.count - unknown) numbers compared"
      + (unknown > 0 ? ", \(unknown) could not be counted" : "")
      + (better > 0 ? ", \(better) better: make the baseline anew to keep that" : "")
  }

  /// The measurements under their headings.
  var groups: [(group: Scenario.Group, measurements: [Measurement])] {
    Scenario.Group.allCases.compactMap { group in
      let own = measurements.filter { $0.group == group }
      return own.isEmpty ? nil : (group, own)
    }
  }
}

/// How JSON is written and read here.
enum JSON {
  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return encoder
  }

  /// Reads a file of ours.
  ///
  /// Throws when it is missing, or something else, or its values are none that could have been written.
  static func read<T: Decodable>(
    _ type: T.Type, from path: String, called name: String, advice: String, where isValid: (T) -> Bool
  ) throws -> T {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw BenchError("\(path) is missing or cannot be read", advice: advice, code: .missing)
    }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let value: T
    do {
      value = try decoder.decode(type, from: bytes)
    } catch {
      throw BenchError("\(path) is no \(name) of this version: \(error)", advice: advice, code: .malformed)
    }
    guard isValid(value) else {
      throw BenchError(
        "\(path) is no \(name) of this version: its schema or its numbers are others", advice: advice,
        code: .malformed)
    }
    return value
  }
}
