import EnhancedAC3
import Remuxing
import SystemIO

extension FileVerification {
  var json: JSONValue {
    .object([
      ("schema", .string("kerfless.verify/1")), ("path", .string(path.description)),
      ("bytes", .number(byteCount)),
      ("container", .optional(container?.rawValue)), ("verdict", .string(verdict.rawValue)),
      (
        "counts",
        .object([
          ("errors", .number(count(of: .error))), ("warnings", .number(count(of: .warning))),
          ("notes", .number(count(of: .note))), ("boxes", .number(boxCount)),
          ("tracks", .number(tracks.count)),
          ("accessUnits", .number(accessUnitCount)),
        ])
      ),
      ("checkedBytes", .number(checkedByteCount)), ("tracks", .array(tracks.map(\.json))),
      ("source", proof?.json ?? .null), ("findings", .array(findings.map(\.json))),
    ])
  }
}

extension FileVerification.TrackVerification {
  fileprivate var json: JSONValue {
    let unit = try? track.usableFirstUnit()
    return .object([
      ("id", .number(Int(track.id))), ("codec", .optional(unit?.format.codec.rawValue)),
      ("layout", .optional(unit.map { ChannelLayout($0.format.main).name })),
      ("sampleRate", .number(track.sampleRate)),
      ("accessUnits", .number(track.index.count)), ("checkedBytes", .number(scan?.byteCount ?? 0)),
      ("wrongChecksums", .optional(scan?.wrongChecksums.count)), ("invalid", .optional(scan?.invalid.count)),
      ("joc", scan?.coverage.json ?? .null),
    ])
  }
}

extension PlacedFinding {
  var json: JSONValue {
    .object([
      ("code", .string(finding.code.rawValue)), ("severity", .string(finding.severity.rawValue)),
      ("message", .string(finding.message)), ("track", .optional(place.trackID.map { Int($0) })),
      ("accessUnit", .optional(place.accessUnit)), ("offset", .optional(place.offset)),
      ("boxPath", .optional(place.boxPath)), ("writer", .optional(writer)),
    ])
  }
}

extension PayloadProof {
  fileprivate var json: JSONValue {
    .object([
      ("equal", .bool(isEqual)), ("payloadEqual", .bool(isPayloadEqual)), ("cut", .string(mode.rawValue)),
      ("accessUnits", .number(accessUnitCount)),
      ("expectedAccessUnits", .number(expectedCount)), ("preRoll", .number(preRoll)),
      ("equalBytes", .number(equalByteCount)),
      ("presentationEqual", presentsRange.map { .bool($0) } ?? .null),
      ("segments", .array(segments.map(\.json))), ("difference", difference?.json ?? .null),
    ])
  }
}

extension PayloadProof.Segment {
  fileprivate var json: JSONValue {
    .object([
      ("path", .string(path.description)), ("track", .number(Int(trackID))),
      ("firstAccessUnit", .number(accessUnits.lowerBound)), ("accessUnits", .number(accessUnits.count)),
    ])
  }
}

extension PayloadProof.Difference {
  fileprivate var json: JSONValue {
    .object([
      ("accessUnit", .number(accessUnit)), ("offset", .number(offset)),
      ("source", .string(sourcePath.description)),
      ("sourceAccessUnit", .number(sourceAccessUnit)), ("sourceOffset", .number(sourceOffset)),
    ])
  }
}
