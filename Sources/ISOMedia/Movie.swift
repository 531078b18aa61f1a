public import ByteParsing

/// `moov`: the movie's header and its tracks.
///
/// Source: ISO/IEC 14496-12, 8.2.
public struct Movie: Sendable {
  /// A track that could not be parsed; the others still can be used.
  public struct BrokenTrack: Sendable {
    /// Its number, where `tkhd` could be parsed.
    public let trackID: UInt32?
    /// What is wrong with it.
    public let error: ParsingError
  }

  /// `mvhd`.
  public let header: MovieHeader
  /// The tracks that could be parsed, in file order.
  public let tracks: [Track]
  /// The others.
  public let brokenTracks: [BrokenTrack]
  /// What fragments of the tracks leave out; nil where `mvex` announces none.
  public let extends: [TrackExtends]?

  /// More tracks than these are refused.
  public static let maximumTracks = 1024

  /// Parses the boxes inside `moov`.
  ///
  /// Throws when `mvhd` is missing or malformed, or when the boxes directly inside `moov` are.
  public init(parsing box: Box, in bytes: RawSpan) throws(ParsingError) {
    var header: MovieHeader?
    var tracks: [Track] = []
    var broken: [BrokenTrack] = []
    var extends: [TrackExtends]?
    do throws(ParsingError) {
      try bytes.forEachBox(in: box.payload) { (child) throws(ParsingError) in
        switch child.type {
        case "mvhd":
          var cursor = bytes.cursor(child.payload)
          header = try MovieHeader(parsing: &cursor)
        case "mvex":
          extends = try Self.extends(in: child, bytes)
        case "trak":
          guard tracks.count + broken.count < Self.maximumTracks else {
            throw .unsupported("there are more than \(Self.maximumTracks) tracks", at: child.offset)
          }
          do throws(ParsingError) {
            tracks.append(try Track(parsing: child, in: bytes))
          } catch {
            let error = error.inside("trak").inside("moov")
            broken.append(BrokenTrack(trackID: Self.trackID(of: child, in: bytes), error: error))
          }
        default: break
        }
      }
      guard let header else { throw ParsingError.malformed("moov has no mvhd", at: box.offset) }
      self.header = header
    } catch {
      throw error.inside("moov")
    }
    self.tracks = tracks
    brokenTracks = broken
    self.extends = extends
  }

  private static func extends(in box: Box, _ bytes: RawSpan) throws(ParsingError) -> [TrackExtends] {
    var found: [TrackExtends] = []
    try bytes.forEachBox(in: box.payload) { (child) throws(ParsingError) in
      guard child.type == "trex", found.count < maximumTracks else { return }
      var cursor = bytes.cursor(child.payload)
      found.append(try TrackExtends(parsing: &cursor))
    }
    return found
  }

  private static func trackID(of box: Box, in bytes: RawSpan) -> UInt32? {
    var id: UInt32?
    try? bytes.forEachBox(in: box.payload) { (child) throws(ParsingError) in
      guard child.type == "tkhd" else { return }
      var cursor = bytes.cursor(child.payload)
      id = try TrackHeader(parsing: &cursor).trackID
    }
    return id
  }
}
