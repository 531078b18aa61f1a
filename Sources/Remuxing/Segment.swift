import ByteParsing
import EnhancedAC3
import ISOMedia
import SystemIO

/// A range of one source, as a user asks for it.
public struct SegmentRequest: Sendable {
  /// The opened input.
  public let source: Source
  /// The range.
  public let range: TimeRange
  /// The track id; nil for the only Dolby track or the first enabled one.
  public let trackID: UInt32?

  /// A segment from its parts.
  public init(source: Source, range: TimeRange = .all, trackID: UInt32? = nil) {
    self.source = source
    self.range = range
    self.trackID = trackID
  }
}

/// A range of whole access units of one track, examined and ready to be laid out.
struct Segment {
  let track: AudioTrack
  let cut: SegmentCut
  /// The sample entry that they use; nil for an elementary stream.
  let entry: AudioSampleEntry?
  /// Children of the entry that an output is made without.
  let faultyChildren: [Box]
  let format: RangeFormat
  let configuration: CodecConfiguration
  let findings: [Finding]

  /// Throws when the access units cannot be used.
  init(_ choice: TrackChoice, _ cut: SegmentCut, options: CutOptions) throws(Failure) {
    let track = choice.track
    let entry = try track.entry(of: cut.units)
    let format = try RangeFormat(cut.units, of: track, allowsMixedObjects: options.allowsMixedObjects)
    let configuration = track.configuration(of: cut.units, entry, as: format)
    let opening = track.findings.filter { !(options.ignoresEdits && $0.code == .editsUnsupported) }
    let faultyChildren = entry?.faultyChildren(in: track.file) ?? []
    findings =
      choice.findings + opening + cut.findings + format.findings + configuration.corrections
      + Finding.leftOut(faultyChildren)
    self.track = track
    self.cut = cut
    self.entry = entry
    self.faultyChildren = faultyChildren
    self.format = format
    self.configuration = configuration
  }

  /// Throws when another segment cannot follow this one in an output; see DESIGN.md, 5.4.
  func requireJoinable(_ next: Segment) throws(Failure) -> [Finding] {
    if let difference = format.format.difference(to: next.format.format) {
      throw mismatch(difference.field, difference.mine, difference.theirs, next)
    }
    if format.complexity != next.format.complexity {
      func text(_ complexity: ObjectComplexity?) -> String { complexity.map { "\($0.index)" } ?? "none" }
      throw mismatch(
        "joint object coding complexity", text(format.complexity), text(next.format.complexity), next)
    }
    try requireSameRate(as: next)
    guard format.first.dialogueNormalizations != next.format.first.dialogueNormalizations else { return [] }
    let levels = [format, next.format].map { $0.first.dialogueNormalizations.map { "-\($0 == 0 ? 31 : $0)" } }
    return [
      Finding(
        .dialogueNormalization, .warning,
        "dialnorm changes from \(levels[0].joined(separator: "/")) to \(levels[1].joined(separator: "/")) dB between \(track.file.path) and \(next.track.file.path)"
      )
    ]
  }

  /// Sizes where both tracks have one, else the declared rates.
  private func requireSameRate(as next: Segment) throws(Failure) {
    // Two ranges of one track always go together.
    if track.file.identity == next.track.file.identity, track.id == next.track.id { return }
    if let mine = track.constantSize, let theirs = next.track.constantSize {
      guard mine != theirs else { return }
      throw mismatch("bit rate", rateText(mine), next.rateText(theirs), next)
    }
    guard abs(trackRate - next.trackRate) > 1 else { return }
    throw mismatch("declared bit rate", "\(trackRate) kbit/s", "\(next.trackRate) kbit/s", next)
  }

  /// kbit/s that the segment's configuration states.
  var declaredRate: Int {
    if configuration.type == "dec3",
      let box = try? EC3SpecificBox(parsing: configuration.bytes.rawBytes, origin: 0)
    {
      return box.dataRate
    }
    return (try? AC3SpecificBox(parsing: configuration.bytes.rawBytes, origin: 0).dataRate) ?? 0
  }

  /// kbit/s of the whole track: what its source declares, or for an elementary stream the rate of its largest unit.
  private var trackRate: Int {
    track.index.largestSizeOfAll.map {
      CodecConfiguration.dataRate(unitByteCount: $0, sampleRate: track.sampleRate)
    } ?? declaredRate
  }

  private func rateText(_ size: Int) -> String {
    let rate = CodecConfiguration.dataRate(unitByteCount: size, sampleRate: format.format.sampleRate)
    return "\(rate) kbit/s (\(size) bytes an access unit)"
  }

  private func mismatch(_ field: String, _ mine: String, _ theirs: String, _ next: Segment) -> Failure {
    Failure(
      .inputIncompatible,
      "it cannot be joined: \(field) is \(mine) in \(track.file.path) and \(theirs) in \(next.track.file.path)",
      path: next.track.file.path, advice: "join only segments of one format")
  }
}

/// Which track of a source is cut.
struct TrackChoice {
  /// A track whose first access unit can be parsed.
  let track: AudioTrack
  let findings: [Finding]

  /// The track that a request means.
  ///
  /// Throws when there is no such track, or it is not one that can be cut.
  init(_ request: SegmentRequest) throws(Failure) {
    try self.init(request.source, id: request.trackID)
    _ = try track.usableFirstUnit()
  }

  /// Throws when there is no such track, or it is not one that can be cut.
  init(_ source: Source, id: UInt32?) throws(Failure) {
    if let id {
      guard let numbered = source.tracks.first(where: { $0.id == id }) else {
        throw Failure(
          .rangeInvalid, "there is no track \(id)", path: source.file.path,
          advice: "choose one of: \(Self.names(source.tracks))")
      }
      track = try Self.dolby(numbered, in: source)
      findings = []
      return
    }
    let candidates = source.dolbyTracks
    guard
      let chosen = candidates.count == 1
        ? candidates[0] : candidates.first(where: \.isEnabled) ?? candidates.first
    else { throw Self.noneFailure(source) }
    track = try Self.dolby(chosen, in: source)
    let others = candidates.count == 1 ? [] : candidates.filter { $0.id != chosen.id }
    findings =
      others.isEmpty
      ? []
      : [
        Finding(
          .trackChoice, .warning,
          "track \(track.id) is taken; there are others: \(Self.names(others)); use --track to choose")
      ]
  }

  private static func dolby(_ numbered: Source.NumberedTrack, in source: Source) throws(Failure) -> AudioTrack
  {
    switch numbered.content {
    case .dolby(let track): return track
    case .broken(let failure): throw failure
    case .ac4, .encrypted, .other:
      throw Failure(
        .unsupported, "track \(numbered.id ?? 0) is \(numbered.content.text), which cannot be cut",
        path: source.file.path, advice: "give a track of AC-3 or E-AC-3 in the clear")
    }
  }

  private static func noneFailure(_ source: Source) -> Failure {
    for track in source.tracks {
      if case .broken(let failure) = track.content { return failure }
    }
    let what = source.tracks.isEmpty ? "it has no tracks" : "it has only \(names(source.tracks))"
    return Failure(
      .unsupported, "there is no AC-3 or E-AC-3 track that can be cut: \(what)", path: source.file.path,
      advice: "give a file with AC-3 or E-AC-3 in the clear")
  }

  private static func names(_ tracks: [Source.NumberedTrack]) -> String {
    tracks.map { "track \($0.id ?? 0) (\($0.content.text))" }.joined(separator: ", ")
  }
}

extension Source.Content {
  /// What the track is, in words.
  public var text: String {
    switch self {
    case .dolby(let track): track.text
    case .ac4: "AC-4"
    case .encrypted(let format): "encrypted" + (format.map { " \($0)" } ?? "")
    case .other(let handler, let entry): "\(handler) \(entry)"
    case .broken: "malformed"
    }
  }
}

extension AudioTrack {
  /// Codec, layout, JOC and language: what tells one Dolby track from another.
  fileprivate var text: String {
    guard let unit = try? usableFirstUnit() else { return "AC-3 or E-AC-3" }
    let objects = unit.objects?.complexity == nil ? "" : " with JOC"
    let language = containerFacts.map { ", \($0.media.language.code)" } ?? ""
    return "\(unit.format.codec.rawValue) \(ChannelLayout(unit.format.main).name)\(objects)\(language)"
  }
}
