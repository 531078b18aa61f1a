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
  /// What is worth knowing about the file as a whole.
  public let findings: [Finding]

  /// Opens a file and tells what it is.
  ///
  /// Throws `Failure` when it cannot be read, is neither MP4 nor an (E-)AC-3 stream, or its movie box is malformed.
  public convenience init(opening path: FilePath) throws(Failure) {
    let file = try operating { () throws(SystemError) in try MappedFile(path: path) }
    switch try ContentKind(of: file) {
    case .elementary(let byteOrder):
      let track = try AudioTrack(elementary: file, byteOrder: byteOrder)
      self.init(
        file, .elementaryStream, [NumberedTrack(id: 1, isEnabled: true, content: .dolby(track))], findings: []
      )
    case .movie:
      try self.init(movie: file)
    }
  }

  private init(_ file: MappedFile, _ container: Container, _ tracks: [NumberedTrack], findings: [Finding]) {
    self.file = file
    self.container = container
    self.tracks = tracks
    self.findings = findings
  }

  private convenience init(movie file: MappedFile) throws(Failure) {
    let boxes = try TopLevelBoxes(of: file)
    guard let box = boxes.movie else {
      if let cutOff = boxes.cutOff { throw Failure(cutOff, in: file.path) }
      throw Failure(
        .inputMalformed,
        boxes.firstFragment == nil ? "there is no moov box" : "there are fragments and no moov box",
        path: file.path,
        advice: boxes.firstFragment == nil
          ? "get a complete copy: the recording or download may have been cut short"
          : "put the initialisation segment in front of the media segments")
    }
    let movie = try parsing(file.path) { () throws(ParsingError) in try Movie(parsing: box, in: file.bytes) }
    let isFragmented = movie.hasFragments || boxes.firstFragment != nil
    var tracks: [NumberedTrack] = []
    for track in movie.tracks {
      tracks.append(
        NumberedTrack(
          id: track.header.trackID, isEnabled: track.header.isEnabled,
          content: Self.content(of: track, movie: movie.header, in: file, isFragmented: isFragmented)))
    }
    for track in movie.brokenTracks {
      tracks.append(
        NumberedTrack(
          id: track.trackID, isEnabled: false, content: .broken(Failure(track.error, in: file.path))))
    }
    self.init(file, isFragmented ? .fragmentedMP4 : .mp4, tracks, findings: [])
  }

  private static func content(
    of track: Track, movie: MovieHeader, in file: MappedFile, isFragmented: Bool
  ) -> Content {
    let boxes = track.sampleTable.description.entries
    let entry = boxes[0]
    switch entry.type {
    case "ec-3", "ac-3":
      do throws(Failure) {
        return .dolby(try AudioTrack(track, movie: movie, in: file, isFragmented: isFragmented))
      } catch {
        return .broken(error)
      }
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

/// What a file's first bytes say it is.
private enum ContentKind {
  case elementary(ByteOrder)
  case movie

  init(of file: MappedFile) throws(Failure) {
    let head = try operating { () throws(SystemError) in try file.read(at: 0, count: 12) }
    guard head.count >= 2 else {
      throw Failure(
        .inputMalformed, head.isEmpty ? "the file is empty" : "the file has one byte", path: file.path,
        offset: 0,
        advice: "get an undamaged copy of the file")
    }
    switch head.rawBytes.bigEndian(UInt16.self, at: 0) {
    case SyncFrameOutline.syncWord:
      self = .elementary(.bigEndian)
      return
    case SyncFrameOutline.swappedSyncWord:
      self = .elementary(.littleEndian)
      return
    default: break
    }
    if let known = Self.foreign(head) {
      throw Failure(
        .unsupported, "this is \(known)", path: file.path, offset: 0,
        advice: "give an MP4 file or an elementary AC-3 or E-AC-3 stream")
    }
    guard head.count >= 8, FourCC(rawValue: head.rawBytes.bigEndian(UInt32.self, at: 4)).isPrintable else {
      throw Failure(
        .inputMalformed, "this is neither an MP4 file nor an AC-3 or E-AC-3 stream", path: file.path,
        offset: 0,
        advice: "check that it is the right file")
    }
    self = .movie
  }

  private static func foreign(_ head: [UInt8]) -> String? {
    let magics: [([UInt8], String)] = [
      ([0x1a, 0x45, 0xdf, 0xa3], "Matroska or WebM"), (Array("RIFF".utf8), "a RIFF (WAV or AVI) file"),
      (Array("OggS".utf8), "an Ogg file"), (Array("fLaC".utf8), "a FLAC file"),
      (Array("caff".utf8), "a CAF file"),
      ([0x00, 0x00, 0x01, 0xba], "an MPEG program stream"), ([0xac, 0x40], "an AC-4 stream"),
      ([0xac, 0x41], "an AC-4 stream"), ([0x47, 0x40], "an MPEG transport stream"),
      ([0x04, 0x22, 0x4d, 0x18], "an LZ4 frame"),
    ]
    return magics.first { head.starts(with: $0.0) }?.1
  }
}
