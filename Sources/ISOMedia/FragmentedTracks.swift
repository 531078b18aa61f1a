public import ByteParsing

/// The samples that the fragments of a file hold, track by track, from one pass over them.
public struct FragmentedTracks: Sendable {
  /// The samples of the tracks that are asked about, by their numbers.
  public private(set) var samples: [UInt32: FragmentedSamples] = [:]
  private var extends: [UInt32: TrackExtends] = [:]

  /// No samples yet. `ends` holds, for each track that is asked about, the end in ticks of what `moov` itself holds of it;
  /// `all` are the `trex` of all tracks.
  public init(ends: [UInt32: Int], extends all: [TrackExtends]) {
    samples = ends.mapValues { FragmentedSamples(start: $0) }
    extends = Dictionary(all.map { ($0.trackID, $0) }) { first, _ in first }
  }

  /// Adds the next fragment.
  ///
  /// Throws when offsets leave 63 bits, when neither `trun`, `tfhd` nor `trex` tells the samples' size, and when there are
  /// more samples than a sample table can count.
  public mutating func append(_ fragment: MovieFragment, in bytes: RawSpan) throws(ParsingError) {
    // ISO/IEC 14496-12, 8.8.7.1: a base is given, or this moof, or else the end of the track fragment in front.
    var end = fragment.offset
    for (index, part) in fragment.tracks.enumerated() {
      let base =
        try part.header.baseDataOffset.map { (offset) throws(ParsingError) in
          try Int(checking: offset, at: fragment.offset)
        } ?? (part.header.defaultBaseIsMoof ? fragment.offset : end)
      let id = part.header.trackID
      let extends = self.extends[id] ?? TrackExtends(absentFor: id)
      let next = index + 1 < fragment.tracks.count ? fragment.tracks[index + 1].header : nil
      if let found = try samples[id]?.append(part, extends, base: base, at: fragment.offset, in: bytes) {
        end = found
      } else if let next, next.baseDataOffset == nil, !next.defaultBaseIsMoof {
        end = try FragmentedSamples.end(of: part, extends, base: base, in: bytes)
      }
    }
  }
}
