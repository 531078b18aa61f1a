/// What a scenario came to.
struct Measurement: Codable {
  let name: String
  let title: String
  let group: Scenario.Group
  /// The name of the file system, and which of the places it is.
  let fileSystem: String
  let place: Place.Kind
  let method: String
  /// Access units of an operation and of the source.
  let units: Int
  let sourceUnits: Int
  /// Bytes of an operation's payload.
  let bytes: Int
  /// Microseconds an operation, by the clock on the wall and on a core.
  let wall: Distribution
  let core: Distribution
  /// The floor's microseconds an operation; nil where there is no floor.
  let floorWall: Double?
  let floorCore: Double?
  /// floor / kerfless, paired: 1 is as fast, 0.5 takes twice as long.
  let wallRatio: Estimate?
  let coreRatio: Estimate?
  let counts: Counts
}

extension Measurement {
  /// Operations, access units, and bytes of payload in a second, by the clock on the wall.
  var operationsPerSecond: Double { wall.p50 > 0 ? 1e6 / wall.p50 : 0 }
  var unitsPerSecond: Double? { units > 0 ? operationsPerSecond * Double(units) : nil }
  /// Nil, too, where blocks are shared: those bytes stay where they are.
  var gigabytesPerSecond: Double? {
    bytes > 0 && !sharesBlocks ? operationsPerSecond * Double(bytes) / 1e9 : nil
  }

  /// Whether most of a clip is its source's blocks, so that hardly a byte moves. In memory nothing is written to a disk.
  var sharesBlocks: Bool {
    guard place != .memory, fileSystem != "tmpfs", !method.isEmpty, method != "gather" else { return false }
    guard let written = counts.bytesWritten else { return method == "clone" }
    return written < Double(bytes) / 2
  }

  /// The title, and whether its rates are those of bytes that stay where they are.
  var label: String { sharesBlocks ? title + ", blocks shared" : title }
}

/// Times both sides of a scenario in turns.
struct PairedTiming {
  private(set) var ours: [Workbench.Turn] = []
  private(set) var floors: [Workbench.Turn] = []

  /// Runs pairs; which side comes first is left to chance. One run of each goes ahead and does not count.
  init(_ bench: Workbench, pairs: Int, random: inout SplitMix64) throws {
    _ = try bench.run()
    _ = try bench.runFloor()
    for _ in 0..<pairs {
      let oursFirst = Bool.random(using: &random)
      if oursFirst { ours.append(try bench.run()) }
      if let floor = try bench.runFloor() { floors.append(floor) }
      if !oursFirst { ours.append(try bench.run()) }
    }
  }

  var wallRatios: [Double] { zip(ours, floors).map { $1.wall / max($0.wall, 0.001) } }
  var coreRatios: [Double] { zip(ours, floors).map { $1.core / max($0.core, 0.001) } }
}

extension Measurement {
  /// Throws when nothing was timed.
  init(_ bench: Workbench, _ timing: PairedTiming, _ counts: Counts) throws {
    let scenario = bench.scenario
    func all(_ each: (Workbench.Turn) -> [Double], _ mean: (Workbench.Turn) -> Double) -> Distribution? {
      let own = timing.ours.flatMap(each)
      return Distribution(own.isEmpty ? timing.ours.map(mean) : own)
    }
    guard let wall = all({ $0.each.wall }, { $0.wall }), let core = all({ $0.each.core }, { $0.core }) else {
      throw BenchError("\(scenario.name) was not timed")
    }
    name = scenario.name
    title = scenario.title
    group = scenario.group
    fileSystem = bench.place.name
    place = scenario.place
    method = scenario.movesBytes ? scenario.method : ""
    units = scenario.unitsOfOperation
    sourceUnits = scenario.media.units
    bytes = scenario.movesBytes || scenario.group == .examining ? units * SourceMedia.unitByteCount : 0
    self.wall = wall
    self.core = core
    floorWall = timing.floors.map(\.wall).median
    floorCore = timing.floors.map(\.core).median
    wallRatio = Estimate(timing.wallRatios)
    coreRatio = Estimate(timing.coreRatios)
    self.counts = counts
  }
}

extension Scenario {
  /// Whether clips are written.
  fileprivate var movesBytes: Bool { floor != .none }

  /// Access units that an operation is about; 0 where it is not about any.
  fileprivate var unitsOfOperation: Int {
    switch subject {
    case .probe("open"), .probe("manifest"), .start: 0
    case .probe("scan"), .probe("verify"): media.units
    default: units
    }
  }
}
