import Dispatch
public import Remuxing
import Synchronization
public import SystemIO

/// A batch: a manifest's jobs, run by lanes that share opened sources.
public final class BatchRun: Sendable {
  /// Milliseconds that a signal leaves until the process ends, whatever it waits for: see `StopSignal.note`.
  public static let graceMilliseconds: Int32 = 900
  /// Of these, what lanes get before their work is abandoned: the rest is for the journal.
  private static let workMilliseconds = 800
  private static let tickMilliseconds = 50

  /// Lines of earlier runs' journals that could not be read: torn when a run was killed, or damaged.
  public let unreadableJournalLines: Int

  private let options: BatchOptions
  private let observer: any BatchObserver
  private let chunks: ChunkRunner
  private let queue: JobQueue
  private let stop: Stop
  private let tallies: [LaneTally]
  private let reading: ManifestReading
  /// Why the run cannot go on.
  private let fault = Mutex<Failure?>(nil)

  /// A run of a manifest.
  ///
  /// Throws when the journal cannot be used, or threads cannot be made.
  public init(
    _ manifest: InputFile, rules: PathRules, options: BatchOptions, observer: any BatchObserver
  ) throws(Failure) {
    try Self.requireThreads(for: options.laneCount)
    self.options = options
    self.observer = observer
    try ManifestHead.require(manifest)
    stop = Stop(maximumFailures: options.maximumFailures)
    let index = try PackIndex(manifest)
    let opened = try options.journal.map { (folder) throws(Failure) in
      try folder.open(
        options.shard, manifest: ManifestDigest.value(of: manifest, index: index),
        durability: options.durability)
    }
    unreadableJournalLines = opened?.unreadableLines ?? 0
    let journal = opened?.journal
    let checkpoints =
      options.durability == .group && options.purpose == .run ? Checkpoints(journal: journal) : nil
    var output = options.output
    output.inputs = [manifest.identity].compactMap(\.self)
    let sources = SourceCache(capacity: options.openSources, rules: rules)
    let runner = JobRunner(
      rules: rules, sources: sources, folders: FolderCache(checkpoints: checkpoints),
      writer: PlanWriter(method: options.method), options: output, purpose: options.purpose,
      retries: Retries(limit: options.retries), isRecorded: journal != nil, stop: stop)
    chunks = ChunkRunner(runner: runner, journal: journal, checkpoints: checkpoints)
    let isWaitingForDisk = journal != nil && options.durability != .none
    queue = JobQueue(
      laneCount: options.laneCount, largestChunk: isWaitingForDisk ? Self.recordedChunk : Self.chunk)
    // One more for lines that are no jobs.
    tallies = (0...options.laneCount).map { _ in LaneTally() }
    reading = ManifestReading(
      manifest, part: ManifestPart(options.shard, of: manifest, index: index), rules: rules)
  }

  /// Dispatch has 255 threads at the most; beside the lanes there are the manifest's reader, checkpoints and progress.
  private static func requireThreads(for laneCount: Int) throws(Failure) {
    let count = min(laneCount + 3, 255)
    do throws(Errno) {
      try Threads.require(count)
    } catch {
      throw Failure(
        .resources, "\(count) threads cannot be made: \(error.text)",
        advice: "raise the limit of processes (ulimit -u, pids.max) or memory (ulimit -v), or lower --jobs")
    }
  }

  /// Jobs that a lane takes at once: more of them where it waits for the disk before it starts.
  private static let chunk = 64
  private static let recordedChunk = 256

  /// Runs all jobs and waits for them, or for a signal.
  public func run() -> BatchSummary {
    let start = ContinuousClock.now
    // Lanes end when the manifest does. On a stop nobody waits for its reader, which may be waiting for a pipe, nor for
    // an observer, which may be waiting for whoever reads what it prints.
    let work = DispatchGroup()
    let showing = DispatchGroup()
    work.enter()
    DispatchQueue(label: "kerfless.manifest").async { self.readManifest() }
    DispatchQueue(label: "kerfless.checkpoints").async {
      self.attempt { () throws(Failure) in try self.chunks.checkpoints?.keepMaking(until: work) }
    }
    DispatchQueue(label: "kerfless.progress").async(group: showing) { self.show(work, since: start) }
    // Last, as they may be more than there can be threads.
    for lane in 0..<options.laneCount {
      DispatchQueue(label: "kerfless.lane.\(lane)").async(group: work) { self.drain(lane) }
    }
    work.leave()
    let isDone = wait(for: work)
    finishJournal()
    let isAbandoned = !isDone || !wait(for: showing)
    return BatchSummary(
      tally: tally, nanoseconds: start.nanosecondsToNow, signal: StopSignal.noted,
      hasFailedTooOften: stop.hasFailedTooOften, failure: fault.withLock { $0 } ?? reading.failure,
      isAbandoned: isAbandoned)
  }

  /// Tells the observer now and then, until the work is over.
  private func show(_ work: DispatchGroup, since start: ContinuousClock.Instant) {
    while work.wait(timeout: .now() + .milliseconds(Self.tickMilliseconds)) == .timedOut {
      let tally = tally
      observer.progressed(
        BatchProgress(
          tally: tally, nanoseconds: start.nanosecondsToNow, share: reading.share(finished: tally.finished)))
    }
  }

  /// Waits for an end; false when a signal came and its time was over first.
  private func wait(for work: DispatchGroup) -> Bool {
    var remaining = Self.workMilliseconds
    while work.wait(timeout: .now() + .milliseconds(Self.tickMilliseconds)) == .timedOut {
      guard StopSignal.noted != nil else { continue }
      endEarly()
      remaining -= Self.tickMilliseconds
      if remaining <= 0 { return false }
    }
    return true
  }

  /// The last checkpoint. A signal leaves no time for it: what is done is written down as not forced to the disk.
  private func finishJournal() {
    attempt { () throws(Failure) in
      if StopSignal.noted == nil {
        try chunks.checkpoints?.make()
      } else if let journal = chunks.journal {
        try journal.commit(journal.takePending(), as: .none)
      }
    }
  }

  private func readManifest() {
    // A shard does not see the others' jobs; packing has looked at all of them.
    var duplicates = options.shard == .whole ? DuplicateFinder() : nil
    reading.forEachEntry { entry in
      let fault: JobOutcome
      switch entry {
      case .job(let job):
        guard let failure = duplicates?.failure(for: job) else { return queue.put(job) }
        fault = JobOutcome(of: job, .failed(failure), nanoseconds: 0)
      case .invalid(let line, let error):
        fault = JobOutcome(invalid: line, error)
      }
      stop.noteFailure()
      record([fault], in: tallies[options.laneCount])
      return !stop.isRequested
    }
    queue.close()
  }

  private func drain(_ lane: Int) {
    while let chunk = queue.take() {
      attempt { () throws(Failure) in record(try chunks.run(chunk), in: tallies[lane]) }
    }
  }

  private func record(_ outcomes: [JobOutcome], in lane: LaneTally) {
    lane.add(outcomes)
    observer.finished(outcomes)
    if stop.hasFailedTooOften { endEarly() }
  }

  /// Ends the run when something fails that all jobs need.
  private func attempt(_ body: () throws(Failure) -> Void) {
    do throws(Failure) {
      try body()
    } catch {
      fault.withLock { $0 = $0 ?? error }
      endEarly()
    }
  }

  private func endEarly() {
    stop.request()
    queue.discard()
  }

  private var tally: Tally {
    var sum = Tally()
    for lane in tallies { lane.addTo(&sum) }
    return sum
  }
}

/// The counts of one lane, which others may look at.
private final class LaneTally: Sendable {
  private let tally = Mutex(Tally())

  func add(_ outcomes: [JobOutcome]) {
    tally.withLock { tally in
      for outcome in outcomes { tally.add(outcome) }
    }
  }

  func addTo(_ sum: inout Tally) {
    let own = tally.withLock { $0 }
    sum.add(own)
  }

  var failed: Int { tally.withLock { $0.failed } }
}

extension ContinuousClock.Instant {
  /// Nanoseconds since then.
  var nanosecondsToNow: Int { Int((ContinuousClock.now - self) / .nanoseconds(1)) }
}
