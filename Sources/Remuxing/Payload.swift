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
  }

  let sources: [MappedFile]
  let extents: [PayloadExtent]
  private let runs: [Run]

  init(_ segments: [Segment]) {
    var runs: [Run] = []
    var sources: [MappedFile] = []
    var extents: [PayloadExtent] = []
    for segment in segments {
      let track = segment.track
      let source = sources.firstIndex { $0.isSame(as: track.file) } ?? sources.count
      if source == sources.count { sources.append(track.file) }
      if let last = runs.last, last.units.upperBound == segment.cut.units.lowerBound,
        last.track.id == track.id, last.track.file.isSame(as: track.file)
      {
        runs[runs.count - 1].units = last.units.lowerBound..<segment.cut.units.upperBound
      } else {
        runs.append(Run(track: track, units: segment.cut.units))
      }
      for place in segment.extents {
        let extent = Extent(
          source: source, offset: place.offset, byteCount: place.byteCount,
          swapsPairs: track.byteOrder == .littleEndian)
        let payload = PayloadExtent(extent: extent, accessUnits: place.sampleCount, segment: runs.count - 1)
        if let last = extents.last, last.precedes(payload) {
          extents[extents.count - 1].extent.byteCount += extent.byteCount
          extents[extents.count - 1].accessUnits += payload.accessUnits
        } else {
          extents.append(payload)
        }
      }
    }
    self.runs = runs
    self.sources = sources
    self.extents = extents
  }

  /// The sizes of all access units in order.
  var sizes: UnitSizes {
    let common = runs.map { $0.track.index.commonSize(of: $0.units, in: $0.track.file.bytes) }
    if let first = common[0], common.allSatisfy({ $0 == first }) { return .constant(first) }
    var writer = ByteWriter()
    writer.reserve(runs.reduce(0) { $0 + $1.units.count } * 4)
    for run in runs { run.track.index.appendSizes(of: run.units, in: run.track.file.bytes, to: &writer) }
    return .table(writer.bytes)
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
