/// One thing that is measured.
struct Scenario {
  /// Headings of the report.
  enum Group: String, Codable, CaseIterable {
    case source = "Opening and planning"
    case clip = "One clip"
    case bulk = "Bulk clips"
    case shapes = "Joins, exact cuts, other sources"
    case examining = "Scan and verify"
    case batch = "Manifests and batches"
    case sourceLength = "Cost against the source's length"
    case clipLength = "Cost against the clip's length"
  }

  /// What runs.
  enum Subject: Equatable {
    /// A work of the probe, `count` times in one process.
    case probe(String)
    /// `kerfless trim`, a process each time.
    case trim
    /// `kerfless --version`, a process each time: what starting and ending costs.
    case start
    /// `kerfless batch run` as users run it, `count` jobs in one process.
    case batchRun
  }

  /// The C program that does the same with offsets known beforehand.
  enum Floor {
    /// There is none: the work is not the moving of bytes.
    case none
    /// One process a clip.
    case process
    /// Many clips by one process; its start does not count.
    case bulk
  }

  /// Unique; what `--only` looks for.
  let name: String
  /// For people.
  let title: String
  let group: Group
  let subject: Subject
  var floor = Floor.none
  var place = Place.Kind.here
  var media = SourceMedia.regular(.hour)
  var method = "auto"
  /// Access units of a clip.
  var units = 312
  /// Operations a run.
  var count = 100
  /// The share by which its instructions may grow before a check fails; nil where they are not compared.
  var instructionMargin: Double? = Margin.instructions
}

extension Scenario {
  /// The first access unit that is cut: not on a block's border.
  static let first = 1

  /// Whether an operation is a process.
  var isProcess: Bool { subject == .trim || subject == .start }

  /// Clips that the source holds; after the last one comes the first again.
  var slots: Int { max(1, (media.units - Self.first) / units) }

  /// Bytes of a clip's payload.
  var payloadByteCount: Int { units * SourceMedia.unitByteCount }

  /// Where an operation's clip starts.
  func start(_ turn: Int) -> Int { Self.first + turn % slots * units }

  /// How the floor moves such a clip: runs below 128 KiB are always written, and `auto` is what the engine makes of it.
  var floorMethod: String {
    guard payloadByteCount >= 128 << 10 else { return "gather" }
    guard method == "auto" else { return method }
    switch place {
    case .xfs, .btrfs: return "clone"
    case .memory: return payloadByteCount >= 1 << 20 ? "copy" : "gather"
    case .here: return "gather"
    }
  }
}
