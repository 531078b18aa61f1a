import Foundation

/// Runs scenarios on the file systems that can be had.
final class Harness {
  /// How much is run.
  struct Settings {
    var work = WorkFolder.temporary
    var media: String?
    var kerfless: String?
    var floor: String?
    var pairs = 11
    var countsInstructions = true
    /// Whether sources are kept for later runs, where no folder is given.
    var keepsMedia = true
  }

  let programs: Programs
  /// What could not be measured, and why.
  private(set) var notes: [String]
  private let settings: Settings
  private let library: MediaLibrary
  private let work: String
  private var places: [Place.Kind: Place] = [:]
  private var random = SplitMix64(seed: 6)

  init(_ settings: Settings) throws {
    self.settings = settings
    var programs = try Programs(kerfless: settings.kerfless, floor: settings.floor)
    work = try WorkFolder.make(in: URL(fileURLWithPath: settings.work).path)
    programs.copy(to: work)
    self.programs = programs
    notes = programs.missing
    library = try MediaLibrary(
      settings.media ?? (settings.keepsMedia ? Programs.root + "/.build/bench-media" : work + "/media"),
      kerfless: programs.kerfless)
  }

  /// Unmounts and removes everything that was made, but not the sources.
  func close() {
    for place in places.values { place.close() }
    WorkFolder.remove(work)
  }

  /// Mounts what can be mounted; the others are noted.
  func open(_ kinds: [Place.Kind]) {
    for kind in kinds {
      do {
        places[kind] = try Place(kind, work: work, library: library)
      } catch {
        note("\(kind.rawValue) is left out: \(error.text)")
      }
    }
  }

  func note(_ text: String) {
    notes.append(text)
    Progress.print("note: \(text)")
  }

  /// Makes a scenario ready; nil where its file system could not be had.
  func bench(_ scenario: Scenario) throws -> Workbench? {
    try places[scenario.place].map { try Workbench(scenario, $0, programs) }
  }

  func timing(_ bench: Workbench) throws -> PairedTiming {
    try PairedTiming(bench, pairs: pairs(of: bench.scenario), random: &random)
  }

  /// A process is over soon, so there are as many pairs as the others have operations.
  private func pairs(of scenario: Scenario) -> Int {
    scenario.isProcess ? settings.pairs * scenario.count : settings.pairs
  }

  func counts(_ bench: Workbench) throws -> Counts {
    try Counters(programs: programs).count(bench, withInstructions: settings.countsInstructions)
  }

  /// Runs scenarios; one that fails is noted, and the others go on.
  func measure(_ scenarios: [Scenario]) -> [Measurement] {
    var measurements: [Measurement] = []
    for (number, scenario) in scenarios.enumerated() {
      Progress.show("\(number + 1)/\(scenarios.count) \(scenario.name)")
      do {
        guard let bench = try bench(scenario) else { continue }
        let timing = try timing(bench)
        measurements.append(try Measurement(bench, timing, try counts(bench)))
      } catch {
        Leftovers.waitForSignalsEnd()
        note("\(scenario.name) failed: \(error.text)")
      }
    }
    Progress.clear()
    return measurements
  }
}

/// Lines on standard error.
enum Progress {
  private static let isTerminal = isatty(STDERR_FILENO) != 0

  /// What is being done; only on a terminal, and written over by the next.
  static func show(_ text: String) {
    if isTerminal { write("\r\u{1b}[K\(text)") }
  }

  static func clear() {
    if isTerminal { write("\r\u{1b}[K") }
  }

  /// A line that stays.
  static func print(_ text: String) {
    clear()
    write(text + "\n")
  }

  private static func write(_ text: String) {
    // Nobody may be left who reads it.
    _ = TargetFile.writeAll(Data(text.utf8), to: STDERR_FILENO)
  }
}
