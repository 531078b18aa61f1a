import ByteParsing
public import EnhancedAC3
import ISOMedia
import SystemIO

/// What a look at a track's tables and at its first access unit tells, or at all of them.
public struct TrackInspection: Sendable {
  /// The track.
  public let track: AudioTrack
  /// The first access unit; nil when it cannot be parsed.
  public let unit: AccessUnit?
  /// What the walk over all access units told; nil where it was not asked for or not possible.
  public let scan: TrackScan?
  /// In how many access units joint object coding was seen.
  public let coverage: ObjectCoverage
  /// The configuration box's payload in the source; nil when there is none.
  public let configuration: [UInt8]?
  /// The complexity that the configuration box signals.
  public let signalledComplexity: ObjectComplexity?
  /// kbit/s that the configuration box states.
  public let declaredDataRate: Int?
  /// kbit/s over all access units, to the nearest.
  public let averageDataRate: Int
  /// The size of all access units; nil when it varies.
  public let constantSize: Int?
  /// The edit list's effect; nil when it cannot be followed.
  public let timeline: Timeline?
  /// Everything worth knowing.
  public let findings: [Finding]

  /// Looks at a track; at every access unit where `scanning` says so.
  public init(_ track: AudioTrack, scanning: Bool = false) throws(Failure) {
    self.track = track
    let count = track.index.count
    let bytes = track.file.bytes
    timeline = try? track.edits.get()
    var findings = track.findings
    var scan: TrackScan?
    if scanning {
      do throws(Failure) {
        scan = try TrackScan(track)
        // The walk tells the same, and how often.
        findings.removeAll { $0.code == .streamChanges }
      } catch {
        findings.append(Finding(.unitMissing, .error, "the access units cannot be scanned: \(error.message)"))
      }
    }
    self.scan = scan
    constantSize = track.constantSize
    averageDataRate = try Self.averageRate(track)

    let box = track.containerFacts?.entry.child("dec3") ?? track.containerFacts?.entry.child("dac3")
    configuration = box.map { bytes.extracting($0.payload).copied() }
    let enhanced = configuration.flatMap { payload in
      box?.type == "dec3" ? try? EC3SpecificBox(parsing: payload.rawBytes, origin: 0) : nil
    }
    let plain = configuration.flatMap { payload in
      box?.type == "dac3" ? try? AC3SpecificBox(parsing: payload.rawBytes, origin: 0) : nil
    }
    signalledComplexity = enhanced?.objectComplexity
    declaredDataRate = enhanced?.dataRate ?? plain?.dataRate

    switch track.first {
    case .success(let unit):
      self.unit = unit
      let range = scan.map { RangeFormat(first: unit, $0) } ?? RangeFormat(onlyFirst: unit, of: count)
      coverage = range.coverage
      findings +=
        range.findings
        + CodecConfiguration(0..<count, of: track, track.containerFacts?.entry, as: range).findings
      if scan == nil, let offset = try track.firstBadChecksum(in: 0) {
        findings.append(
          Finding(
            .unitChecksum, .error, "the syncframe at byte \(offset) of access unit 0 has a wrong checksum"))
      }
    case .failure(let failure):
      unit = nil
      coverage = scan?.coverage ?? ObjectCoverage(found: 0, examined: 0, total: count)
      let place = failure.offset.map { " (byte \($0))" } ?? ""
      findings +=
        scan?.findings ?? [
          Finding(.unitInvalid, .error, "the first access unit cannot be used: \(failure.message)\(place)")
        ]
    }
    if !scanning, count > 0, (try? track.index.extents(of: count - 1..<count, in: bytes)) == nil {
      findings.append(Finding(.unitMissing, .error, "the last access unit lies outside the file"))
    }
    if let refusal = track.refusal {
      let own = Finding(.trackUnusable, .error, refusal.message)
      // Where no access unit is in sight, everything else follows from the refusal.
      findings = count == 0 ? [own] : findings + [own]
    }
    self.findings = findings
  }

  private static func averageRate(_ track: AudioTrack) throws(Failure) -> Int {
    let count = track.index.count
    guard count > 0 else { return 0 }
    let total = try parsing(track.file.path) { () throws(ParsingError) in
      try track.index.byteCount(of: 0..<count, in: track.file.bytes)
    }
    let samples = UInt128(count * AccessUnit.samples * 1000)
    let rate = (UInt128(total) * 16 * UInt128(track.sampleRate) + samples) / (2 * samples)
    return Int(clamping: rate)
  }

  /// What a player can make of the track, richest first, as Apple names it.
  public var formats: [String] {
    guard let unit else { return [] }
    let codec = unit.format.codec.rawValue
    return unit.objects?.complexity == nil ? [codec] : ["ec+3", codec]
  }

  /// The layout of the first programme.
  public var layout: ChannelLayout? { unit.map { ChannelLayout($0.format.main) } }
}
