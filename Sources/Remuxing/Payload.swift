import ByteParsing
import EnhancedAC3
import ISOMedia
import SystemIO

/// The access units of all segments: their places in the sources.
struct Payload {
  /// Ranges of tracks; contiguous ranges of one track are one.
  private struct Run {
    let track: AudioTrack
    var units: Range<Int>

    /// The size that all its access units have; nil when they differ.
    var commonSize: Int? { track.index.commonSize(of: units, in: track.file.bytes) }
  }

  private(set) var sources: [MappedFile] = []
  private(set) var extents: [PayloadExtent] = []
  private var runs: [Run] = []

  /// Appends a range of access units.
  ///
  /// Throws when a part of it lies outside its file.
  mutating func append(_ units: Range<Int>, of track: AudioTrack) throws(Failure) {
    let source = sources.firstIndex { $0.isSame(as: track.file) } ?? sources.count
    if source == sources.count { sources.append(track.file) }
    if let last = runs.last, last.units.upperBound == units.lowerBound, last.track.id == track.id,
      last.track.file.isSame(as: track.file)
    {
      runs[runs.count - 1].units = last.units.lowerBound..<units.upperBound
    } else {
      runs.append(Run(track: track, units: units))
    }
    let swapsPairs = track.byteOrder == .littleEndian
    let segment = runs.count - 1
    try track.forEachExtent(of: units) { place in
      let extent = Extent(
        source: source, offset: place.offset, byteCount: place.byteCount, swapsPairs: swapsPairs)
      let payload = PayloadExtent(extent: extent, accessUnits: place.sampleCount, segment: segment)
      if let last = extents.last, last.precedes(payload) {
        extents[extents.count - 1].extent.byteCount += extent.byteCount
        extents[extents.count - 1].accessUnits += payload.accessUnits
      } else {
        extents.append(payload)
      }
    }
  }

  /// The sizes of all access units in order.
  var sizes: UnitSizes {
    if let size = runs[0].commonSize, runs.dropFirst().allSatisfy({ $0.commonSize == size }) {
      return .constant(size)
    }
    var writer = ByteWriter()
    writer.reserve(runs.reduce(0) { $0 + $1.units.count } * 4)
    for run in runs { run.track.index.appendSizes(of: run.units, in: run.track.file.bytes, to: &writer) }
    return .table(writer.take())
  }

  /// Nothing but the access units.
  func elementaryPlan() -> Plan {
    var builder = PlanBuilder()
    for payload in extents { builder.borrow(payload.extent) }
    return builder.plan(sources)
  }
}

extension PayloadExtent {
  /// Whether another extent of the same run starts where this one ends.
  fileprivate func precedes(_ next: PayloadExtent) -> Bool {
    segment == next.segment && extent.source == next.extent.source
      && extent.offset + extent.byteCount == next.extent.offset
  }
}
