public import Remuxing
public import SystemIO

/// How many jobs of a journal are in which state.
public struct JournalCounts: Sendable {
  /// Jobs that `--resume` leaves alone, unless their outputs have changed.
  public internal(set) var done = 0
  /// Jobs that were begun: a run is at them, or ended before it could say more.
  public internal(set) var begun = 0
  /// Why jobs failed when they were last run.
  public internal(set) var failures = FailureCounts()
  /// Jobs that failed for a reason that another version knows.
  public internal(set) var failedOtherwise = 0

  /// Jobs that failed when they were last run.
  public var failed: Int { failures.total + failedOtherwise }
}

/// How far the runs of a journal have come.
public struct JournalStatus: Sendable {
  /// Jobs by state.
  public let counts: JournalCounts
  /// Jobs of the manifest, lines that are none included; nil where no manifest was given.
  public let jobCount: Int?
  /// Runs that are at work now.
  public let runningCount: Int
  /// The journals, and what they say together.
  let files: [FilePath]
  let index: JournalIndex
  /// Lines that are none: torn when a run was killed, or damaged.
  public let unreadableLines: Int

  /// Jobs of the manifest that no run has begun.
  public var unbegun: Int? { jobCount.map { max(0, $0 - counts.done - counts.begun - counts.failed) } }

  /// Reads all journals of a folder, and changes none.
  ///
  /// Throws when there is none, one cannot be read, or they belong to another manifest than the given one.
  public init(of folder: FilePath, manifest: InputFile?) throws(Failure) {
    files = try JournalFolder.files(in: folder)
    guard !files.isEmpty else {
      throw Failure(
        .inputMissing, "there is no journal in this folder", path: folder,
        advice: "give the one that batch run --journal was given")
    }
    runningCount = try Self.runningCount(files)
    let index = try manifest.map { (file) throws(Failure) in try PackIndex(file) } ?? nil
    let digest = try manifest.map { (file) throws(Failure) in
      try ManifestDigest.value(of: file, index: index)
    }
    let reader = try JournalReader(
      files, of: digest ?? nil, otherwise: "give the journal's own manifest, or leave it out")
    self.index = reader.index
    counts = reader.index.counts
    unreadableLines = reader.unreadableLines
    jobCount = try manifest.map { (file) throws(Failure) in try Self.jobCount(of: file, index: index) }
  }

  private static func runningCount(_ files: [FilePath]) throws(Failure) -> Int {
    var count = 0
    do throws(SystemError) {
      for file in files where try AppendFile.isHeld(file) { count += 1 }
    } catch {
      throw Failure(error)
    }
    return count
  }

  private static func jobCount(of manifest: InputFile, index: PackIndex?) throws(Failure) -> Int {
    if let index { return index.jobCount }
    var lines = try ManifestLines(manifest, ManifestPart(.whole, of: manifest, index: nil))
    var count = 0
    while try lines.next() { count += 1 }
    return count
  }
}
