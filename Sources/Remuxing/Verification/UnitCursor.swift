import ByteParsing
import ISOMedia
import SystemIO

/// Goes over the places of access units of a track, one by one.
struct UnitCursor {
  private let track: AudioTrack
  private let extents: [SampleExtent]
  private var ahead: ReadAhead
  private var position = 0
  private var inExtent = 0
  private var offset = 0
  private(set) var next: Int
  private let end: Int

  /// Throws when a part of the range lies outside the file.
  init(_ units: Range<Int>, of track: AudioTrack) throws(Failure) {
    self.track = track
    extents = try track.extents(of: units)
    ahead = ReadAhead(extents, of: track.file)
    next = units.lowerBound
    end = units.upperBound
    offset = extents.first?.offset ?? 0
  }

  /// The place of the next access unit; nil behind the last.
  mutating func advance() -> Range<Int>? {
    guard next < end, position < extents.count else { return nil }
    let size = track.index.size(of: next, in: track.file.bytes)
    let place = offset..<offset + size
    ahead.read(size)
    next += 1
    inExtent += 1
    offset = place.upperBound
    if inExtent == extents[position].sampleCount {
      position += 1
      inExtent = 0
      offset = position < extents.count ? extents[position].offset : offset
    }
    return place
  }
}
