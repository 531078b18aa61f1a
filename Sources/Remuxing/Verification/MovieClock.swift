import ISOMedia

/// Lengths on the media's clock and on the movie's, which rounds them.
struct MovieClock {
  /// Ticks a second.
  let movie: UInt32
  let media: UInt32

  /// Lengths stop here, so that sums of a few stay below 63 bits.
  private static let longest = 1 << 60

  /// Nothing is rounded where the movie counts as finely as the media.
  private var rounding: Int { movie.isMultiple(of: media) ? 0 : 1 }

  /// Ticks of the media's clock on the movie's, rounded to the nearest.
  func nearest(_ ticks: Int) -> Int {
    let exact = (2 * Int128(ticks) * Int128(movie) + Int128(media)) / (2 * Int128(media))
    return Int(min(exact, Int128(Self.longest)))
  }

  /// Ticks of the media's clock on the movie's, however they were rounded.
  func range(of ticks: Int) -> ClosedRange<Int> { rounded(nearest(ticks)) }

  /// A sum of edits' lengths, which count on the movie's clock.
  func range(ofEdits sum: UInt64) -> ClosedRange<Int> { rounded(min(Int(clamping: sum), Self.longest)) }

  private func rounded(_ ticks: Int) -> ClosedRange<Int> { max(0, ticks - rounding)...ticks + rounding }
}

extension MovieClock {
  /// The clocks of a track and its movie.
  init(_ track: Track, in movie: MovieHeader) {
    self.init(movie: movie.timescale, media: track.mediaHeader.timescale)
  }

  /// Whether the length in a track's header can be told from its media header and its edit list: for tracks whose
  /// samples are not looked at.
  func explainsHeader(of track: Track) -> Bool {
    guard let stated = track.header.duration.map({ Int(clamping: $0) }),
      let length = track.mediaHeader.duration.map({ Int(clamping: $0) })
    else { return true }
    // Some writers leave the edit list out of account.
    var candidates = [range(of: length)]
    if let list = track.editList, list.count > 0 {
      candidates.append(range(ofEdits: list.totalDuration))
      if list.count == list.entries.count, let last = list.entries.last, last.segmentDuration == 0 {
        let rest = range(of: max(0, length - Int(max(0, last.mediaTime))))
        let sum = candidates[1]
        candidates.append(sum.lowerBound + rest.lowerBound...sum.upperBound + rest.upperBound)
      }
    }
    return candidates.contains { $0.lowerBound - 1 <= stated && stated <= $0.upperBound + 1 }
  }
}
