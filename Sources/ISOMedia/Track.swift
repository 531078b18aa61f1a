public import ByteParsing

/// `trak`: one track of a movie.
///
/// Source: ISO/IEC 14496-12, 8.3.
public struct Track: Sendable {
  /// The track's own box.
  public let box: Box
  /// `tkhd`.
  public let header: TrackHeader
  /// `mdhd`.
  public let mediaHeader: MediaHeader
  /// `hdlr`.
  public let handler: HandlerReference
  /// `elst`, when there is one.
  public let editList: EditList?
  /// `dref`, when there is one.
  public let dataReference: DataReference?
  /// `stbl`.
  public let sampleTable: SampleTable
  /// `elng` whole, when there is one: the extended language tag (8.4.6).
  public let extendedLanguage: Box?

  /// Parses the boxes inside `trak`.
  public init(parsing box: Box, in bytes: RawSpan) throws(ParsingError) {
    var parts = Parts()
    try bytes.forEachBox(in: box.payload) { (child) throws(ParsingError) in
      switch child.type {
      case "tkhd":
        var cursor = bytes.cursor(child.payload)
        parts.header = try TrackHeader(parsing: &cursor)
      case "edts":
        try bytes.forEachBox(in: child.payload) { (list) throws(ParsingError) in
          guard list.type == "elst" else { return }
          var cursor = bytes.cursor(list.payload)
          parts.editList = try EditList(parsing: &cursor)
        }
      case "mdia":
        try parts.parseMedia(child, in: bytes)
      default: break
      }
    }
    self.box = box
    header = try Self.require(parts.header, "tkhd", at: box.offset)
    mediaHeader = try Self.require(parts.mediaHeader, "mdia/mdhd", at: box.offset)
    handler = try Self.require(parts.handler, "mdia/hdlr", at: box.offset)
    sampleTable = try Self.require(parts.sampleTable, "mdia/minf/stbl", at: box.offset)
    editList = parts.editList
    dataReference = parts.dataReference
    extendedLanguage = parts.extendedLanguage
  }

  private static func require<T>(_ part: T?, _ name: String, at place: Int) throws(ParsingError) -> T {
    guard let part else { throw .malformed("trak has no \(name)", at: place) }
    return part
  }

  /// What has been found so far.
  private struct Parts {
    var header: TrackHeader?
    var mediaHeader: MediaHeader?
    var handler: HandlerReference?
    var editList: EditList?
    var dataReference: DataReference?
    var sampleTable: SampleTable?
    var extendedLanguage: Box?

    mutating func parseMedia(_ media: Box, in bytes: RawSpan) throws(ParsingError) {
      var parts = self
      try bytes.forEachBox(in: media.payload) { (child) throws(ParsingError) in
        var cursor = bytes.cursor(child.payload)
        switch child.type {
        case "mdhd": parts.mediaHeader = try MediaHeader(parsing: &cursor)
        case "hdlr": parts.handler = try HandlerReference(parsing: &cursor)
        case "elng":
          guard child.payload.count <= 1024 else {
            throw .malformed("elng has \(child.payload.count) bytes", at: child.offset)
          }
          parts.extendedLanguage = child
        case "minf": try parts.parseMediaInformation(child, in: bytes)
        default: break
        }
      }
      self = parts
    }

    mutating func parseMediaInformation(_ information: Box, in bytes: RawSpan) throws(ParsingError) {
      var parts = self
      try bytes.forEachBox(in: information.payload) { (child) throws(ParsingError) in
        switch child.type {
        case "stbl":
          parts.sampleTable = try SampleTable(parsing: child, in: bytes)
        case "dinf":
          try bytes.forEachBox(in: child.payload) { (reference) throws(ParsingError) in
            guard reference.type == "dref" else { return }
            parts.dataReference = try DataReference(parsing: reference.payload, in: bytes)
          }
        default: break
        }
      }
      self = parts
    }
  }
}
