import ByteParsing
import ISOMedia
import SystemIO

/// Whether the runs of all fragments lie in media data, and fragments are numbered upwards.
struct FragmentCheck {
  private let file: MappedFile
  private let layout: FileLayout

  init(_ file: MappedFile, _ layout: FileLayout) {
    self.file = file
    self.layout = layout
  }

  /// Looks at every fragment.
  func run(_ movie: Movie, _ extents: inout MediaExtents, _ log: inout FindingLog) {
    checkSequence(&log)
    let ends = movie.tracks.map { ($0.header.trackID, 0) }
    var tracks = FragmentedTracks(
      ends: Dictionary(ends) { first, _ in first }, extends: movie.extends ?? [])
    for box in layout.top.fragments {
      do throws(ParsingError) {
        try check(box, &tracks, &extents, &log)
      } catch {
        log.add(.boxMalformed, .error, error.message, at: Place(offset: error.offset, error.path))
      }
    }
  }

  private func check(
    _ box: Box, _ tracks: inout FragmentedTracks, _ extents: inout MediaExtents, _ log: inout FindingLog
  ) throws(ParsingError) {
    let fragment = try MovieFragment(parsing: box, in: file.bytes)
    let ids = Set(fragment.tracks.map(\.header.trackID)).sorted()
    let counts = ids.map { tracks.samples[$0]?.count }
    try tracks.append(fragment, in: file.bytes)
    for (id, before) in zip(ids, counts) {
      guard let before, let all = tracks.samples[id] else {
        log.add(
          .trackNumber, .error, "a fragment holds samples of track \(id), which moov does not have",
          at: Place(trackID: id, offset: box.offset, ["moof", "traf", "tfhd"]))
        continue
      }
      for extent in try all.extents(of: before..<all.count, in: file.bytes) {
        let range = extent.offset..<extent.offset + extent.byteCount
        if layout.holdsMedia(range) {
          extents.add(range, of: id)
        } else {
          log.add(
            .runOutside, .error,
            "samples of a fragment at bytes \(range.lowerBound) ..< \(range.upperBound) are not inside an mdat",
            at: Place(trackID: id, offset: box.offset, ["moof", "traf", "trun"]))
        }
      }
    }
  }

  /// ISO/IEC 14496-12, 8.8.5: numbers increase with each fragment.
  private func checkSequence(_ log: inout FindingLog) {
    var previous: UInt32?
    for box in layout.top.fragments {
      guard let header = file.bytes.chain(from: box, to: ["mfhd"])?.last else {
        log.add(.fragmentSequence, .warning, "moof has no mfhd", at: Place(offset: box.offset, ["moof"]))
        continue
      }
      var cursor = file.bytes.cursor(header.payload)
      guard (try? cursor.skip(4)) != nil, let number = try? cursor.read(UInt32.self) else { continue }
      if let previous, number <= previous {
        log.add(
          .fragmentSequence, .warning, "fragment number \(number) follows \(previous)",
          at: Place(offset: header.offset, ["moof", "mfhd"]))
      }
      previous = number
    }
  }
}
