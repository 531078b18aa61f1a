public import SystemIO

/// How a batch is run.
public struct BatchOptions: Sendable {
  /// Jobs that are run at the same time.
  public var laneCount = Processors.usable
  /// How payload is moved.
  public var method = CopyMethod.auto
  /// How outputs are made.
  public var output = OutputOptions()
  /// How often a job that failed temporarily is tried again.
  public var retries = 0
  /// Failures after which no further job is started; nil for no bound.
  public var maximumFailures: Int?
  /// Sources that are kept open.
  public var openSources = 64

  /// As many lanes as processors, nothing tried again, failures do not stop the others.
  public init() {}
}
