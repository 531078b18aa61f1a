import ByteParsing
import TestSupport
import Testing

@testable import EnhancedAC3

/// A row of `Tests/Media/INDEX.tsv` about an elementary stream.
struct StreamFixture: Sendable, CustomTestStringConvertible {
  let name: String
  let fileByteCount: Int
  let unitCount: Int
  /// "320", or "variable 138..140".
  let unitByteCounts: String
  let sampleRate: Int

  var testDescription: String { name }

  /// Bytes in front of the first access unit: ID3v2 in one of the streams.
  var start: Int { name == "ddp51-id3.ec3" ? 234 : 0 }

  var byteOrder: ByteOrder { name.contains("swapped") ? .littleEndian : .bigEndian }

  static let all = Media.ownIndex.compactMap { row -> StreamFixture? in
    guard let name = row["file"], name.hasSuffix(".ec3") || name.hasSuffix(".ac3"),
      let bytes = row["bytes"].flatMap({ Int($0) }), let count = row["AUs"].flatMap({ Int($0) }),
      let sizes = row["AU_bytes"], let rate = row["rate"].flatMap({ Int($0) })
    else { return nil }
    return StreamFixture(
      name: name, fileByteCount: bytes, unitCount: count, unitByteCounts: sizes, sampleRate: rate)
  }

  static let bigEndian = all.filter { $0.byteOrder == .bigEndian }

  /// The access units that the walker finds.
  func units() throws -> [AccessUnitWalker.Unit] {
    try walk(try Media.bytes(name), from: start, byteOrder).units
  }

  /// The first access unit's bytes, big-endian.
  func firstUnit() throws -> [UInt8] {
    let bytes = try Media.bytes(name)
    let unit = try #require(try units().first)
    let own = bytes.rawBytes.extracting(unit.offset..<unit.offset + unit.byteCount)
    return byteOrder == .bigEndian ? own.copied() : own.swappingPairs()
  }
}

/// All access units, and where the walk ended.
func walk(
  _ bytes: [UInt8], from start: Int = 0, _ byteOrder: ByteOrder = .bigEndian
) throws -> (units: [AccessUnitWalker.Unit], end: Int) {
  var walker = AccessUnitWalker(bytes.rawBytes, from: start, byteOrder: byteOrder)
  var units: [AccessUnitWalker.Unit] = []
  while let unit = try walker.next() { units.append(unit) }
  return (units, walker.position)
}

/// An access unit of these frames.
func parseUnit(_ frames: [[UInt8]], origin: Int = 0) throws -> AccessUnit {
  let bytes = frames.flatMap { $0 }
  return try AccessUnit(parsing: bytes.rawBytes, origin: origin)
}
