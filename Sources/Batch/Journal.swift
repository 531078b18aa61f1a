import Remuxing
import Synchronization
import SystemIO

/// What a run has begun and done, on disk, so that another one can go on.
///
/// Jobs are written down before they are begun. That they are done is written down once it is as durable as was asked for.
final class Journal: Sendable {
  /// Bytes of lines that may wait for a checkpoint.
  private static let pendingByteCount = 2 << 20

  private struct State: ~Copyable {
    var pending = JournalLines()
    /// Bytes that have been appended.
    var written = 0
  }

  private let file: AppendFile
  private let index: JournalIndex
  /// How durable jobs are when they are recorded.
  let durability: BatchDurability
  private let boot = Host.bootID
  private let state = Mutex(State())
  /// Of the bytes appended, those that are known to be on the disk.
  private let synchronised = Mutex(0)

  /// Takes over what earlier runs did, and starts this run in its own file.
  ///
  /// Throws when the file cannot be written.
  init(
    _ file: AppendFile, _ index: JournalIndex, shard: Shard, manifest: UInt64?, durability: BatchDurability
  ) throws(Failure) {
    self.file = file
    self.index = index
    self.durability = durability
    var lines = JournalLines()
    lines.header(shard, manifest: manifest)
    try append(lines.bytes)
  }

  /// What earlier runs did with a job.
  func entry(for job: Job) -> JournalIndex.Entry { index.entry(for: job.claim) }

  /// Writes down that jobs are begun.
  func begin(_ jobs: [Job]) throws(Failure) {
    guard !jobs.isEmpty else { return }
    var lines = JournalLines()
    lines.begin(jobs)
    let end = try append(lines.bytes)
    if durability != .none { try synchronise(upTo: end) }
  }

  /// Takes down what became of jobs.
  ///
  /// Returns whether so much waits for a checkpoint that one is due.
  func record(_ outcomes: [(job: Job, outcome: JobOutcome)]) throws(Failure) -> Bool {
    guard durability == .group else {
      var lines = JournalLines()
      for entry in outcomes { lines.outcome(entry.outcome, of: entry.job) }
      _ = try append(lines.closed(durability, boot: boot))
      return false
    }
    return state.withLock { state in
      for entry in outcomes { state.pending.outcome(entry.outcome, of: entry.job) }
      return state.pending.bytes.count >= Self.pendingByteCount
    }
  }

  /// Takes down that a job failed, at once: what is at its output's name is not its own, whatever ends the run now.
  func recordFailure(_ outcome: JobOutcome, of job: Job) throws(Failure) {
    var lines = JournalLines()
    lines.outcome(outcome, of: job)
    try append(lines.closed(.none, boot: boot))
  }

  /// The lines that wait, for a checkpoint to write once everything up to now is on the disk.
  func takePending() -> JournalLines {
    state.withLock { state in
      defer { state.pending = JournalLines() }
      return state.pending
    }
  }

  /// Writes lines that waited.
  func commit(_ lines: JournalLines, as durability: BatchDurability) throws(Failure) {
    let bytes = lines.closed(durability, boot: boot)
    guard !bytes.isEmpty else { return }
    let end = try append(bytes)
    if durability != .none { try synchronise(upTo: end) }
  }

  /// Returns how many bytes this run has appended.
  @discardableResult private func append(_ bytes: [UInt8]) throws(Failure) -> Int {
    do throws(SystemError) {
      return try state.withLock { (state) throws(SystemError) in
        try file.append(bytes)
        state.written += bytes.count
        return state.written
      }
    } catch {
      throw Failure(error)
    }
  }

  /// One lane waits for the disk on behalf of all that have come until then.
  private func synchronise(upTo end: Int) throws(Failure) {
    do throws(SystemError) {
      try synchronised.withLock { (synchronised) throws(SystemError) in
        guard synchronised < end else { return }
        let written = state.withLock { $0.written }
        try file.synchronise()
        synchronised = written
      }
    } catch {
      throw Failure(error)
    }
  }
}
