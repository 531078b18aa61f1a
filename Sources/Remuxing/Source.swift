public import ByteParsing
import EnhancedAC3
import ISOMedia
public import SystemIO

/// What holds the audio, told by content and not by name.
public enum Container: String, Sendable {
  case mp4
  case fragmentedMP4 = "fragmented-mp4"
  case elementaryStream = "elementary-stream"
}

/// An opened input: one file, its container and its tracks.
///
/// Opening reads headers and tables; of the payload it touches the first access unit of each Dolby track. An elementary
/// stream has no tables, so its frame headers are walked once.
public final class Source: Sendable {
  /// What a track is.
  public enum Content: Sendable {
    /// AC-3 or E-AC-3 in the clear.
    case dolby(AudioTrack)
    /// AC-4, which cannot be cut.
    case ac4(sampleCount: Int)
    /// Encrypted; the coding behind it, where the entry says so.
    case encrypted(FourCC?)
    /// Anything else: the handler and the sample entry.
    case other(handler: FourCC, entry: FourCC)
    /// It could not be parsed.
    case broken(Failure)
  }

  /// A track by its number.
  public struct NumberedTrack: Sendable {
    /// The track id; nil where it could not be parsed. 1 for an elementary stream.
    public let id: UInt32?
    /// Whether the track is enabled.
    public let isEnabled: Bool
    /// What it is.
    public let content: Content
  }

  /// The mapped file.
  public let file: MappedFile
  /// MP4, fragmented MP4 or elementary stream.
  public let container: Container
  /// All tracks, in file order.
  public let tracks: [NumberedTrack]
  /// Those of AC-3 or E-AC-3 in the clear.
  let dolbyTracks: [NumberedTrack]
  /// What is worth knowing about the file as a whole.
  public let findings: [Finding]

  /// Opens a file and tells what it is.
  ///
  /// Throws `Failure` when it cannot be read, is neither MP4 nor an (E-)AC-3 stream, or its movie box is malformed.
  public convenience init(opening path: FilePath) throws(Failure) {
    try self.init(of: try operating { () throws(SystemError) in try MappedFile(path: path) })
  }

  /// Tells what a mapped file is.
  convenience init(of file: MappedFile) throws(Failure) {
    do throws(Failure) {
      let head = try operating { () throws(SystemError) in
        try file.read(at: 0, count: TopLevelBoxes.headByteCount)
      }
      switch try ContentKind(head, of: file) {
      case .elementary(let byteOrder, let start):
        let track = try AudioTrack(elementary: file, from: start, byteOrder: byteOrder)
        let numbered = NumberedTrack(id: 1, isEnabled: true, content: .dolby(track))
        self.init(file, .elementaryStream, [numbered], findings: [])
      case .movie:
        try self.init(movie: file, head: head)
      }
    } catch {
      throw file.explain(error)
    }
  }

  private init(_ file: MappedFile, _ container: Container, _ tracks: [NumberedTrack], findings: [Finding]) {
    self.file = file
    self.container = container
    self.tracks = tracks
    dolbyTracks = tracks.filter { if case .dolby = $0.content { true } else { false } }
    self.findings = findings
  }

  private convenience init(movie file: MappedFile, head: [UInt8]) throws(Failure) {
    let boxes = try TopLevelBoxes(of: file, head: head)
    guard let box = boxes.movie else {
      if let cutOff = boxes.cutOff { throw Failure(cutOff, in: file.path) }
      throw Failure(
        .inputMalformed,
        boxes.fragments.isEmpty ? "there is no moov box" : "there are fragments and no moov box",
        path: file.path,
        advice: boxes.fragments.isEmpty
          ? "get a complete copy: the recording or download may have been cut short"
          : "put the initialisation segment in front of the media segments")
    }
    let movie = try parsing(file.path) { () throws(ParsingError) in try Movie(parsing: box, in: file.bytes) }
    let isFragmented = movie.extends != nil || !boxes.fragments.isEmpty
    let fragments = isFragmented ? try Self.fragments(boxes.fragments, of: movie, in: file) : [:]
    var tracks: [NumberedTrack] = []
    for track in movie.tracks {
      tracks.append(
        NumberedTrack(
          id: track.header.trackID, isEnabled: track.header.isEnabled,
          content: Self.content(
            of: track, movie: movie.header, fragments: fragments[track.header.trackID], in: file)))
    }
    for track in movie.brokenTracks {
      tracks.append(
        NumberedTrack(
          id: track.trackID, isEnabled: false, content: .broken(Failure(track.error, in: file.path))))
    }
    var findings: [Finding] = []
    if let cutOff = boxes.cutOff {
      findings.append(Finding(.fileTruncated, .error, "the file is cut off: \(cutOff.message)"))
    }
    if boxes.foreignTail > 0 {
      findings.append(Finding(.fileTail, .warning, "the last \(boxes.foreignTail) bytes are no box"))
    }
    self.init(file, isFragmented ? .fragmentedMP4 : .mp4, tracks, findings: findings)
  }

  /// What the fragments hold of each Dolby track, from one pass over them.
  private static func fragments(
    _ boxes: [Box], of movie: Movie, in file: MappedFile
  ) throws(Failure) -> [UInt32: FragmentedSamples] {
    try parsing(file.path) { () throws(ParsingError) in
      let bytes = file.bytes
      var ends: [UInt32: Int] = [:]
      for track in movie.tracks where track.isDolby {
        ends[track.header.trackID] = try track.sampleTable.timeToSample.totalTicks(in: bytes)
      }
      var tracks = FragmentedTracks(ends: ends, extends: movie.extends ?? [])
      for box in boxes { try tracks.append(try MovieFragment(parsing: box, in: bytes), in: bytes) }
      return tracks.samples
    }
  }

  private static func content(
    of track: Track, movie: MovieHeader, fragments: FragmentedSamples?, in file: MappedFile
  ) -> Content {
    let entry = track.sampleTable.description.entries[0]
    if track.isDolby {
      do throws(Failure) {
        return .dolby(try AudioTrack(track, movie: movie, fragments: fragments, in: file))
      } catch {
        return .broken(error)
      }
    }
    switch entry.type {
    case "ac-4":
      return .ac4(sampleCount: track.sampleTable.sampleCount)
    case "enca":
      let format = try? AudioSampleEntry(parsing: entry, in: file.bytes).originalFormat(in: file.bytes)
      return .encrypted(format ?? nil)
    default:
      return .other(handler: track.handler.type, entry: entry.type)
    }
  }
}

extension Track {
  /// Whether any of its sample entries is AC-3 or E-AC-3 in the clear.
  fileprivate var isDolby: Bool {
    sampleTable.description.entries.contains { $0.type == "ec-3" || $0.type == "ac-3" }
  }
}
