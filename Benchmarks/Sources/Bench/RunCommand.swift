import Foundation

/// `run`, `list` and `report`.
enum RunCommand {
  static func run(_ arguments: Arguments) throws -> Int32 {
    let isQuick = arguments.has(.quick)
    var settings = try Harness.Settings(arguments)
    settings.pairs = try arguments.number(.pairs) ?? (isQuick ? 5 : 11)
    settings.countsInstructions = !isQuick
    let chosen = try scenarios(arguments)
    let harness = try Harness(settings)
    defer { harness.close() }
    harness.open(Place.Kind.allCases.filter { kind in chosen.contains { $0.place == kind } })
    let measurements = harness.measure(chosen)
    guard !measurements.isEmpty else { throw BenchError("nothing could be measured") }
    let report = Report(
      host: .current(harness.programs), form: isQuick ? "quick" : arguments.has(.only) ? "a choice" : "full",
      pairs: settings.pairs, measurements: measurements,
      budgets: try Budgets(measurements: measurements, programs: harness.programs).results(),
      notes: harness.notes)
    print(TextTable.text(report), terminator: "")
    try report.write(arguments)
    return 0
  }

  static func list(_ arguments: Arguments) throws -> Int32 {
    for scenario in try scenarios(arguments) { print("\(scenario.name)\t\(scenario.title)") }
    return 0
  }

  static func report(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.count == 1 else { throw UsageError("report needs one FILE.json") }
    let report = try Report(readingFrom: arguments.operands[0])
    print(TextTable.text(report), terminator: "")
    try report.write(arguments)
    return 0
  }

  private static func scenarios(_ arguments: Arguments) throws -> [Scenario] {
    let places = try places(arguments)
    let all = arguments.has(.quick) ? ScenarioTable.quick(places) : ScenarioTable.full(places)
    guard let text = arguments.text(.only) else { return all }
    let chosen = all.filter { $0.name.contains(text) }
    guard !chosen.isEmpty else {
      throw UsageError("no scenario's name holds '\(text)': see kerfless-bench list")
    }
    return chosen
  }

  private static func places(_ arguments: Arguments) throws -> [Place.Kind] {
    guard let text = arguments.text(.on) else { return Place.Kind.allCases }
    return try text.split(separator: ",").map { word in
      guard let kind = Place.Kind(rawValue: String(word)) else {
        throw UsageError("--on cannot be '\(word)': write here, memory, xfs or btrfs, with commas between")
      }
      return kind
    }
  }
}

extension Harness.Settings {
  init(_ arguments: Arguments) throws {
    self.init()
    if let work = arguments.text(.work) { self.work = work }
    media = arguments.text(.media)
    kerfless = arguments.text(.kerfless)
    floor = arguments.text(.floor)
  }
}

extension Report {
  /// Writes it in every form that is asked for.
  func write(_ arguments: Arguments) throws {
    if let path = arguments.text(.json) { try json.write(to: URL(fileURLWithPath: path)) }
    if let path = arguments.text(.html) {
      try Data(Page.html(self).utf8).write(to: URL(fileURLWithPath: path))
    }
    if let path = arguments.text(.markdown) { try append(MarkdownReport.text(self), to: path) }
  }

  /// A summary may have other parts already.
  private func append(_ text: String, to path: String) throws {
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    guard let file = FileHandle(forWritingAtPath: path) else { throw BenchError("\(path) cannot be written") }
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }
}
