import EnhancedAC3
import ISOMedia

/// The way from presentation time to media time, in PCM samples: what a track's edit list says.
///
/// Only "optional empty edit + one edit at rate 1" is followed; see DESIGN.md, 5.1.
public struct Timeline: Equatable, Sendable {
  /// Silence in front of the first presented sample.
  public let leadingEmpty: Int
  /// The first presented sample, in media time.
  public let mediaStart: Int
  /// The end of the presented samples, in media time: of the edit or of the media, whichever comes first.
  public let mediaEnd: Int
  /// Whether there is an edit list at all.
  public let hasEdits: Bool
  /// Ticks a second of the coarsest clock on which a duration was written.
  public let ticks: Int

  /// All of the media, from its start. An elementary stream has no clock but its own.
  public init(all accessUnits: Int, rate: Int, ticks: Int? = nil) {
    leadingEmpty = 0
    mediaStart = 0
    mediaEnd = accessUnits * AccessUnit.samples
    hasEdits = false
    self.ticks = ticks ?? rate
  }

  /// Follows an edit list. `firstMediaTime` is the media time, in ticks, at which the first access unit is decoded.
  ///
  /// Throws `Refusal` when the list has another shape or a number that cannot be right.
  init(
    _ list: EditList, movieTimescale: UInt32, mediaTimescale: UInt32, firstMediaTime: Int = 0, rate: Int,
    accessUnits: Int
  ) throws(Refusal) {
    var edits = list.entries[...]
    var empty: UInt64 = 0
    if let first = edits.first, first.mediaTime == -1, list.count > 1 {
      empty = first.segmentDuration
      edits = edits.dropFirst()
    }
    guard let edit = edits.first, edits.count == 1, list.count == list.entries.count else {
      throw Refusal(reason: "it has \(list.count) edits; an optional empty edit and one edit can be followed")
    }
    guard edit.mediaTime >= 0 else { throw Refusal(reason: "it has only empty edits") }
    guard edit.mediaRate == 0x1_0000 else { throw Refusal(reason: "its edit does not play at rate 1") }
    let mediaLength = accessUnits * AccessUnit.samples
    leadingEmpty = try Self.samples(empty, of: movieTimescale, at: rate)
    // Fragments may start late: the priming in front of them is not there then.
    let start = max(0, edit.mediaTime - Int64(firstMediaTime))
    mediaStart = try Self.samples(UInt64(start), of: mediaTimescale, at: rate)
    let length = try Self.samples(edit.segmentDuration, of: movieTimescale, at: rate)
    // A duration of 0 means "to the end"; one that only rounds to 0 does not.
    mediaEnd = edit.segmentDuration == 0 ? mediaLength : min(mediaStart + length, mediaLength)
    hasEdits = true
    ticks = Int(movieTimescale)
    guard mediaStart < mediaEnd else {
      throw Refusal(reason: "its edit starts at sample \(mediaStart) of \(mediaLength) and presents none")
    }
  }

  /// Why an edit list is not followed.
  struct Refusal: Error, Equatable {
    let reason: String
  }

  /// PCM samples that are presented, the leading silence not counted.
  public var presentedSamples: Int { mediaEnd - mediaStart }

  /// The end on the presentation clock.
  public var presentationEnd: Int { leadingEmpty + presentedSamples }

  /// The place on the presentation clock of a place in the media; negative for what lies in front of the first presented sample.
  public func presentation(ofMedia sample: Int) -> Int {
    sample - mediaStart + leadingEmpty
  }

  /// The offset that turns presentation time into media time.
  var mediaOffset: Int { mediaStart - leadingEmpty }

  private static func samples(_ ticks: UInt64, of timescale: UInt32, at rate: Int) throws(Refusal) -> Int {
    let doubled = UInt128(ticks) * UInt128(rate) * 2 + UInt128(timescale)
    // A clock of 2^48 samples runs for centuries; keeping below it keeps every later sum below 2^63.
    guard let samples = Int(exactly: doubled / (2 * UInt128(timescale))), samples < 1 << 48 else {
      throw Refusal(reason: "it holds a time of \(ticks) ticks, which cannot be right")
    }
    return samples
  }
}
