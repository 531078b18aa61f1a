public import ByteParsing

/// `trex`: what the fragments of a track leave out (ISO/IEC 14496-12, 8.8.3).
public struct TrackExtends: Equatable, Sendable {
  /// The track.
  public let trackID: UInt32
  /// 1-based index of the sample entry.
  public let descriptionIndex: UInt32
  /// Ticks of the media's timescale that a sample lasts.
  public let sampleDuration: UInt32
  /// Bytes of a sample.
  public let sampleSize: UInt32

  /// Parses the payload of `trex`.
  public init(parsing cursor: inout ByteCursor) throws(ParsingError) {
    _ = try FullBoxHeader(parsing: &cursor)
    trackID = try cursor.read()
    descriptionIndex = try cursor.read()
    sampleDuration = try cursor.read()
    sampleSize = try cursor.read()
  }

  /// What holds where there is no `trex`: the first sample entry, no duration and no size.
  public init(absentFor trackID: UInt32) {
    self.trackID = trackID
    descriptionIndex = 1
    sampleDuration = 0
    sampleSize = 0
  }
}
