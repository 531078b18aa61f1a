import ByteParsing

/// Where a number stands in a file, so that it can be replaced there.
public struct NumberPlace: Equatable, Sendable {
  /// Absolute offset of its first byte.
  public let offset: Int
  /// Its width: 4 or 8.
  public let byteCount: Int

  /// A place from its parts.
  public init(offset: Int, byteCount: Int) {
    self.offset = offset
    self.byteCount = byteCount
  }

  /// The bytes of another number in this width; nil when it does not fit.
  public func bytes(for value: Int) -> [UInt8]? {
    var writer = ByteWriter()
    if byteCount == 8 {
      guard let number = UInt64(exactly: value) else { return nil }
      writer.put(number)
    } else {
      guard let number = UInt32(exactly: value) else { return nil }
      writer.put(number)
    }
    return writer.bytes
  }
}

extension Box {
  /// The duration of `mvhd`, `tkhd` or `mdhd` (ISO/IEC 14496-12, 8.2.2, 8.3.2 and 8.4.2); nil for another box, or a short one.
  public func durationPlace(in bytes: RawSpan) -> NumberPlace? {
    guard !payload.isEmpty else { return nil }
    let isWide = bytes.byte(at: payload.lowerBound) == 1
    let distance: Int
    switch type {
    case "mvhd", "mdhd": distance = isWide ? 24 : 16
    case "tkhd": distance = isWide ? 28 : 20
    default: return nil
    }
    let place = NumberPlace(offset: payload.lowerBound + distance, byteCount: isWide ? 8 : 4)
    return place.offset + place.byteCount <= payload.upperBound ? place : nil
  }

  /// The segment duration of an edit of `elst` (8.6.6).
  public func segmentDurationPlace(ofEdit index: Int, in bytes: RawSpan) -> NumberPlace? {
    guard type == "elst", !payload.isEmpty else { return nil }
    let isWide = bytes.byte(at: payload.lowerBound) == 1
    let place = NumberPlace(
      offset: payload.lowerBound + 8 + index * (isWide ? 20 : 12), byteCount: isWide ? 8 : 4)
    return place.offset + place.byteCount <= payload.upperBound ? place : nil
  }
}
