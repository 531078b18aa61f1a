import Remuxing

/// What a journal says of a job that is in it.
enum JournalState: Equatable {
  /// It is done, if its output is still as it was.
  case done
  /// A run is at it, or ended before it could say more.
  case begun
  /// It failed when it was last run; nil for a reason that another version knows.
  case failed(Failure.Code?)
}

/// Jobs that can be listed.
public enum JobListing: String, CaseIterable, Sendable {
  /// Those that failed when they were last run.
  case failed
  /// Those that were begun and are not over.
  case begun
  /// Those of the manifest that no run has begun, lines that are no jobs among them.
  case unbegun

  func contains(_ state: JournalState?) -> Bool {
    switch state {
    case nil: self == .unbegun
    case .begun: self == .begun
    case .failed: self == .failed
    case .done: false
    }
  }
}

/// Whether there is anything left to do.
public enum JournalVerdict: Sendable {
  /// Every job is done, and no run is at work.
  case done
  /// Jobs are left, at work, or failed and may work if tried again.
  case unfinished
  /// All that is left failed for good.
  case failed

  /// The exit code of a command that is asked for it.
  public var exitCode: Int32 {
    switch self {
    case .done: ExitStatus.done.rawValue
    case .unfinished: ExitStatus.temporary.rawValue
    case .failed: 1
    }
  }
}
