import EnhancedAC3
import SystemIO

/// What a range of access units is, told from its first and last one, and from all where those differ.
struct RangeFormat {
  /// The structure that all have.
  let format: StreamFormat
  /// The complexity that is to be signalled, if joint object coding is.
  let complexity: ObjectComplexity?
  /// How many access units were looked at, and in how many joint object coding was seen.
  let coverage: ObjectCoverage
  /// The first access unit.
  let first: AccessUnit
  let findings: [Finding]

  /// Throws when the structure changes inside the range, or joint object coding does and that is not allowed.
  init(_ units: Range<Int>, of track: AudioTrack, allowsMixedObjects: Bool) throws(Failure) {
    first = units.lowerBound == 0 ? try track.usableFirstUnit() : try track.accessUnit(units.lowerBound)
    let last = units.count == 1 ? first : try track.accessUnit(units.upperBound - 1)
    format = first.format
    let isUniform =
      first.format == last.format && first.objects?.complexity == last.objects?.complexity
      && !track.index.mayChange(inside: units)
    if isUniform {
      let examined = min(2, units.count)
      complexity = first.objects?.complexity
      coverage = ObjectCoverage(
        found: complexity == nil ? 0 : examined, examined: examined, total: units.count)
      findings = Self.findings(first, units.lowerBound)
      return
    }
    var scan = ObjectScan(first: first, start: units.lowerBound)
    try track.forEachUnit(of: units.lowerBound + 1..<units.upperBound) { (number, unit) throws(Failure) in
      try scan.add(unit, number, in: track)
    }
    if let change = scan.firstChange, !allowsMixedObjects {
      throw Failure(
        .inputIncompatible,
        "joint object coding changes at access unit \(change.unit) (\(change.description)), inside the range",
        path: track.file.path,
        advice: "cut on either side of it, or use --allow-mixed-joc to signal the largest complexity")
    }
    complexity = scan.largest
    coverage = ObjectCoverage(found: scan.found, examined: units.count, total: units.count)
    guard scan.firstChange != nil else {
      findings = Self.findings(first, units.lowerBound)
      return
    }
    findings =
      Self.findings(first, units.lowerBound) + [
        Finding(
          .objectsMixed, .warning,
          "\(scan.found) of \(units.count) access units have joint object coding; complexity \(scan.largest?.index ?? 0) is signalled"
        )
      ]
  }

  /// What the first access unit alone tells of a track.
  init(onlyFirst unit: AccessUnit, of count: Int) {
    first = unit
    format = unit.format
    complexity = unit.objects?.complexity
    coverage = ObjectCoverage(found: complexity == nil ? 0 : 1, examined: 1, total: count)
    findings = Self.findings(unit, 0)
  }

  /// What a walk over all access units tells of a track that starts with this one.
  init(first unit: AccessUnit, _ scan: TrackScan) {
    first = unit
    format = unit.format
    complexity = scan.largestComplexity
    coverage = scan.coverage
    findings = scan.findings + Self.findings(unit, 0).filter { $0.code == .unitConversion }
  }

  private static func findings(_ unit: AccessUnit, _ number: Int) -> [Finding] {
    var findings: [Finding] = []
    if let objects = unit.objects, objects.complexity == nil {
      findings.append(
        Finding(
          .objectsInvalid, .error,
          "access unit \(number) flags joint object coding in \(objects.carrier) without a valid complexity; it is not signalled"
        ))
    }
    if unit.paddingByteCount > 0 {
      findings.append(
        Finding(
          .unitPadding, .warning,
          "access unit \(number) ends with \(unit.paddingByteCount) zero bytes, which are kept"))
    }
    if unit.startsConversion == false {
      findings.append(
        Finding(
          .unitConversion, .warning, "access unit \(number) does not start with a syncframe of convsync 1"))
    }
    return findings
  }
}

/// In how many access units joint object coding was seen.
public struct ObjectCoverage: Equatable, Sendable {
  /// Access units that have it.
  public let found: Int
  /// Access units that were looked at.
  public let examined: Int
  /// Access units that there are.
  public let total: Int
}

/// Joint object coding over all access units of a range.
private struct ObjectScan {
  struct Change {
    let unit: Int
    let description: String
  }

  private let format: StreamFormat
  private var previous: ObjectComplexity?
  private(set) var firstChange: Change?
  private(set) var largest: ObjectComplexity?
  private(set) var found: Int

  init(first: AccessUnit, start: Int) {
    format = first.format
    previous = first.objects?.complexity
    largest = previous
    found = previous == nil ? 0 : 1
  }

  mutating func add(_ unit: AccessUnit, _ number: Int, in track: AudioTrack) throws(Failure) {
    if let difference = format.difference(to: unit.format) {
      throw Failure(
        .inputIncompatible,
        "the stream changes at access unit \(number), inside the range: \(difference.field) goes from \(difference.mine) to \(difference.theirs)",
        path: track.file.path, advice: "cut on either side of it")
    }
    let complexity = unit.objects?.complexity
    if complexity != nil { found += 1 }
    if let complexity, complexity.index > largest?.index ?? 0 { largest = complexity }
    if complexity != previous, firstChange == nil {
      firstChange = Change(unit: number, description: "\(Self.name(previous)) to \(Self.name(complexity))")
    }
    previous = complexity
  }

  private static func name(_ complexity: ObjectComplexity?) -> String {
    complexity.map { "complexity \($0.index)" } ?? "none"
  }
}
