public import SystemIO

/// What is done with the jobs of a batch.
public enum BatchPurpose: Sendable {
  /// Their outputs are written.
  case run
  /// Sources and ranges are looked at, and nothing is written.
  case check
}

/// How a batch is run.
public struct BatchOptions: Sendable {
  /// What is done with its jobs.
  public var purpose = BatchPurpose.run
  /// The part of the manifest that is run.
  public var shard = Shard.whole
  /// Jobs that are run at the same time.
  public var laneCount = Processors.usable
  /// How payload is moved.
  public var method = CopyMethod.auto
  /// Whether existing outputs may be replaced.
  public var replacesExisting = false
  /// How outputs get their names.
  public var publication = Publication.rename
  /// What is forced to the disk before a job is recorded as done.
  public var durability = BatchDurability.group
  /// Where what is begun and done is written down; nil for nowhere.
  public var journal: JournalFolder?
  /// How often a job that failed temporarily is tried again.
  public var retries = 0
  /// Failures after which no further job is started; nil for no bound.
  public var maximumFailures: Int?
  /// Sources that are kept open.
  public var openSources = 64

  /// As many lanes as processors, nothing tried again, failures do not stop the others.
  public init() {}

  /// How each output is made.
  var output: OutputOptions {
    var output = OutputOptions()
    output.replacesExisting = replacesExisting
    output.publication = publication
    output.durability = durability == .file ? .file : .none
    return output
  }
}
