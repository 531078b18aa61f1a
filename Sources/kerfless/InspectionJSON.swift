import ByteParsing
import EnhancedAC3
import ISOMedia
import Remuxing
import SystemIO

extension FileInspection {
  var json: JSONValue {
    .object([
      ("schema", .string("kerfless.inspect/1")), ("path", .string(source.file.path.description)),
      ("bytes", .number(source.file.byteCount)), ("container", .string(source.container.rawValue)),
      ("tracks", .array(tracks.map { $0.inspection?.json($0.numbered) ?? $0.numbered.json })),
      ("findings", .array(source.findings.map(\.json))),
    ])
  }
}

extension Source.NumberedTrack {
  /// A track that cannot be cut: what it is, and why.
  fileprivate var json: JSONValue {
    var members: [(String, JSONValue)] = [("id", .optional(id.map(Int.init))), ("enabled", .bool(isEnabled))]
    switch content {
    case .dolby:
      break
    case .ac4(let count):
      members += [("codec", .string("ac-4")), ("encrypted", .bool(false)), ("samples", .number(count))]
    case .encrypted(let format):
      members += [("codec", .optional(format?.description)), ("encrypted", .bool(true))]
    case .other(let handler, let entry):
      members += [("codec", .string(entry.description)), ("handler", .string(handler.description))]
    case .broken(let failure):
      members += [("codec", .null), ("error", .string(failure.description))]
    }
    return .object(members)
  }
}

extension TrackInspection {
  fileprivate func json(_ numbered: Source.NumberedTrack) -> JSONValue {
    let facts = track.containerFacts
    let rate = track.sampleRate
    return .object([
      ("id", .number(Int(track.id))), ("enabled", .bool(numbered.isEnabled)),
      ("codec", .optional(unit?.format.codec.rawValue ?? facts?.entry.box.type.description)),
      ("encrypted", .bool(false)),
      ("handler", .optional(facts?.handler.type.description)),
      ("handlerName", .optional(facts.map { String(decoding: $0.handler.name, as: UTF8.self) })),
      ("language", .optional(facts?.media.language.code)),
      ("sampleEntry", .optional(facts?.entry.box.type.description)),
      ("sampleEntryVersion", .optional(facts.map { Int($0.entry.layout.rawValue) })),
      ("channelCount", .optional(facts.map { Int($0.entry.channelCount) })),
      ("sampleRate", .number(rate)),
      ("timescale", .number(facts.map { Int($0.media.timescale) } ?? rate)),
      ("movieTimescale", .optional(facts.map { Int($0.movie.timescale) })),
      ("accessUnits", .number(track.index.count)), ("accessUnitBytes", .optional(constantSize)),
      ("samplesPerAccessUnit", .number(AccessUnit.samples)),
      ("chunks", .optional(facts?.chunkCount)),
      ("duration", time(timeline?.presentationEnd)),
      ("mediaDuration", time(track.index.count * AccessUnit.samples)),
      ("dataRate", .number(averageDataRate)), ("declaredDataRate", .optional(declaredDataRate)),
      ("configuration", .optional(configuration?.hex)),
      ("layout", .optional(layout?.name)), ("channels", .optional(layout?.channelCount)),
      ("channelNames", .array((layout?.channelNames ?? []).map { .string($0) })),
      ("substreams", .array(substreams)), ("joc", joc), ("formats", .array(formats.map { .string($0) })),
      ("scan", scan?.json ?? .null),
      ("edits", .array(edits)), ("editCount", .number(facts?.editList?.count ?? 0)),
      ("findings", .array(findings.map(\.json))),
    ])
  }

  private func time(_ samples: Int?) -> JSONValue {
    samples.map { PCMTime(samples: $0, rate: track.sampleRate).json } ?? .null
  }

  private var joc: JSONValue {
    .object([
      ("signalled", .bool(signalledComplexity != nil)),
      ("signalledComplexity", .optional(signalledComplexity?.index)),
      ("complexity", .optional(unit?.objects?.complexity?.index)),
      ("carrier", .optional((unit?.objects?.carrier ?? scan?.carriers.first)?.description)),
      ("coverage", coverage.json),
    ])
  }

  private var edits: [JSONValue] {
    (track.containerFacts?.editList?.entries ?? []).map { edit in
      .object([
        ("segmentDuration", .number(Int(clamping: edit.segmentDuration))),
        ("mediaTime", .number(Int(edit.mediaTime))), ("mediaRate", .number(Int(edit.mediaRate))),
      ])
    }
  }

  private var substreams: [JSONValue] {
    guard let unit else { return [] }
    return unit.format.substreams.enumerated().map { position, substream in
      .object([
        ("name", .string(substream.name.description)), ("codec", .string(substream.codec.rawValue)),
        ("bsid", .number(substream.bitstreamID)), ("bsmod", .optional(unit.bitstreamModes[position])),
        ("acmod", .number(substream.audioCodingMode)), ("lfe", .bool(substream.hasLFE)),
        ("chanmap", .optional(substream.channelMap.map { "0x" + String($0, radix: 16) })),
        ("blocks", .number(unit.format.blocksPerSyncFrame)),
        ("dialnorm", .number(unit.dialogueNormalizations[position])),
        ("bytes", .number(unit.substreamByteCounts[position])),
      ])
    }
  }
}

extension TrackScan {
  fileprivate var json: JSONValue {
    .object([
      ("accessUnits", .number(coverage.examined)), ("bytes", .number(byteCount)),
      (
        "complexities",
        .array(
          complexities.map {
            .object([("complexity", .number($0.complexity.index)), ("accessUnits", .number($0.count))])
          })
      ),
      ("carriers", .array(carriers.map { .string($0.description) })),
      ("wrongChecksums", wrongChecksums.json), ("invalid", invalid.json), ("padded", padded.json),
      ("invalidObjects", invalidObjects.json), ("formatChanges", formatChanges.json),
      ("objectChanges", objectChanges.json), ("unlikeEntry", unlikeEntry.json),
    ])
  }
}

extension UnitOccurrences {
  fileprivate var json: JSONValue {
    .object([
      ("count", .number(count)), ("first", .optional(first?.unit)), ("offset", .optional(first?.offset)),
    ])
  }
}
