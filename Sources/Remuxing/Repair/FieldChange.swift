import ByteParsing

/// A field of a container that is put right.
public struct FieldChange: Equatable, Sendable {
  /// The boxes around it: "moov/trak/mdia/mdhd".
  public let boxPath: String
  /// The track; nil for a field of the movie.
  public let trackID: UInt32?
  /// Its name in the standard.
  public let field: String
  /// What the file has; nil where it has no such field.
  public let old: String?
  /// What the repaired file has; nil where the field is left out.
  public let new: String?
  /// What was wrong.
  public let reason: Finding.Code

  init(
    _ path: [FourCC], trackID: UInt32?, _ field: String, from old: String?, to new: String?,
    because reason: Finding.Code
  ) {
    boxPath = path.map(\.description).joined(separator: "/")
    self.trackID = trackID
    self.field = field
    self.old = old
    self.new = new
    self.reason = reason
  }
}
