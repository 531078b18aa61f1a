import Remuxing
import SystemIO

/// Runs a chunk of jobs: looks up what earlier runs did, writes down what is begun, and what became of it.
struct ChunkRunner: Sendable {
  let runner: JobRunner
  let journal: Journal?
  let checkpoints: Checkpoints?

  /// What is to be done with a job.
  private enum Step {
    /// Its output is there.
    case skip
    /// It is run. `isNew`: it must be written down as begun first.
    case run(replacing: Bool, isNew: Bool)
  }

  /// Runs the jobs that are left to do, none any more after a stop.
  ///
  /// Throws when the journal cannot be written.
  func run(_ chunk: [Job]) throws(Failure) -> [JobOutcome] {
    guard let journal else { return runUnrecorded(chunk) }
    let steps = chunk.map { step(for: $0, journal) }
    var begun: [Job] = []
    for (job, step) in zip(chunk, steps) {
      if case .run(_, isNew: true) = step { begun.append(job) }
    }
    try journal.begin(begun)
    var ahead = PlansAhead()
    var outcomes: [JobOutcome] = []
    var unrecorded: [(job: Job, outcome: JobOutcome)] = []
    for (index, job) in chunk.enumerated() where !runner.stop.isRequested {
      switch steps[index] {
      case .skip:
        outcomes.append(JobOutcome(of: job, .skipped, nanoseconds: 0))
      case .run(let replacing, _):
        if ahead.isEmpty {
          runner.plan(zip(chunk[index...], steps[index...]).lazy.compactMap(Self.jobToRun), ahead: &ahead)
        }
        let outcome = runner.run(job, replacingExisting: replacing, ahead: &ahead)
        outcomes.append(outcome)
        if case .failed = outcome.ending {
          try journal.recordFailure(outcome, of: job)
          continue
        }
        unrecorded.append((job, outcome))
        // Each of them has waited for the disk, so none shall have done so in vain.
        guard journal.durability == .file else { continue }
        _ = try journal.record(unrecorded)
        unrecorded.removeAll(keepingCapacity: true)
      }
    }
    if try journal.record(unrecorded) { try checkpoints?.make() }
    return outcomes
  }

  private func runUnrecorded(_ chunk: [Job]) -> [JobOutcome] {
    var ahead = PlansAhead()
    var outcomes: [JobOutcome] = []
    outcomes.reserveCapacity(chunk.count)
    for (index, job) in chunk.enumerated() where !runner.stop.isRequested {
      if ahead.isEmpty { runner.plan(chunk[index...], ahead: &ahead) }
      outcomes.append(
        runner.run(job, replacingExisting: runner.options.replacesExisting, ahead: &ahead))
    }
    return outcomes
  }

  private static func jobToRun(_ job: Job, _ step: Step) -> Job? {
    if case .run = step { job } else { nil }
  }

  private func step(for job: Job, _ journal: Journal) -> Step {
    let force = runner.options.replacesExisting
    switch journal.entry(for: job) {
    case .unknown:
      // What is there already is somebody else's, and must stay so for the next run.
      return .run(replacing: force, isNew: force || !job.output.exists)
    case .begun:
      return .run(replacing: job.output.exists, isNew: false)
    case .done(let check, let headerByteCount):
      let stamp = OutputStamp(of: job.output, headerByteCount: headerByteCount)
      if stamp?.check(jobDigest: job.digest) == check { return .skip }
      return .run(replacing: job.output.exists, isNew: true)
    }
  }
}
