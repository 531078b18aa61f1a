public import ByteParsing

/// `tkhd`: a track's number and place in the presentation (ISO/IEC 14496-12, 8.3.2).
public struct TrackHeader: Equatable, Sendable {
  /// Bit 0 of the flags: the track is enabled.
  public var isEnabled: Bool
  /// When the track was made.
  public var times: MovieTimes
  /// The track's number; 0 in no right file.
  public var trackID: UInt32
  /// Length in ticks of the movie's timescale, after the edit list; nil when unknown.
  public var duration: UInt64?

  /// A header from its parts.
  public init(isEnabled: Bool, times: MovieTimes, trackID: UInt32, duration: UInt64?) {
    self.isEnabled = isEnabled
    self.times = times
    self.trackID = trackID
    self.duration = duration
  }

  /// Parses the payload of `tkhd`, version 0 or 1.
  public init(parsing cursor: inout ByteCursor) throws(ParsingError) {
    let full = try FullBoxHeader(parsing: &cursor)
    isEnabled = full.flags & 1 == 1
    times = try MovieTimes(parsing: &cursor, version: full.version)
    trackID = try cursor.read()
    try cursor.skip(4)
    duration = try cursor.readDuration(full.version)
  }

  /// Appends the box, as an audio track's, in version 1 only where a number needs it.
  public func write(to boxes: inout BoxWriter) {
    let version = headerVersion(holding: times.largest, duration ?? 0)
    boxes.fullBox("tkhd", version: version, flags: isEnabled ? 3 : 2) { writer in
      times.write(to: &writer, version: version)
      writer.put(trackID)
      writer.putZeros(4)
      writer.putDuration(duration, version)
      writer.putZeros(8 + 2 + 2)
      writer.put(UInt16(0x0100))
      writer.putZeros(2)
      writer.putUnityMatrix()
      writer.putZeros(8)
    }
  }
}
