import Remuxing
public import SystemIO

/// A folder of journals, one file a shard, and how it is to be used.
public struct JournalFolder: Sendable {
  /// Whether what earlier runs did is to be taken over.
  public enum Use: Sendable {
    /// There must not be an earlier run.
    case fresh
    /// Jobs that have been done are left alone. The manifest must be the same.
    case resume
    /// The same, and the manifest may have been edited: jobs that have changed run again.
    case resumeEdited
  }

  private let path: FilePath
  private let use: Use

  /// A folder, which is made where it is missing.
  public init(_ path: FilePath, use: Use) {
    self.path = path
    self.use = use
  }

  /// Opens the journal of one shard, with what all shards' files say.
  ///
  /// Throws when another process writes it, when it has been used and is not to be resumed, or for another manifest.
  func open(
    _ shard: Shard, manifest: UInt64?, durability: BatchDurability
  ) throws(Failure) -> (journal: Journal, unreadableLines: Int) {
    let own = path.appending(Array("shard-\(shard.index)-of-\(shard.count).jsonl".utf8))
    do throws(SystemError) {
      try Folder.make(path)
    } catch {
      throw Failure(error)
    }
    if use == .fresh { try requireUnused(own, shard) }
    // Locked before anything is taken over: what is read shall not change meanwhile.
    let file = try Self.lock(own)
    guard use != .fresh else {
      try requireUnused(own, shard)
      return (try Journal(file, JournalIndex(), shard: shard, manifest: manifest, durability: durability), 0)
    }
    try requireNoOtherDivision(shard)
    let reader = try JournalReader(
      try Self.files(in: path), of: use == .resumeEdited ? nil : manifest,
      otherwise:
        "with --edited, jobs that are as they were are kept and the others run; or use another folder")
    let journal = try Journal(
      file, reader.index, shard: shard, manifest: manifest, durability: durability)
    return (journal, reader.unreadableLines)
  }

  /// Other shards of the same run may have started; an earlier run or another division must not have been.
  private func requireUnused(_ own: FilePath, _ shard: Shard) throws(Failure) {
    for path in try Self.files(in: path) {
      guard !Self.isOf(shard.count, path) || path == own && FileHead(of: path, count: 0)?.byteCount ?? 0 > 0
      else { continue }
      throw Failure(
        .targetExists, "the journal has been used by an earlier run", path: path,
        advice: "use --resume to go on with it, or another folder")
    }
  }

  /// No run that divides the manifest into another number of shards may be at work: some jobs would be both's.
  private func requireNoOtherDivision(_ shard: Shard) throws(Failure) {
    for path in try Self.files(in: path) where !Self.isOf(shard.count, path) { _ = try Self.lock(path) }
  }

  /// Whether a file is the journal of one of so many shards.
  private static func isOf(_ count: Int, _ path: FilePath) -> Bool {
    path.lastComponent.reversed().starts(with: "-of-\(count).jsonl".utf8.reversed())
  }

  /// Whether a file is the journal of any shard, by its name.
  private static func isJournal(_ path: FilePath) -> Bool {
    path.suffix == "jsonl" && path.lastComponent.starts(with: "shard-".utf8)
  }

  private static func lock(_ path: FilePath) throws(Failure) -> AppendFile {
    do throws(SystemError) {
      return try AppendFile(path)
    } catch  where error.isLocked {
      throw Failure(
        .journalInUse, "another run is writing this journal", path: path, advice: "wait until it has ended")
    } catch {
      throw Failure(error)
    }
  }

  /// The journals of all shards.
  static func files(in path: FilePath) throws(Failure) -> [FilePath] {
    do throws(SystemError) {
      return try Folder.names(in: path).map { path.appending($0) }.filter(isJournal)
    } catch {
      throw Failure(error)
    }
  }
}
