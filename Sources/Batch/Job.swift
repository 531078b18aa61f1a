public import Remuxing
public import SystemIO

/// One output of a batch, and the segments that it is made of.
public struct Job: Sendable {
  /// A range of a source.
  public struct Segment: Sendable {
    /// The source.
    public let source: FilePath
    /// The range.
    public let range: TimeRange
    /// The track id, where one is asked for.
    public let trackID: UInt32?
  }

  /// The line of the manifest, from 1.
  public let line: Int
  /// What it is called; unique in its manifest.
  public let id: String
  /// The segments, at least one.
  public let segments: [Segment]
  /// How they are cut.
  public let cutting: CutOptions
  /// Where the output goes.
  public let output: FilePath
  /// What the output is.
  public let form: OutputForm
  /// Bytes of its line.
  let byteCount: Int
}
