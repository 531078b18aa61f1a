import Remuxing
import SystemIO

/// Runs jobs: opens their sources, plans, writes unless it is only to be checked; again where that may help.
struct JobRunner: Sendable {
  let rules: PathRules
  let sources: SourceCache
  let folders: FolderCache
  let writer: PlanWriter
  let options: OutputOptions
  let purpose: BatchPurpose
  let retries: Retries
  /// Whether a journal keeps what becomes of jobs.
  let isRecorded: Bool
  let stop: Stop

  /// Plans the first of some jobs, up to one that cannot be planned; why is told when that is run.
  ///
  /// Where descriptors are short no plan holds any before it is written.
  func plan(_ jobs: some Sequence<Job>, ahead: inout PlansAhead) {
    guard !sources.areShort else { return }
    ahead.begin(generation: sources.generation)
    for job in jobs where !stop.isRequested {
      let start = ContinuousClock.now
      guard ahead.hasRoom(for: job) else { return }
      let output = Result { () throws(Failure) in try plan(job) }
      ahead.append(PlansAhead.Element(output: output, nanoseconds: start.nanosecondsToNow), for: job)
      if case .failure = output { return }
    }
  }

  /// Runs a job and tells what became of it. Its plan comes first in `ahead`, if there is any.
  func run(_ job: Job, replacingExisting: Bool, ahead: inout PlansAhead) -> JobOutcome {
    let start = ContinuousClock.now
    // Another lane may have found that a source has changed, or descriptors short.
    ahead.requireCurrent(generation: sources.generation)
    var planned = ahead.next()
    let planning = planned?.nanoseconds ?? 0
    var attempt = 0
    var hasLostFolder = false
    while true {
      let ending: JobOutcome.Ending
      do throws(Failure) {
        let output = if let made = planned.take() { try made.output.get() } else { try plan(job) }
        ending = .done(try deliver(output, of: job, replacingExisting: replacingExisting))
        retries.noteDone()
      } catch {
        // The others may hold descriptors that are short now, or the same source.
        ahead.removeAll()
        forgetSources(of: job, after: error)
        // Descriptors may be short because sources are kept open.
        if error.code == .descriptors, !stop.isRequested, sources.shrink() { continue }
        // The folder was there a moment ago.
        if error.code == .targetUnavailable, !hasLostFolder, purpose == .run, !job.output.folder.exists {
          hasLostFolder = true
          folders.forget(for: job.output)
          continue
        }
        if !stop.isRequested, let pause = retries.pause(after: error, attempt: attempt) {
          stop.wait(milliseconds: pause)
          attempt += 1
          continue
        }
        ending = .failed(error)
        stop.noteFailure()
      }
      return JobOutcome(of: job, ending, nanoseconds: planning + start.nanosecondsToNow)
    }
  }

  private func plan(_ job: Job) throws(Failure) -> PlannedOutput {
    var requests: [SegmentRequest] = []
    requests.reserveCapacity(job.segments.count)
    for segment in job.segments {
      let source = try sources.source(at: segment.source)
      requests.append(SegmentRequest(source: source, range: segment.range, trackID: segment.trackID))
    }
    return try OutputPlanner(options: job.cutting, form: job.form).plan(requests)
  }

  private func deliver(
    _ planned: PlannedOutput, of job: Job, replacingExisting: Bool
  ) throws(Failure) -> Delivery {
    try rules.requireInside(job.output)
    var transfer: TransferReport?
    switch purpose {
    case .run: transfer = try write(planned.plan, of: job, replacingExisting)
    case .check: try check(job.output)
    }
    return Delivery(
      byteCount: planned.plan.byteCount, stamp: isRecorded ? OutputStamp(of: planned.plan) : nil,
      accessUnitCount: planned.accessUnitCount, transfer: transfer,
      findings: planned.findings)
  }

  private func write(
    _ plan: Plan, of job: Job, _ replacesExisting: Bool
  ) throws(Failure) -> TransferReport {
    // Under another name it may be what an earlier job has read, and a later one will.
    if replacesExisting, let existing = FileIdentity(of: job.output), sources.contains(existing) {
      throw Failure(SystemError(.createTarget, job.output, .targetIsSource))
    }
    try folders.require(for: job.output)
    var options = options
    options.replacesExisting = replacesExisting
    return try writer.write(plan, to: .file(job.output, options))
  }

  /// Throws where the output can never be written; that it exists may be wanted.
  private func check(_ output: FilePath) throws(Failure) {
    try folders.check(for: output)
    guard output.folder.exists else { return }
    var options = options
    options.replacesExisting = true
    do throws(SystemError) {
      try OutputFile.check(output, options: options, sources: [])
    } catch {
      throw Failure(error)
    }
  }

  /// A mapping that has changed under us or could not be read is never used again.
  private func forgetSources(of job: Job, after failure: Failure) {
    guard failure.code == .sourceChanged || failure.code == .inputOutput else { return }
    for segment in job.segments { sources.forget(segment.source) }
  }
}
