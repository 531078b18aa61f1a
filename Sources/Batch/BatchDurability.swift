/// What is forced to the disk before a job of a batch is recorded as done.
public enum BatchDurability: String, CaseIterable, Sendable {
  /// Nothing.
  case none
  /// The output and the entry in its folder.
  case file
  /// The file systems of all outputs, now and then, and at the end.
  case group
}
