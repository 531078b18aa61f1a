public import EnhancedAC3
public import SystemIO

/// What an output holds, and how it differs from what was asked.
public struct OutputReport: Sendable {
  /// One range of one source.
  public struct SegmentReport: Sendable {
    /// The source.
    public let path: FilePath
    /// The track.
    public let trackID: UInt32
    /// Its access units that are taken.
    public let accessUnits: Range<Int>
    /// What was asked, in PCM samples of the source's presentation time.
    public let requested: Range<Int>
    /// What is presented, in PCM samples of the source's presentation time.
    public let presented: Range<Int>
  }

  /// AC-3 or E-AC-3.
  public let codec: Codec
  /// PCM samples a second.
  public let sampleRate: Int
  /// Access units of the output.
  public let accessUnitCount: Int
  /// Access units in front of the first presented one, which only prime the decoder.
  public let preRoll: Int
  /// Presented PCM samples, the silence of an empty edit in front included.
  public let presentedSamples: Int
  /// PCM samples that the edit list hides, in front of the presented ones and behind them.
  public let hidden: (start: Int, end: Int)
  /// PCM samples that were asked for and that the last source does not have.
  public let missing: Int
  /// The segments, in order.
  public let segments: [SegmentReport]
  /// The complexity that is signalled, if joint object coding is.
  public let complexity: ObjectComplexity?
  /// What that was told from, summed over the segments.
  public let coverage: ObjectCoverage
  /// What is worth knowing.
  public let findings: [Finding]
}

extension OutputReport {
  init(_ segments: [Segment], _ join: ExactJoin?, _ findings: [Finding]) {
    codec = segments[0].format.format.codec
    sampleRate = segments[0].format.format.sampleRate
    accessUnitCount = segments.accessUnitCount
    self.segments = segments.map(SegmentReport.init)
    complexity = segments[0].format.complexity
    coverage = segments.indices.reduce(ObjectCoverage(found: 0, examined: 0, total: 0)) {
      $0 + segments[$1].format.coverage
    }
    let samples = accessUnitCount * AccessUnit.samples
    preRoll = join?.preRoll ?? 0
    missing = join?.missing ?? 0
    hidden = join.map { ($0.edit.mediaTime, samples - $0.edit.mediaTime - $0.edit.duration) } ?? (0, 0)
    presentedSamples = join.map { $0.edit.silence + $0.edit.duration } ?? samples
    self.findings = findings
  }
}

extension [Segment] {
  /// Access units of the output.
  var accessUnitCount: Int {
    // By index, so that no segment is copied.
    indices.reduce(0) { $0 + self[$1].cut.units.count }
  }
}

extension OutputReport.SegmentReport {
  fileprivate init(_ segment: Segment) {
    path = segment.track.file.path
    trackID = segment.track.id
    accessUnits = segment.cut.units
    requested = segment.cut.requested
    presented = segment.cut.presented
  }
}

extension ObjectCoverage {
  fileprivate static func + (left: ObjectCoverage, right: ObjectCoverage) -> ObjectCoverage {
    ObjectCoverage(
      found: left.found + right.found, examined: left.examined + right.examined,
      total: left.total + right.total)
  }
}

extension Finding {
  /// What is worth knowing of an output: of each segment, of the joints, of the end.
  static func all(of segments: [Segment], _ join: ExactJoin?, joining: [Finding]) -> [Finding] {
    var findings: [Finding] = []
    for index in segments.indices {
      for finding in segments[index].findings {
        findings.append(segments.count == 1 ? finding : finding.about(segments[index].track.file.path))
      }
    }
    findings += joining
    if let missing = join?.missing, missing > 0 {
      let lacking = PCMTime(samples: missing, rate: segments[0].format.format.sampleRate)
      findings.append(
        Finding(
          .endMissing, .warning,
          "the last segment's source ends \(missing) PCM samples (\(lacking.seconds) s) too soon"))
    }
    return findings.withoutRepeats
  }

  fileprivate func about(_ path: FilePath) -> Finding {
    Finding(code, severity, "\(path): \(message)")
  }
}

extension [Finding] {
  fileprivate var withoutRepeats: [Finding] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
