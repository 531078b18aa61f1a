public import ByteParsing

/// One `traf` of a `moof`: the runs of one track.
public struct TrackFragment: Sendable {
  /// `tfhd`.
  public let header: TrackFragmentHeader
  /// `tfdt`: ticks of the media's timescale at which the fragment's first sample is decoded, where it is given.
  public let decodeTime: UInt64?
  /// The runs, in order.
  public let runs: [TrackRun]

  /// Parses the boxes inside `traf`.
  ///
  /// Throws when `tfhd` is missing or one of them is malformed.
  public init(parsing box: Box, in bytes: RawSpan) throws(ParsingError) {
    var header: TrackFragmentHeader?
    var decodeTime: UInt64?
    var runs: [TrackRun] = []
    try bytes.forEachBox(in: box.payload) { (child) throws(ParsingError) in
      var cursor = bytes.cursor(child.payload)
      switch child.type {
      case "tfhd": header = try TrackFragmentHeader(parsing: &cursor)
      case "tfdt":
        let version = try FullBoxHeader(parsing: &cursor).version
        decodeTime = try cursor.readVersioned(version)
      case "trun": runs.append(try TrackRun(parsing: &cursor))
      default: break
      }
    }
    guard let header else { throw .malformed("traf has no tfhd", at: box.offset) }
    self.header = header
    self.decodeTime = decodeTime
    self.runs = runs
  }
}

/// `moof`: the fragments of some tracks, whose samples lie in the `mdat` behind it.
///
/// Source: ISO/IEC 14496-12, 8.8.4 to 8.8.8.
public struct MovieFragment: Sendable {
  /// Absolute offset of the box.
  public let offset: Int
  /// Its track fragments, in order.
  public let tracks: [TrackFragment]

  /// Parses the boxes inside `moof`.
  public init(parsing box: Box, in bytes: RawSpan) throws(ParsingError) {
    var tracks: [TrackFragment] = []
    do throws(ParsingError) {
      try bytes.forEachBox(in: box.payload) { (child) throws(ParsingError) in
        if child.type == "traf" { tracks.append(try TrackFragment(parsing: child, in: bytes)) }
      }
    } catch {
      throw error.inside("moof")
    }
    offset = box.offset
    self.tracks = tracks
  }
}
