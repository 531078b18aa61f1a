import EnhancedAC3
import ISOMedia
import SystemIO
import Synchronization

/// The configuration that nearly all ranges of a track have: that of the first one looked at.
final class UsualConfiguration: Sendable {
  /// A configuration and all that it follows from.
  private final class Known: Sendable {
    let unit: AccessUnit
    let complexity: ObjectComplexity?
    let entry: Box?
    let configuration: CodecConfiguration

    init(_ range: RangeFormat, _ entry: AudioSampleEntry?, _ configuration: CodecConfiguration) {
      unit = range.first
      complexity = range.complexity
      self.entry = entry?.box
      self.configuration = configuration
    }

    func follows(from range: RangeFormat, _ entry: AudioSampleEntry?) -> Bool {
      unit == range.first && complexity == range.complexity && self.entry == entry?.box
    }
  }

  /// An atomic, because a lock's first use costs a system call.
  private let known = AtomicLazyReference<Known>()

  /// The configuration for a range of a track whose access units all have one size.
  func value(
    _ range: RangeFormat, _ entry: AudioSampleEntry?, _ make: () -> CodecConfiguration
  ) -> CodecConfiguration {
    if let known = known.load(), known.follows(from: range, entry) { return known.configuration }
    let made = make()
    if known.load() == nil { _ = known.storeIfNil(Known(range, entry, made)) }
    return made
  }
}

extension AudioTrack {
  /// The configuration for a range, with the sample entry that it uses; nil for an elementary stream.
  func configuration(
    of units: Range<Int>, _ entry: AudioSampleEntry?, as range: RangeFormat
  ) -> CodecConfiguration {
    // A varying size has a rate of its own in each range.
    guard constantSize != nil else { return CodecConfiguration(units, of: self, entry, as: range) }
    return usualConfiguration.value(range, entry) {
      CodecConfiguration(units, of: self, entry, as: range)
    }
  }
}
