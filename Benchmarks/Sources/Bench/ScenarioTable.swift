/// All scenarios.
enum ScenarioTable {
  /// Those of a full run on some file systems.
  static func full(_ places: [Place.Kind]) -> [Scenario] {
    opening + clips + bulk(places, [.tenSeconds, .megabyte]) + shapes + examining + batches + sourceLengths
      + clipLengths(places)
  }

  /// Those of a short run: one of each kind, short sources.
  static func quick(_ places: [Place.Kind]) -> [Scenario] {
    let kept: Set = [
      "open", "plan", "clip-10s", "clip-1mb", "start", "process-1mb", "join", "exact", "interleaved",
      "fragmented",
      "scan",
      "verify", "manifest", "batch",
    ]
    let few = (opening + clips + shapes + examining + batches).filter { kept.contains($0.name) }
    return few + bulk(places.filter { $0 != .btrfs }, [.megabyte])
      + sourceLengths.filter { $0.media.shape == .regular }
      + clipLengths([.here]).filter { $0.units <= 31_250 }
  }

  /// What gates a change: in memory, where no disk comes between, and in less than 64 MiB of it.
  static let gate: [Scenario] = [
    gated("open", "Open a source", .source, "open", count: 200),
    gated("plan", "Plan a clip of 10 s", .source, "plan", count: 1000),
    gated("clip-10s", "Clip of 10 s in process", .clip, "clip", .bulk, count: 300),
    gated("exact-10s", "Exact clip of 10 s in process", .shapes, "exact", .bulk, count: 300),
    Scenario(
      name: "process-1mb", title: "Clip of 1 MB, a process each", group: .clip, subject: .trim,
      floor: .process,
      place: .memory, media: tenMinutes, method: "gather", units: 3125, count: 10),
    gated(
      "batch-10s", "Batch of clips of 10 s, one lane", .bulk, "batch", .bulk, count: 400,
      instructions: Margin.batchInstructions),
    gated(
      "batch-1mb", "Batch of clips of 1 MB, one lane", .bulk, "batch", .bulk, units: 3125, count: 40,
      instructions: nil),
    gated("manifest", "Read, check and pack a manifest", .batch, "manifest", count: 2000),
    gated("verify", "Verify 10 min", .examining, "verify", count: 1),
  ]

  private static let tenMinutes = SourceMedia(shape: .regular, units: 18_750)

  private static func gated(
    _ name: String, _ title: String, _ group: Scenario.Group, _ work: String, _ floor: Scenario.Floor = .none,
    units: Int = 312, count: Int, instructions: Double? = Margin.instructions
  ) -> Scenario {
    Scenario(
      name: name, title: title, group: group, subject: .probe(work), floor: floor, place: .memory,
      media: tenMinutes, method: "gather", units: units, count: count, instructionMargin: instructions)
  }

  private static let opening: [Scenario] = [
    Scenario(
      name: "open", title: "Open a source of 1 h", group: .source, subject: .probe("open"), count: 200),
    Scenario(
      name: "plan", title: "Plan a clip of 10 s", group: .source, subject: .probe("plan"), count: 1000),
  ]

  private static let clips: [Scenario] = ClipSize.allCases.flatMap(clips) + [start]

  /// Beside the processes that make a clip, and timed as those are.
  private static let start = Scenario(
    name: "start", title: "Start and end of the command, a process each", group: .clip, subject: .start,
    count: 10)

  private static func clips(_ size: ClipSize) -> [Scenario] {
    [
      Scenario(
        name: "clip-\(size.name)", title: "Clip of \(size.title) in process", group: .clip,
        subject: .probe("clip"), floor: .bulk, method: "gather", units: size.units, count: size.count),
      Scenario(
        name: "process-\(size.name)", title: "Clip of \(size.title), a process each", group: .clip,
        subject: .trim, floor: .process, method: "gather", units: size.units, count: 10),
    ]
  }

  private static func bulk(_ places: [Place.Kind], _ sizes: [ClipSize]) -> [Scenario] {
    places.flatMap { place in
      sizes.flatMap { size in
        methods(on: place, size).map { method in
          Scenario(
            name: "bulk-\(size.name)-\(method)-\(place)",
            title: "Bulk clips of \(size.title), \(method)", group: .bulk, subject: .probe("batch"),
            floor: .bulk,
            place: place, method: method, units: size.units,
            count: sharesBlocks(method, on: place, size) ? 1500 : size.count)
        }
      }
    }
  }

  private static func methods(on place: Place.Kind, _ size: ClipSize) -> [String] {
    switch place {
    case .xfs, .btrfs: size == .tenSeconds ? ["gather", "copy"] : ["gather", "copy", "clone"]
    case .here, .memory: ["gather", "copy"]
    }
  }

  /// Where a clip costs the same whatever its length, there must be more of them: a batch of some milliseconds is its start.
  private static func sharesBlocks(_ method: String, on place: Place.Kind, _ size: ClipSize) -> Bool {
    switch place {
    case .xfs, .btrfs: method != "gather" && size == .megabyte
    case .here, .memory: false
    }
  }

  private static let shapes: [Scenario] = [
    Scenario(
      name: "join", title: "Join two ranges of 5 s", group: .shapes, subject: .probe("join"), floor: .bulk,
      method: "gather", count: 300),
    Scenario(
      name: "exact", title: "Exact clip of 10 s", group: .shapes, subject: .probe("exact"), floor: .bulk,
      method: "gather", count: 300),
    Scenario(
      name: "interleaved", title: "Clip of 10 s, interleaved source", group: .shapes, subject: .probe("clip"),
      floor: .bulk, media: SourceMedia(shape: .interleaved, units: Length.hour.units), method: "gather",
      count: 300),
    Scenario(
      name: "fragmented", title: "Clip of 10 s, fragmented source", group: .shapes, subject: .probe("clip"),
      floor: .bulk, media: SourceMedia(shape: .fragmented, units: Length.hour.units), method: "gather",
      count: 300),
  ]

  private static let examining: [Scenario] = ["scan", "verify"].map { work in
    Scenario(
      name: work, title: work == "scan" ? "inspect --scan, 1 h" : "verify, 1 h", group: .examining,
      subject: .probe(work), units: Length.hour.units, count: 4)
  }

  private static let batches: [Scenario] = [
    Scenario(
      name: "manifest", title: "Read, check and pack a manifest", group: .batch, subject: .probe("manifest"),
      count: 20_000),
    Scenario(
      name: "batch", title: "batch run, a job: whole process, journal on the disk", group: .batch,
      subject: .batchRun, floor: .bulk,
      count: 2000),
  ]

  private static let sourceLengths: [Scenario] = SourceMedia.Shape.allCases.flatMap { shape in
    Length.allCases.map { length in
      Scenario(
        name: "length-\(shape)-\(length.rawValue.replacing(" ", with: ""))",
        title: "Open \(length.rawValue) and plan, \(shape)", group: .sourceLength,
        subject: .probe("open-plan"),
        media: SourceMedia(shape: shape, units: length.units), count: shape == .regular ? 300 : 10)
    }
  }

  private static func clipLengths(_ places: [Place.Kind]) -> [Scenario] {
    places.filter { $0 == .here || $0 == .xfs }.flatMap { place in
      [(31, 300), (312, 200), (3125, 40), (31_250, 8), (312_500, 2)].map { units, count in
        Scenario(
          name: "clip-length-\(units)-\(place)", title: "Clip of \(units) access units", group: .clipLength,
          subject: .probe("clip"), floor: .bulk, place: place, media: .regular(.tenHours), units: units,
          // Blocks that are shared cost next to nothing, so there can be many of the longest, too.
          count: place == .xfs ? max(count, 100) : count)
      }
    }
  }
}

/// Clips that are measured everywhere.
private enum ClipSize: CaseIterable {
  case tenSeconds
  case megabyte

  var name: String { self == .tenSeconds ? "10s" : "1mb" }
  var title: String { self == .tenSeconds ? "10 s (100 kB)" : "1 MB" }
  var units: Int { self == .tenSeconds ? 312 : 3125 }
  var count: Int { self == .tenSeconds ? 1000 : 300 }
}
