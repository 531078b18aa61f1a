import ByteParsing
import ISOMedia

/// Where the media data of all tracks lie, to find what lies twice.
struct MediaExtents {
  private struct Extent {
    let range: Range<Int>
    let trackID: UInt32
  }

  private var extents: [Extent] = []
  private var isAscending = true
  private(set) var isComplete = true

  /// More extents than these are not compared: 24 bytes each are kept.
  private static let maximum = 1 << 21

  /// Adds a chunk or run; one that starts where the track's last one ends makes that longer.
  mutating func add(_ range: Range<Int>, of trackID: UInt32) {
    guard !range.isEmpty else { return }
    if let last = extents.last {
      if last.trackID == trackID, last.range.upperBound == range.lowerBound {
        extents[extents.count - 1] = Extent(range: last.range.lowerBound..<range.upperBound, trackID: trackID)
        return
      }
      if range.lowerBound < last.range.lowerBound { isAscending = false }
    }
    guard extents.count < Self.maximum else {
      isComplete = false
      return
    }
    extents.append(Extent(range: range, trackID: trackID))
  }

  /// Reports each extent that starts inside the one in front of it.
  func check(_ log: inout FindingLog) {
    guard isComplete else {
      log.add(
        .chunkUnchecked, .note, "there are more than \(Self.maximum) chunks; overlaps are not looked for")
      return
    }
    let sorted = isAscending ? extents : extents.sorted { $0.range.lowerBound < $1.range.lowerBound }
    var furthest: Extent?
    for extent in sorted {
      if let furthest, extent.range.lowerBound < furthest.range.upperBound {
        log.add(
          .chunkOverlap, .error,
          "media data at bytes \(extent.range.lowerBound) ..< \(extent.range.upperBound) overlap those of track \(furthest.trackID) at \(furthest.range.lowerBound) ..< \(furthest.range.upperBound)",
          at: Place(trackID: extent.trackID, offset: extent.range.lowerBound))
      }
      if extent.range.upperBound > furthest?.range.upperBound ?? -1 { furthest = extent }
    }
  }
}
