public import ByteParsing

/// `mvhd`: the movie's clock and length (ISO/IEC 14496-12, 8.2.2).
public struct MovieHeader: Equatable, Sendable {
  /// When the movie was made.
  public var times: MovieTimes
  /// Ticks a second, never 0.
  public var timescale: UInt32
  /// Length in ticks of `timescale`; nil when unknown.
  public var duration: UInt64?
  /// A track id that no track uses.
  public var nextTrackID: UInt32

  /// A header from its parts.
  public init(times: MovieTimes, timescale: UInt32, duration: UInt64?, nextTrackID: UInt32) {
    self.times = times
    self.timescale = timescale
    self.duration = duration
    self.nextTrackID = nextTrackID
  }

  /// Parses the payload of `mvhd`, version 0 or 1.
  public init(parsing cursor: inout ByteCursor) throws(ParsingError) {
    let full = try FullBoxHeader(parsing: &cursor)
    times = try MovieTimes(parsing: &cursor, version: full.version)
    timescale = try cursor.readTimescale()
    duration = try cursor.readDuration(full.version)
    try cursor.skip(4 + 2 + 10 + 36 + 24)
    nextTrackID = try cursor.read()
  }

  /// Appends the box, in version 1 only where a number needs it.
  public func write(to boxes: inout BoxWriter) {
    let version = headerVersion(holding: times.largest, duration ?? 0)
    boxes.fullBox("mvhd", version: version) { writer in
      times.write(to: &writer, version: version)
      writer.put(timescale)
      writer.putDuration(duration, version)
      writer.put(UInt32(0x1_0000))
      writer.put(UInt16(0x0100))
      writer.putZeros(10)
      writer.putUnityMatrix()
      writer.putZeros(24)
      writer.put(nextTrackID)
    }
  }
}

extension ByteCursor {
  /// A timescale, which divides and hence must not be 0.
  @_lifetime(self: copy self)
  mutating func readTimescale() throws(ParsingError) -> UInt32 {
    let place = offset
    let value = try read(UInt32.self)
    guard value > 0 else { throw .malformed("the timescale is 0", at: place) }
    return value
  }
}
