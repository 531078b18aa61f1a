import ByteParsing
import EnhancedAC3
import ISOMedia
public import SystemIO

/// A copy of a file in which the wrong fields of the container are right; its payload and all else are borrowed.
///
/// Either everything that is wrong can be put right, or nothing is.
public struct Repair: Sendable {
  /// The file.
  public let path: FilePath
  /// What is put right; empty where nothing is wrong.
  public let changes: [FieldChange]
  /// What was found in the file.
  public let findings: [PlacedFinding]
  /// How far the media data behind `moov` move.
  public let shift: Int
  /// Tracks whose chunk offsets become 64 bits wide.
  public let widenedTracks: [UInt32]
  /// The repaired file.
  public let plan: Plan

  /// Verifies a file and plans its repair.
  ///
  /// Throws when it cannot be read, when it has no container, and when something is wrong with it that cannot be put
  /// right without knowing more.
  public init(_ path: FilePath) throws(Failure) {
    let file = try operating { () throws(SystemError) in try MappedFile(path: path) }
    let run: VerificationRun
    do throws(Failure) {
      run = try VerificationRun(file)
    } catch {
      throw file.explain(error)
    }
    try operating { () throws(SystemError) in try file.checkUnchanged() }
    guard run.container != .elementaryStream else {
      throw Failure(
        .unsupported, "an elementary stream has no container that could be repaired", path: path,
        advice: "use mux")
    }
    let findings = run.log.findings
    try Self.requireRepairable(findings, run)
    guard let layout = run.layout, let movie = run.movie, let box = layout.top.movie,
      let space = MovieSpace(box, in: layout, fileByteCount: file.byteCount)
    else { throw Failure(.inputMalformed, "there is no moov box", path: path) }
    var fields = FieldRepair(box, of: file)
    for track in run.tracks { try fields.repair(track) }
    for fault in run.movieFaults { try fields.repair(fault, trackID: nil) }

    var chunks = try ChunkRelocation(movie, in: box, of: file)
    var adjustment = space.adjustment(for: fields.amendments.growth(of: box))
    while try chunks.widen(for: adjustment.shift) {
      adjustment = space.adjustment(for: fields.amendments.growth(of: box) + chunks.growth)
    }
    if adjustment.shift != 0 {
      try Self.requireMovable(movie, layout, box, in: file)
    }
    var amendments = fields.amendments
    try chunks.apply(adjustment.shift, to: &amendments)
    let fragments = try FragmentRelocation(
      adjustment.shift, in: layout, behind: box, of: file, amendments: &amendments)
    try amendments.amendSizes(in: file)
    space.apply(adjustment, to: &amendments)
    guard amendments.lie(inside: space.range(adjustment), or: Set(fragments.boxes)) else {
      throw Failure(.unsupported, "what is to be put right lies outside the boxes for it", path: path)
    }
    self.path = path
    self.findings = findings
    changes = fields.changes
    shift = adjustment.shift
    widenedTracks = chunks.widenedTracks
    plan = amendments.plan(for: file)
    if !amendments.isEmpty { try Self.requireRight(plan, of: file) }
  }
}

extension Repair {
  /// What can be put right from what the file itself tells.
  private static let repairable: Set<Finding.Code> = [
    .dec3Missing, .dec3Malformed, .dec3ObjectsMissing, .dec3ObjectsFalse, .dec3ObjectsComplexity,
    .dec3Substreams,
    .dec3ChannelLocations, .dec3DataRate, .dec3Fields, .dac3Missing, .dac3Malformed, .dac3Fields,
    .entrySampleRate,
    .timesLastShort, .mediaDuration, .trackDuration, .movieDuration, .editsBeyondMedia,
  ]

  private static func requireRepairable(_ findings: [PlacedFinding], _ run: VerificationRun) throws(Failure) {
    // What is wrong with a track whose access units are not known cannot be told from them.
    let known = Set(run.tracks.map(\.track.id))
    let obstacle = findings.first { found in
      found.finding.severity.isFault
        && !(repairable.contains(found.finding.code) && found.place.trackID.map(known.contains) ?? true)
    }
    if let obstacle {
      throw Failure(
        .inputMalformed,
        "it cannot be repaired: \(obstacle.finding.message) [\(obstacle.finding.code.rawValue)]",
        path: run.file.path, offset: obstacle.place.offset, boxPath: obstacle.place.boxPath,
        advice: advice(on: obstacle, run) ?? "see kerfless verify for all that is wrong")
    }
    guard run.tracks.contains(where: { $0.scan?.coverage.examined ?? 0 > 0 }) else {
      throw Failure(
        .unsupported, "it has no access units of AC-3 or E-AC-3 in the clear by which it could be repaired",
        path: run.file.path)
    }
  }

  /// What helps where access units cannot be parsed; nil for anything else.
  private static func advice(on obstacle: PlacedFinding, _ run: VerificationRun) -> String? {
    guard obstacle.finding.code == .unitInvalid, let unit = obstacle.place.accessUnit,
      let track = run.tracks.first(where: { $0.track.id == obstacle.place.trackID })?.track
    else { return nil }
    do throws(Failure) {
      _ = try track.accessUnit(unit)
      return nil
    } catch {
      return error.advice
    }
  }

  /// Verifies the repaired file before it is written: what is published must be right.
  private static func requireRight(_ plan: Plan, of file: MappedFile) throws(Failure) {
    let repaired = try operating { () throws(SystemError) in
      try MappedFile(assembling: plan.pieces, made: plan.made, sources: plan.sources, path: file.path)
    }
    let run = try VerificationRun(repaired)
    try operating { () throws(SystemError) in
      try file.checkUnchanged()
      try repaired.checkUnchanged()
    }
    guard let fault = run.log.findings.first(where: { $0.finding.severity.isFault }) else { return }
    throw Failure(
      .inputMalformed,
      "it cannot be repaired: when all else is put right, \(fault.finding.message) [\(fault.finding.code.rawValue)]",
      path: file.path, boxPath: fault.place.boxPath, advice: "see kerfless verify for all that is wrong")
  }

  private static func requireMovable(
    _ movie: Movie, _ layout: FileLayout, _ box: Box, in file: MappedFile
  ) throws(Failure) {
    var obstacle = AbsoluteOffsets.obstacle(layout, box, in: file)
    for track in movie.tracks {
      if track.dataReference?.isSelfContained.contains(false) ?? false {
        obstacle = obstacle ?? "the media of track \(track.header.trackID) is in another file"
      }
    }
    guard let obstacle else { return }
    throw Failure(
      .unsupported, "moov changes its size, so the media data would have to move, and \(obstacle)",
      path: file.path,
      advice: "repair a copy in which moov follows the media data")
  }
}
