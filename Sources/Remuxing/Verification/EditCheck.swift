import ISOMedia

/// What an edit list presents that the media do not have.
enum EditCheck {
  /// Looks at the edits that are kept; `media` is the media's length on their own clock.
  static func report(
    _ list: EditList, media: Int, _ clock: MovieClock, at place: Place, to log: inout FindingLog
  ) {
    for (index, edit) in list.entries.enumerated() {
      guard
        let fault = fault(of: edit, isLast: index + 1 == list.count, isOnly: list.count == 1, media, clock)
      else { continue }
      log.add(.editsOutsideMedia, .warning, "edit \(index) of \(list.count) \(fault)", at: place)
    }
  }

  private static func fault(
    of edit: EditList.Entry, isLast: Bool, isOnly: Bool, _ media: Int, _ clock: MovieClock
  ) -> String? {
    guard edit.mediaTime >= 0 else {
      if edit.mediaTime < -1 { return "starts at a media time of \(edit.mediaTime)" }
      return isLast && !isOnly ? "is empty, which the last one must not be" : nil
    }
    guard edit.mediaTime < media else {
      return "starts at tick \(edit.mediaTime) of the media, which last \(media)"
    }
    let rest = clock.range(of: media - Int(edit.mediaTime)).upperBound
    // What is wrong with the last one's length is a number that can be put right.
    guard !isLast, edit.mediaRate == 0x1_0000, edit.segmentDuration > UInt64(rest) else { return nil }
    return "presents \(edit.segmentDuration) ticks of the movie's clock, the media have \(rest) from there on"
  }
}
