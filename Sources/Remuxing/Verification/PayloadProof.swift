import ByteParsing
import EnhancedAC3
import ISOMedia
public import SystemIO

/// A comparison of a file's access units, byte by byte, with ranges of sources.
public struct PayloadProof: Sendable {
  /// The first place where they differ.
  public struct Difference: Equatable, Sendable {
    /// The access unit of the file.
    public let accessUnit: Int
    /// Absolute offset in the file.
    public let offset: Int
    /// The source.
    public let sourcePath: FilePath
    /// The access unit of the source.
    public let sourceAccessUnit: Int
    /// Absolute offset in the source.
    public let sourceOffset: Int
  }

  /// A range of one source.
  public struct Segment: Sendable {
    /// The source.
    public let path: FilePath
    /// The track.
    public let trackID: UInt32
    /// Its access units.
    public let accessUnits: Range<Int>
  }

  /// How the ranges became access units.
  public let mode: CutMode
  /// The ranges.
  public let segments: [Segment]
  /// Access units in front of the first presented one.
  public let preRoll: Int
  /// Access units of the file's track.
  public let accessUnitCount: Int
  /// Access units that the ranges have together.
  public let expectedCount: Int
  /// Bytes that were compared and are equal.
  public private(set) var equalByteCount = 0
  /// Nil where all that was compared is equal.
  public private(set) var difference: Difference?
  /// Whether the file presents what was asked; nil where that is not compared.
  public private(set) var presentsRange: Bool?

  /// Whether the edit list counts on the clock of the bitstream.
  private let hasRegularTimes: Bool
  /// Whether a source's words are stored the other way round than the file's, and were compared exchanged.
  public let exchangesBytes: Bool

  /// Whether payload and number of access units are as expected.
  public var isPayloadEqual: Bool { difference == nil && accessUnitCount == expectedCount }

  /// Whether payload, number of access units and presentation are as expected.
  public var isEqual: Bool { isPayloadEqual && presentsRange ?? true }

  /// Compares a file's track, whose findings go to the log.
  ///
  /// Throws when a range cannot be resolved, or a source changes or cannot be read.
  init(of source: Source, _ expectation: PayloadExpectation, log: inout FindingLog) throws(Failure) {
    let choice = try TrackChoice(source, id: Self.trackID(expectation.trackID, in: source))
    let track = choice.track
    // What another track holds is not proven.
    for finding in choice.findings { log.add(finding, at: Place(trackID: track.id)) }
    let hasEdits = track.containerFacts?.editList != nil
    mode = expectation.isModeGiven ? expectation.options.mode : hasEdits ? .exact : .frame
    let cuts = try ExpectedCuts(expectation, mode, for: track)
    let hasRegularTimes = ClockCheck(of: track)?.isRegular ?? true
    self.hasRegularTimes = hasRegularTimes
    segments = cuts.parts.map {
      Segment(path: $0.track.file.path, trackID: $0.track.id, accessUnits: $0.units)
    }
    preRoll = cuts.preRoll
    exchangesBytes = cuts.parts.contains { $0.track.byteOrder != track.byteOrder }
    accessUnitCount = track.index.count
    expectedCount = cuts.parts.reduce(0) { $0 + $1.units.count }
    try compare(track, cuts.parts)
    for part in cuts.parts {
      try operating { () throws(SystemError) in try part.track.file.checkUnchanged() }
    }
    presentsRange = cuts.edit.map { Self.presents($0, track) && hasRegularTimes }
    report(cuts.edit, track, &log)
  }

  /// An output has one track, whatever the number of its source's was; among several the same number counts.
  private static func trackID(_ id: UInt32?, in source: Source) -> UInt32? {
    let numbers = source.tracks.compactMap { track in
      if case .dolby = track.content { track.id } else { nil }
    }
    return numbers.count > 1 && numbers.contains { $0 == id } ? id : nil
  }

  private mutating func compare(_ track: AudioTrack, _ parts: [ExpectedCuts.Part]) throws(Failure) {
    var own = try UnitCursor(0..<track.index.count, of: track)
    for part in parts {
      var theirs = try UnitCursor(part.units, of: part.track)
      while let expected = theirs.advance() {
        guard let place = own.advance() else { return }
        guard let offset = Self.firstDifference(track, place, part.track, expected) else {
          equalByteCount += place.count
          continue
        }
        difference = Difference(
          accessUnit: own.next - 1, offset: place.lowerBound + offset, sourcePath: part.track.file.path,
          sourceAccessUnit: theirs.next - 1, sourceOffset: expected.lowerBound + offset)
        return
      }
    }
  }

  private static func firstDifference(
    _ track: AudioTrack, _ place: Range<Int>, _ other: AudioTrack, _ expected: Range<Int>
  ) -> Int? {
    let mine = track.file.bytes.extracting(place)
    let theirs = other.file.bytes.extracting(expected)
    if track.byteOrder == other.byteOrder { return mine.firstDifference(to: theirs) }
    // Byte-swapped sources are written big-endian.
    let swapped = theirs.swappingPairs()
    return mine.firstDifference(to: swapped.rawBytes)
  }

  private static func presents(_ edit: OutputEdit, _ track: AudioTrack) -> Bool {
    guard let timeline = try? track.timeline(ignoringEdits: false) else { return false }
    return timeline.leadingEmpty == edit.silence && timeline.mediaStart == edit.mediaTime
      && timeline.presentedSamples == edit.duration
  }

  private func report(_ edit: OutputEdit?, _ track: AudioTrack, _ log: inout FindingLog) {
    if accessUnitCount != expectedCount {
      log.add(
        .sourceCount, .error,
        "there are \(accessUnitCount) access units, the source's ranges have \(expectedCount)",
        at: Place(trackID: track.id))
    }
    if let difference {
      log.add(
        .sourcePayload, .error,
        "access unit \(difference.accessUnit) differs at byte \(difference.offset) from access unit \(difference.sourceAccessUnit) of \(difference.sourcePath) at byte \(difference.sourceOffset)",
        at: Place(trackID: track.id, accessUnit: difference.accessUnit, offset: difference.offset))
    }
    guard let edit, presentsRange == false else { return }
    guard hasRegularTimes else {
      log.add(
        .sourcePresentation, .error,
        "the container's times are not 1536 PCM samples an access unit, so that what is presented is not what was asked",
        at: Place(trackID: track.id))
      return
    }
    let own = (try? track.timeline(ignoringEdits: false)).map {
      Self.text(silence: $0.leadingEmpty, from: $0.mediaStart, length: $0.presentedSamples)
    }
    log.add(
      .sourcePresentation, .error,
      "the edit list presents \(own ?? "nothing that can be followed"); asked was \(Self.text(silence: edit.silence, from: edit.mediaTime, length: edit.duration))",
      at: Place(trackID: track.id))
  }

  private static func text(silence: Int, from start: Int, length: Int) -> String {
    (silence > 0 ? "\(silence) PCM samples of silence and " : "") + "\(length) PCM samples from \(start) on"
  }
}
