import Foundation

/// `run`, `list` and `report`.
enum RunCommand {
  static func run(_ arguments: Arguments) throws -> Int32 {
    let isQuick = arguments.has(.quick)
    var settings = try Harness.Settings(arguments)
    settings.pairs = try arguments.number(.pairs) ?? (isQuick ? 5 : 11)
    settings.countsInstructions = !isQuick
    let chosen = try scenarios(arguments)
    try Report.checkTargets(arguments)
    let harness = try Harness(settings)
    defer { harness.close() }
    if isQuick {
      harness.note("instructions are not counted in a quick run: make bench-full counts them")
    }
    harness.open(Place.Kind.allCases.filter { kind in chosen.contains { $0.place == kind } })
    let measurements = harness.measure(chosen)
    guard !measurements.isEmpty else { throw BenchError("nothing could be measured") }
    let report = Report(
      host: .current(harness.programs), form: isQuick ? "quick" : arguments.has(.only) ? "a choice" : "full",
      pairs: settings.pairs, measurements: measurements,
      budgets: try Budgets(measurements: measurements, programs: harness.programs).results(),
      notes: harness.notes)
    try report.publish(arguments)
    return 0
  }

  static func list(_ arguments: Arguments) throws -> Int32 {
    let lines = try scenarios(arguments).map { "\($0.name)\t\($0.title)\n" }
    try StandardOutput.print(lines.joined())
    return 0
  }

  static func report(_ arguments: Arguments) throws -> Int32 {
    guard arguments.operands.count == 1 else { throw UsageError("report needs one FILE.json") }
    let report = try Report(readingFrom: arguments.operands[0])
    try report.publish(arguments)
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
    return try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
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
