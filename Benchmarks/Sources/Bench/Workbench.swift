import Foundation

/// A scenario made ready: its source and files are there, and each side can be run.
struct Workbench {
  /// One run of one side, microseconds an operation.
  struct Turn {
    let wall: Double
    let core: Double
    /// Each operation's own time, where that is known.
    let each: (wall: [Double], core: [Double])
  }

  let scenario: Scenario
  let place: Place
  private let programs: Programs
  private let source: String
  /// Where the source's access units lie, when they are in one run.
  private let payload: Int
  private let header: String

  /// Makes everything that is not measured.
  init(_ scenario: Scenario, _ place: Place, _ programs: Programs) throws {
    self.scenario = scenario
    self.place = place
    self.programs = programs
    source = try place.source(scenario.media)
    let size = try Child(programs.kerfless, ["inspect", "--json", source], in: place.folder).sourceByteCount
    payload = size - scenario.media.units * SourceMedia.unitByteCount
    header = scenario.floor == .none ? "" : try Self.header(scenario, place, programs, source)
    if scenario.usesManifest {
      for count in [scenario.count, 2 * scenario.counted, scenario.counted] {
        _ = try place.write(manifest(count), as: Self.manifestName(count))
      }
    }
  }

  /// The first bytes of such a clip, for the floor to write: of a process's clip all in front of the payload, of many
  /// without what brings a payload into the source's phase, which the floor adds by itself.
  private static func header(
    _ scenario: Scenario, _ place: Place, _ programs: Programs, _ source: String
  ) throws -> String {
    let clip = try place.emptyClips() + "/first.mp4"
    let start = scenario.start(0)
    _ = try Child(
      programs.kerfless,
      ["trim", source, "--start", "\(start)au", "--end", "\(start + scenario.units)au", "-o", clip],
      in: place.folder)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: place.folder + "/" + clip))
    let ahead = bytes.dropLast(scenario.payloadByteCount)
    let boxes = MovieBoxes.list(bytes, 0..<ahead.count)
    let padding = boxes.filter { $0.type == "free" }.reduce(0) { $0 + $1.range.count }
    return try place.write(scenario.floor == .bulk ? ahead.dropLast(padding) : ahead, as: "header")
  }

  /// Runs our side once.
  func run() throws -> Turn {
    let clips = try place.emptyClips()
    switch scenario.subject {
    case .probe:
      return try ProbeOutput(
        Child(programs.probe, probeWords(count: scenario.count, isTimed: true), in: place.folder)
      ).turn
    case .trim:
      return try Child(programs.kerfless, trimWords(clips), in: place.folder).turn(over: 1)
    case .start:
      return try Child(programs.kerfless, Self.startWords, in: place.folder).turn(over: 1)
    case .batchRun:
      WorkFolder.remove(place.folder + "/journal")
      return try Child(programs.kerfless, batchWords(scenario.count), in: place.folder).turn(
        over: scenario.count)
    }
  }

  /// Runs the floor once; nil where there is none.
  func runFloor() throws -> Turn? {
    let clips = scenario.floor == .none ? "" : try place.emptyClips()
    switch scenario.floor {
    case .none: return nil
    case .process:
      let words = [
        scenario.floorMethod, source, header, "\(offset(0))", "\(scenario.payloadByteCount)",
        clips + "/out.mp4",
      ]
      return try Child(programs.floor, words, in: place.folder).turn(over: 1)
    case .bulk:
      let lines = (0..<scenario.count).map { turn in
        "\(offset(turn)) \(scenario.payloadByteCount) \(clips)/\(turn).mp4\n"
      }
      let list = try place.write(Data(lines.joined().utf8), as: "list")
      let words = [scenario.floorMethod, source, header, "--bulk", list]
      let times = try Child(programs.floor, words, in: place.folder).output.split(separator: " ")
        .compactMap { Double($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
      guard times.count == 2 else { throw BenchError("the floor does not say how long it took") }
      return Turn(wall: times[0], core: times[1], each: ([], []))
    }
  }

  /// Where a clip's payload lies in the source, or would if that were in one run.
  private func offset(_ turn: Int) -> Int {
    (scenario.media.shape == .regular ? payload : 1000) + scenario.start(turn) * SourceMedia.unitByteCount
  }
}

extension Workbench {
  /// The words that start our side for counting, without clocks, some operations in one process.
  func words(count: Int) throws -> [String] {
    switch scenario.subject {
    case .probe: return [programs.probe] + probeWords(count: count, isTimed: false)
    case .trim: return [programs.kerfless] + trimWords("clips")
    case .start: return [programs.kerfless] + Self.startWords
    case .batchRun:
      WorkFolder.remove(place.folder + "/journal")
      return [programs.kerfless] + batchWords(count)
    }
  }

  private func probeWords(count: Int, isTimed: Bool) -> [String] {
    guard case .probe(let work) = scenario.subject else { return [] }
    var words = [
      work, "count=\(count)", "source=\(source)", "folder=clips", "first=\(Scenario.first)",
      "units=\(scenario.units)", "slots=\(scenario.slots)", "io=\(scenario.method)",
    ]
    if scenario.usesManifest { words.append("manifest=" + Self.manifestName(count)) }
    if isTimed { words.append("timed=yes") }
    return words
  }

  private static let startWords = ["--version"]

  private func trimWords(_ clips: String) -> [String] {
    let start = scenario.start(0)
    return [
      "trim", source, "--start", "\(start)au", "--end", "\(start + scenario.units)au", "--io",
      scenario.method,
      "-o", clips + "/out.mp4",
    ]
  }

  private func batchWords(_ count: Int) -> [String] {
    ["batch", "run", Self.manifestName(count), "--journal", "journal", "--io", scenario.method]
  }

  private static func manifestName(_ count: Int) -> String { "jobs-\(count).jsonl" }

  private func manifest(_ count: Int) -> Data {
    let lines = (0..<count).map { turn in
      let start = scenario.start(turn)
      return #"{"id":"clip-\#(turn)","source":"\#(source)","start":"\#(start)au","#
        + #""end":"\#(start + scenario.units)au","output":"clips/\#(turn).mp4"}"# + "\n"
    }
    return Data(lines.joined().utf8)
  }
}

extension Scenario {
  var usesManifest: Bool {
    [.probe("batch"), .probe("manifest"), .batchRun].contains(subject)
  }

  /// Operations that are counted, and twice as many once more: what the difference says of one is without the start.
  var counted: Int {
    switch group {
    case .examining: 1
    case .clipLength where units > 10_000: 1
    case .sourceLength where media.units > 10_000 && media.shape != .regular: 2
    default: min(count, usesManifest ? 500 : 100)
    }
  }
}

extension Child {
  /// Its own times, a share for each of some operations.
  fileprivate func turn(over count: Int) -> Workbench.Turn {
    Workbench.Turn(wall: wall / Double(count), core: core / Double(count), each: ([], []))
  }

  fileprivate var sourceByteCount: Int {
    get throws {
      let object = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
      guard let size = object?["bytes"] as? Int else {
        throw BenchError("kerfless inspect does not tell the size")
      }
      return size
    }
  }
}
