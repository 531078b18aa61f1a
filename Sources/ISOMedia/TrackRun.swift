public import ByteParsing

/// `trun`: a run of samples that lie one behind the other (ISO/IEC 14496-12, 8.8.8).
///
/// Its table stays in the file.
public struct TrackRun: Equatable, Sendable {
  /// A field that each sample of the run has, at a fixed distance from the one of the sample before it.
  public struct Field: Equatable, Sendable {
    /// Absolute offset of the first sample's field.
    public let offset: Int
    /// Bytes from one sample's field to the next.
    public let stride: Int

    /// The field of a sample of the run.
    @inlinable
    public func value(ofSample index: Int, in bytes: RawSpan) -> Int {
      Int(bytes.bigEndian(UInt32.self, at: offset + index * stride))
    }
  }

  /// Absolute offset of the box's payload.
  public let offset: Int
  /// Samples in the run.
  public let sampleCount: Int
  /// Where the run's data start, relative to the fragment's base; nil when they follow the run before.
  public let dataOffset: Int32?
  /// Ticks that each sample lasts, where they are given.
  public let durations: Field?
  /// Bytes of each sample, where they are given.
  public let sizes: Field?

  /// Parses the payload of `trun`.
  ///
  /// Throws when the box has no room for the samples that it counts.
  public init(parsing cursor: inout ByteCursor) throws(ParsingError) {
    offset = cursor.offset
    let flags = try FullBoxHeader(parsing: &cursor).flags
    sampleCount = Int(try cursor.read(UInt32.self))
    dataOffset = flags & 0x01 != 0 ? try cursor.read() : nil
    if flags & 0x04 != 0 { try cursor.skip(4) }  // first_sample_flags
    let present = [0x100, 0x200, 0x400, 0x800].map { flags & $0 != 0 }
    let stride = 4 * present.count { $0 }
    if stride > 0 {
      guard sampleCount <= cursor.remaining / stride else {
        throw .malformed(
          "trun counts \(sampleCount) samples and has room for \(cursor.remaining / stride)",
          at: cursor.offset)
      }
    }
    durations = present[0] ? Field(offset: cursor.offset, stride: stride) : nil
    sizes = present[1] ? Field(offset: cursor.offset + (present[0] ? 4 : 0), stride: stride) : nil
  }
}
