public import ByteParsing

/// One chunk of a track.
public struct Chunk: Equatable, Sendable {
  /// 0-based number.
  public let index: Int
  /// Absolute offset in the file.
  public let offset: Int
  /// Bytes of its samples.
  public let byteCount: Int
  /// Its samples.
  public let samples: Range<Int>
}

extension SampleTable {
  /// Calls `body` for each chunk that holds samples, in the order of the table.
  ///
  /// Throws when a sum of sizes or an offset exceeds 63 bits.
  public func forEachChunk(
    in bytes: RawSpan, _ body: (Chunk) throws(ParsingError) -> Void
  ) throws(ParsingError) {
    var sample = 0
    for runIndex in 0..<sampleToChunk.table.count {
      let run = sampleToChunk.run(runIndex, in: bytes)
      for index in run.firstChunk..<max(run.firstChunk, sampleToChunk.chunkBehindRun(runIndex, in: bytes)) {
        guard sample < sampleCount, index < chunkOffsets.table.count else { return }
        let end = min(sample + run.samplesPerChunk, sampleCount)
        try body(
          Chunk(
            index: index, offset: try chunkOffsets.offset(ofChunk: index, in: bytes),
            byteCount: try sizes.byteCount(of: sample..<end, in: bytes), samples: sample..<end))
        sample = end
      }
    }
  }
}
