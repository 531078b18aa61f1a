public import ByteParsing

/// `tfhd`: what the runs of a track fragment leave out (ISO/IEC 14496-12, 8.8.7).
public struct TrackFragmentHeader: Equatable, Sendable {
  /// The track.
  public let trackID: UInt32
  /// Absolute offset to which the runs' data offsets are relative, where it is given.
  public let baseDataOffset: UInt64?
  /// 1-based index of the sample entry, where it differs from `trex`.
  public let descriptionIndex: UInt32?
  /// Ticks that a sample lasts, where it differs from `trex`.
  public let sampleDuration: UInt32?
  /// Bytes of a sample, where it differs from `trex`.
  public let sampleSize: UInt32?
  /// Without a base data offset, whether the base is this fragment's `moof`.
  public let defaultBaseIsMoof: Bool

  /// Parses the payload of `tfhd`.
  public init(parsing cursor: inout ByteCursor) throws(ParsingError) {
    let flags = try FullBoxHeader(parsing: &cursor).flags
    trackID = try cursor.read()
    baseDataOffset = flags & 0x01 != 0 ? try cursor.read() : nil
    descriptionIndex = flags & 0x02 != 0 ? try cursor.read() : nil
    sampleDuration = flags & 0x08 != 0 ? try cursor.read() : nil
    sampleSize = flags & 0x10 != 0 ? try cursor.read() : nil
    defaultBaseIsMoof = flags & 0x2_0000 != 0
  }
}
