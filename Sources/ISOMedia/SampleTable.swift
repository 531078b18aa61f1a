public import ByteParsing

/// `stbl`: where the samples of a track are, how large and how long.
///
/// The tables stay in the file; what is asked for is computed from them in place.
/// Source: ISO/IEC 14496-12, 8.5 to 8.7.
public struct SampleTable: Sendable {
  /// `stsd`.
  public let description: SampleDescription
  /// `stts`.
  public let timeToSample: TimeToSample
  /// `stsz` or `stz2`.
  public let sizes: SampleSizes
  /// `stsc`.
  public let sampleToChunk: SampleToChunk
  /// `stco` or `co64`.
  public let chunkOffsets: ChunkOffsets

  /// Parses the boxes inside `stbl`.
  ///
  /// Throws when one is missing, malformed, or when the chunks hold fewer samples than `stsz` counts.
  public init(parsing box: Box, in bytes: RawSpan) throws(ParsingError) {
    var description: SampleDescription?
    var timeToSample: TimeToSample?
    var sizes: SampleSizes?
    var offsets: ChunkOffsets?
    var sampleToChunkBox: Box?
    try bytes.forEachBox(in: box.payload) { (child) throws(ParsingError) in
      var cursor = bytes.cursor(child.payload)
      switch child.type {
      case "stsd": description = try SampleDescription(parsing: child.payload, in: bytes)
      case "stts": timeToSample = try TimeToSample(parsing: &cursor)
      case "stsz": sizes = try SampleSizes(parsingSTSZ: &cursor)
      case "stz2": sizes = try SampleSizes(parsingSTZ2: &cursor)
      case "stco": offsets = try ChunkOffsets(parsing: &cursor, width: .bits32)
      case "co64": offsets = try ChunkOffsets(parsing: &cursor, width: .bits64)
      case "stsc": sampleToChunkBox = child
      default: break
      }
    }
    let place = box.offset
    self.description = try Self.require(description, "stsd", at: place)
    self.timeToSample = try Self.require(timeToSample, "stts", at: place)
    self.sizes = try Self.require(sizes, "stsz or stz2", at: place)
    chunkOffsets = try Self.require(offsets, "stco or co64", at: place)
    let stsc = try Self.require(sampleToChunkBox, "stsc", at: place)
    do {
      sampleToChunk = try SampleToChunk(
        parsing: stsc.payload, chunkCount: chunkOffsets.table.count, in: bytes)
    } catch {
      throw error.inside("stsc")
    }
    if let indices = sampleToChunk.descriptionIndices, indices.upperBound > self.description.entries.count {
      throw .malformed(
        "stsc names sample entry \(indices.upperBound) and stsd has \(self.description.entries.count)",
        at: place)
    }
    guard sampleToChunk.sampleCount >= self.sizes.count else {
      throw .malformed(
        "\(self.sizes.count) samples have a size and the chunks hold \(sampleToChunk.sampleCount)", at: place)
    }
  }

  /// Samples of the track.
  public var sampleCount: Int { sizes.count }

  /// Where a range of samples lies, in their order, neighbours merged.
  ///
  /// Throws when an extent exceeds 63 bits or leaves the file.
  public func extents(of samples: Range<Int>, in bytes: RawSpan) throws(ParsingError) -> [SampleExtent] {
    var extents: [SampleExtent] = []
    try forEachExtent(of: samples, in: bytes) { extents.append($0) }
    return extents
  }

  /// Hands out where a range of samples lies, in their order, neighbours merged.
  ///
  /// Throws when an extent exceeds 63 bits or leaves the file.
  public func forEachExtent(
    of samples: Range<Int>, in bytes: RawSpan, _ body: (SampleExtent) -> Void
  ) throws(ParsingError) {
    guard !samples.isEmpty else { return }
    var merged: SampleExtent?
    var (runIndex, runStart) = sampleToChunk.locate(samples.lowerBound, in: bytes)
    var run = sampleToChunk.run(runIndex, in: bytes)
    var runEnd = sampleToChunk.chunkBehindRun(runIndex, in: bytes)
    var chunk = run.firstChunk + (samples.lowerBound - runStart) / max(1, run.samplesPerChunk)
    var sample = samples.lowerBound
    while true {
      let chunkStart = runStart + (chunk - run.firstChunk) * run.samplesPerChunk
      let end = min(chunkStart + run.samplesPerChunk, samples.upperBound)
      guard run.samplesPerChunk > 0, chunkStart <= sample, sample < end, chunk < chunkOffsets.table.count
      else {
        throw .malformed("stsc is not what it was when it was first read", at: sampleToChunk.table.offset)
      }
      let place = chunkOffsets.table.offset + chunk * chunkOffsets.width.rawValue
      let inside = chunkStart == sample ? 0 : try sizes.byteCount(of: chunkStart..<sample, in: bytes)
      let offset = try chunkOffsets.offset(ofChunk: chunk, in: bytes).adding(inside, at: place)
      let count = try sizes.byteCount(of: sample..<end, in: bytes)
      guard try offset.adding(count, at: place) <= bytes.byteCount else {
        throw .malformed(
          "samples \(sample) ..< \(end) lie at byte \(offset) and need \(count) bytes; the file ends at \(bytes.byteCount)",
          at: place)
      }
      var next = SampleExtent(offset: offset, byteCount: count, sampleCount: end - sample)
      sample = end
      chunk += 1
      if let size = sizes.constantSize {
        let whole = adjacentChunks(
          from: chunk, before: runEnd, at: offset + count,
          byteCount: try size.multiplied(by: run.samplesPerChunk, at: place),
          atMost: (samples.upperBound - sample) / run.samplesPerChunk, in: bytes)
        chunk += whole
        sample += whole * run.samplesPerChunk
        next.byteCount += whole * run.samplesPerChunk * size
        next.sampleCount += whole * run.samplesPerChunk
      }
      if let last = merged, last.offset + last.byteCount == offset {
        next = SampleExtent(
          offset: last.offset, byteCount: last.byteCount + next.byteCount,
          sampleCount: last.sampleCount + next.sampleCount)
      } else if let merged {
        body(merged)
      }
      merged = next
      guard sample < samples.upperBound else { break }
      if chunk == runEnd {
        runStart += (runEnd - run.firstChunk) * run.samplesPerChunk
        runIndex += 1
        run = sampleToChunk.run(runIndex, in: bytes)
        runEnd = sampleToChunk.chunkBehindRun(runIndex, in: bytes)
      }
    }
    if let merged { body(merged) }
  }

  /// How many chunks of one size lie one behind the other, from a place in the file on and all inside it.
  private func adjacentChunks(
    from first: Int, before end: Int, at offset: Int, byteCount: Int, atMost limit: Int, in bytes: RawSpan
  ) -> Int {
    let count = min(
      limit, min(end, chunkOffsets.table.count) - first, (bytes.byteCount - offset) / max(1, byteCount))
    guard count > 0 else { return 0 }
    return chunkOffsets.adjacentCount(
      from: first, at: offset, byteCount: byteCount, atMost: count, in: bytes)
  }

  /// The 1-based index of the sample entry that all samples use; nil where there are several or none.
  public var onlySampleEntry: Int? {
    guard let all = sampleToChunk.descriptionIndices, all.count == 1 else { return nil }
    return all.lowerBound
  }

  /// The sample entries of a range: the 1-based index of each, and the sample from which it holds.
  public func sampleEntries(of samples: Range<Int>, in bytes: RawSpan) -> [SampleEntryUse] {
    guard !samples.isEmpty else { return [] }
    if let onlySampleEntry {
      return [SampleEntryUse(index: onlySampleEntry, firstSample: samples.lowerBound)]
    }
    var found: [SampleEntryUse] = []
    var (index, first) = sampleToChunk.locate(samples.lowerBound, in: bytes)
    while index < sampleToChunk.table.count, first < samples.upperBound {
      let run = sampleToChunk.run(index, in: bytes)
      if found.last?.index != run.descriptionIndex {
        found.append(SampleEntryUse(index: run.descriptionIndex, firstSample: max(first, samples.lowerBound)))
      }
      first += (sampleToChunk.chunkBehindRun(index, in: bytes) - run.firstChunk) * run.samplesPerChunk
      index += 1
    }
    return found
  }

  private static func require<T>(_ part: T?, _ name: String, at place: Int) throws(ParsingError) -> T {
    guard let part else { throw .malformed("stbl has no \(name)", at: place) }
    return part
  }
}
