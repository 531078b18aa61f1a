import ByteParsing
public import EnhancedAC3
import ISOMedia
import SystemIO

/// What a walk over every access unit of a track tells.
///
/// It reads the whole payload: every header is parsed and every checksum computed.
public struct TrackScan: Sendable {
  /// How many access units have one complexity.
  public struct ComplexityCount: Equatable, Sendable {
    /// The complexity.
    public let complexity: ObjectComplexity
    /// Access units that have it.
    public let count: Int
  }

  /// Access units that were looked at, and in how many joint object coding was seen.
  public private(set) var coverage: ObjectCoverage
  /// The substreams that carry joint object coding, in the order in which they were seen.
  public private(set) var carriers: [Substream.Name] = []
  /// Bytes of all access units.
  public private(set) var byteCount = 0
  /// Access units that are none, or of another kind than any that can be cut.
  public private(set) var invalid = UnitOccurrences()
  /// Access units with a syncframe whose checksum is wrong; the place is that syncframe's.
  public private(set) var wrongChecksums = UnitOccurrences()
  /// Access units with zeros behind their last syncframe.
  public private(set) var padded = UnitOccurrences()
  /// Access units that flag joint object coding without a valid complexity.
  public private(set) var invalidObjects = UnitOccurrences()
  /// Access units in front of which the structure of the stream changes.
  public private(set) var formatChanges = UnitOccurrences()
  /// Access units in front of which joint object coding starts, stops or changes.
  public private(set) var objectChanges = UnitOccurrences()
  /// Access units whose structure is not what their sample entry states.
  public private(set) var unlikeEntry = UnitOccurrences()

  /// Bytes of the largest access unit, told once for all comparisons with sample entries.
  private(set) var largestSize = 0

  private let track: AudioTrack
  private let entries: [SampleEntryUse]
  private var counts = [Int](repeating: 0, count: 17)
  private var examined = 0
  private var previous: AccessUnit?
  private var entryPosition = 0
  private var disagreement: String?

  /// Walks over a track.
  ///
  /// Throws when the tables of the track point outside the file, or to more bytes than it has.
  public init(_ track: AudioTrack) throws(Failure) {
    let count = track.index.count
    self.track = track
    entries = track.index.sampleEntries(of: 0..<count, in: track.file.bytes)
    coverage = ObjectCoverage(found: 0, examined: 0, total: count)
    guard track.refusal == nil else { return }
    largestSize = track.constantSize ?? track.index.largestSize(of: 0..<count, in: track.file.bytes)
    try track.forEachPlace(of: 0..<count) { (unit, range) throws(Failure) in examine(unit, range) }
    coverage = ObjectCoverage(found: counts.reduce(0, +), examined: examined, total: count)
    previous = nil
  }

  /// All complexities that were seen, smallest first.
  public var complexities: [ComplexityCount] {
    counts.indices.compactMap { index in
      guard counts[index] > 0, let complexity = ObjectComplexity(index: index) else { return nil }
      return ComplexityCount(complexity: complexity, count: counts[index])
    }
  }

  var largestComplexity: ObjectComplexity? { complexities.last?.complexity }
}

extension TrackScan {
  private mutating func examine(_ number: Int, _ range: Range<Int>) {
    examined += 1
    byteCount += range.count
    // No text is made for each of millions that hold nothing.
    guard !range.isEmpty || invalid.count == 0 else { return invalid.add(number, at: range.lowerBound) }
    do throws(Failure) {
      let (unit, badChecksum) = try AudioTrack.read(range, number, in: track.file, track.byteOrder) {
        (bytes) throws(ParsingError) in
        let unit = try AccessUnit(parsing: bytes, origin: range.lowerBound, like: previous)
        return (unit, try AccessUnit.firstBadChecksum(in: bytes, origin: range.lowerBound))
      }
      if let badChecksum { wrongChecksums.add(number, at: badChecksum) }
      note(unit, number, at: range.lowerBound)
    } catch {
      invalid.add(number, at: error.offset ?? range.lowerBound, error.message)
    }
  }

  private mutating func note(_ unit: consuming AccessUnit, _ number: Int, at offset: Int) {
    if unit.paddingByteCount > 0 { padded.add(number, at: offset) }
    if let objects = unit.objects {
      if let complexity = objects.complexity {
        counts[complexity.index] += 1
      } else {
        invalidObjects.add(number, at: offset, "in \(objects.carrier)")
      }
      if !carriers.contains(objects.carrier) { carriers.append(objects.carrier) }
    }
    let isNew = previous?.format != unit.format
    if isNew, let change = previous?.format.difference(to: unit.format) {
      formatChanges.add(number, at: offset, "\(change.field) goes from \(change.mine) to \(change.theirs)")
    }
    if previous?.objects?.complexity != unit.objects?.complexity, let previous {
      objectChanges.add(
        number, at: offset, "\(previous.objects.complexityText) to \(unit.objects.complexityText)")
    }
    compareWithEntry(unit, number, at: offset, isNew: isNew)
    previous = consume unit
  }

  /// The comparison is made anew only where the structure or the entry changes.
  private mutating func compareWithEntry(_ unit: AccessUnit, _ number: Int, at offset: Int, isNew: Bool) {
    var isNew = isNew
    while entryPosition + 1 < entries.count, entries[entryPosition + 1].firstSample <= number {
      entryPosition += 1
      isNew = true
    }
    if isNew { disagreement = entryDisagreement(unit) }
    if let disagreement { unlikeEntry.add(number, at: offset, disagreement) }
  }

  private func entryDisagreement(_ unit: AccessUnit) -> String? {
    guard let facts = track.containerFacts, entries.indices.contains(entryPosition) else { return nil }
    let index = entries[entryPosition].index - 1
    guard facts.entries.indices.contains(index), let entry = facts.entries[index] else {
      return "its sample entry is encrypted or of another codec"
    }
    let format = RangeFormat(onlyFirst: unit, of: 1)
    let configuration = CodecConfiguration(
      0..<track.index.count, of: track, entry, as: format, largestSize: largestSize)
    return configuration.findings.first { $0.code.concernsStructure }?.message
  }
}

extension TrackScan {
  /// What is worth knowing of the access units.
  public var findings: [Finding] {
    // Where all are unlike their entry, the comparison of the first one has told so.
    let strangers = (1..<max(1, examined)).contains(unlikeEntry.count) ? unlikeEntry : UnitOccurrences()
    let all = [
      invalid.finding(.unitInvalid, .error, "that cannot be parsed"),
      wrongChecksums.finding(.unitChecksum, .error, "with a wrong checksum in a syncframe"),
      invalidObjects.finding(
        .objectsInvalid, .error, "with a flag of joint object coding and no valid complexity"),
      padded.finding(.unitPadding, .warning, "with zero bytes at the end"),
      formatChanges.finding(.streamChanges, .warning, "at which the format of the stream changes"),
      objectChanges.finding(.objectsMixed, .warning, "at which joint object coding changes"),
      strangers.finding(.entryStructure, .error, "unlike what their sample entry states"),
    ]
    return all.compactMap(\.self)
  }
}

extension Finding.Code {
  /// Whether the finding is about what a configuration box says of the substreams.
  fileprivate var concernsStructure: Bool {
    [.dec3Substreams, .dec3ChannelLocations, .dec3Fields, .dac3Fields].contains(self)
  }
}

extension ObjectCoding? {
  fileprivate var complexityText: String {
    self?.complexity.map { "complexity \($0.index)" } ?? "none"
  }
}
