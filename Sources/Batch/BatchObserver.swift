/// Sees a batch while it runs.
public protocol BatchObserver: Sendable {
  /// Called by the lanes, several at a time, with what became of some jobs.
  func finished(_ outcomes: [JobOutcome])
  /// Called now and then, by one thread.
  func progressed(_ progress: BatchProgress)
}

/// How far a batch has come.
public struct BatchProgress: Sendable {
  /// What has been counted so far.
  public let tally: Tally
  /// Nanoseconds since the start.
  public let nanoseconds: Int
  /// The share of the jobs that is over, from 0 to 1: the share that has been read of the manifest tells how many there
  /// are. Nil where its length is not known.
  public let share: Double?
}
