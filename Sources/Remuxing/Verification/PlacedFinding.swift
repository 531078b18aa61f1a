/// Where in a file something was found.
public struct Place: Equatable, Sendable {
  /// The track.
  public var trackID: UInt32?
  /// The access unit, counted from the track's first.
  public var accessUnit: Int?
  /// Absolute offset in the file, in bytes.
  public var offset: Int?
  /// The boxes around it: "moov/trak/mdia".
  public var boxPath: String?

  /// A place from what is known of it.
  public init(trackID: UInt32? = nil, accessUnit: Int? = nil, offset: Int? = nil, boxPath: String? = nil) {
    self.trackID = trackID
    self.accessUnit = accessUnit
    self.offset = offset
    self.boxPath = boxPath
  }
}

/// A finding, its place, and the program that is known to write such a thing.
public struct PlacedFinding: Equatable, Sendable {
  /// What was found.
  public let finding: Finding
  /// Where.
  public let place: Place
  /// Who writes it so: "FFmpeg before 8"; nil where that is not known.
  public let writer: String?

  init(_ finding: Finding, at place: Place = Place(), writer: String? = nil) {
    self.finding =
      writer.map { Finding(finding.code, finding.severity, "\(finding.message), as \($0) writes it") }
      ?? finding
    self.place = place
    self.writer = writer
  }
}

extension Finding.Severity {
  /// Whether a file with such a finding is not as it should be. Notes never count.
  public var isFault: Bool { self != .note }
}
