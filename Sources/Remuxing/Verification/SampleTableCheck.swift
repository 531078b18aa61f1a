import ByteParsing
import ISOMedia
import SystemIO

/// Whether the tables of a track agree with each other, and its chunks lie in media data.
struct SampleTableCheck {
  private let track: Track
  private let file: MappedFile
  private let layout: FileLayout

  init(_ track: Track, in file: MappedFile, _ layout: FileLayout) {
    self.track = track
    self.file = file
    self.layout = layout
  }

  private var id: UInt32 { track.header.trackID }

  private static let path: [FourCC] = ["moov", "trak", "mdia", "minf", "stbl"]

  /// Compares the counts, and looks at each chunk.
  func run(_ extents: inout MediaExtents, _ log: inout FindingLog) {
    checkCounts(&log)
    do throws(ParsingError) {
      try checkChunks(&extents, &log)
    } catch {
      log.add(.trackBroken, .error, error.message, at: Place(trackID: id, offset: error.offset, Self.path))
    }
  }

  private func checkCounts(_ log: inout FindingLog) {
    let table = track.sampleTable
    let bytes = file.bytes
    var timed = 0
    for index in 0..<table.timeToSample.table.count {
      timed += table.timeToSample.run(index, in: bytes).sampleCount
    }
    if timed != table.sampleCount {
      log.add(
        .sampleTimeCount, .error, "stts counts \(timed) samples, the table of sizes \(table.sampleCount)",
        at: Place(trackID: id, offset: table.timeToSample.table.offset, Self.path + ["stts"]))
    }
    let held = table.sampleToChunk.sampleCount
    if held != table.sampleCount {
      log.add(
        .sampleChunkCount, .error,
        "the chunks hold \(held) samples, the table of sizes counts \(table.sampleCount)",
        at: Place(trackID: id, offset: table.sampleToChunk.table.offset, Self.path + ["stsc"]))
    }
  }

  private func checkChunks(_ extents: inout MediaExtents, _ log: inout FindingLog) throws(ParsingError) {
    let place = track.sampleTable.chunkOffsets
    var wrapped = 0
    var previous = 0
    try track.sampleTable.forEachChunk(in: file.bytes) { (chunk) throws(ParsingError) in
      let end = try chunk.offset.adding(chunk.byteCount, at: place.table.offset)
      let range = chunk.offset..<end
      if chunk.offset < previous { wrapped += 1 }
      previous = chunk.offset
      guard layout.holdsMedia(range) || range.isEmpty else {
        let isWrapped =
          (1...1 << 20).contains(wrapped) && place.width == .bits32
          && layout.holdsMedia(range.advanced(by: wrapped << 32))
        log.add(
          .chunkOutside, .error,
          "chunk \(chunk.index) at bytes \(range.lowerBound) ..< \(range.upperBound) is not inside an mdat"
            + (isWrapped ? "; its offset has lost its upper 32 bits" : ""),
          at: Place(
            trackID: id, accessUnit: chunk.samples.lowerBound,
            offset: place.table.offset + chunk.index * place.width.rawValue, boxPath: nil))
        return
      }
      extents.add(range, of: id)
    }
  }
}

extension Range<Int> {
  fileprivate func advanced(by distance: Int) -> Range<Int> {
    lowerBound + distance..<upperBound + distance
  }
}
