import ByteParsing
import EnhancedAC3

/// The fields of a configuration box by their names in the standard (ETSI TS 102 366, F.6; TS 103 420, E.4).
struct ConfigurationFields {
  private struct Field {
    let name: String
    let value: String
    let code: Finding.Code
  }

  private var fields: [Field] = []

  /// Nil when the payload is no `dec3`.
  init?(dec3 payload: [UInt8]) {
    guard let box = try? EC3SpecificBox(parsing: payload.rawBytes, origin: 0) else { return nil }
    add("data_rate", "\(box.dataRate)", .dec3DataRate)
    for (index, substream) in box.independents.enumerated() {
      add("fscod of I\(index)", "\(substream.sampleRateCode)", .dec3Fields)
      add("bsid of I\(index)", "\(substream.bitstreamID)", .dec3Fields)
      add("acmod of I\(index)", "\(substream.audioCodingMode)", .dec3Fields)
      add("lfeon of I\(index)", substream.hasLFE ? "1" : "0", .dec3Fields)
      add("num_dep_sub of I\(index)", "\(substream.dependentCount)", .dec3Substreams)
      guard substream.dependentCount > 0 else { continue }
      add("chan_loc of I\(index)", substream.channelLocations.text, .dec3ChannelLocations)
    }
    guard let complexity = box.objectComplexity else { return }
    add("complexity_index_type_a", "\(complexity.index)", .dec3ObjectsComplexity)
  }

  private mutating func add(_ name: String, _ value: String, _ code: Finding.Code) {
    fields.append(Field(name: name, value: value, code: code))
  }

  private subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  /// The fields that have another value there, or none.
  ///
  /// `codes` are what was found; they name the reason where several are possible.
  func changes(
    to right: ConfigurationFields, path: [FourCC], trackID: UInt32, codes: [Finding.Code]
  ) -> [FieldChange] {
    let onlyThere = right.fields.filter { self[$0.name] == nil }
    return (fields + onlyThere).compactMap { field in
      let (old, new) = (self[field.name], right[field.name])
      guard old != new else { return nil }
      let isObjects = field.code == .dec3ObjectsComplexity
      let reason =
        isObjects ? codes.first { Self.objectCodes.contains($0) } : codes.first { $0 == field.code }
      return FieldChange(
        path, trackID: trackID, field.name, from: old, to: new, because: reason ?? codes.first ?? field.code)
    }
  }

  private static let objectCodes: Set<Finding.Code> = [
    .dec3ObjectsMissing, .dec3ObjectsFalse, .dec3ObjectsComplexity,
  ]
}

extension EntryConfiguration {
  /// The fields in which the sample entry's configuration differs from the right one.
  ///
  /// `own` is the payload that it has; nil where it has none.
  func changes(from own: [UInt8]?, path: [FourCC], trackID: UInt32) -> [FieldChange] {
    let codes = configuration.findings.map(\.code)
    if configuration.type == "dec3", let own, let old = ConfigurationFields(dec3: own),
      let new = ConfigurationFields(dec3: configuration.bytes)
    {
      let named = old.changes(to: new, path: path, trackID: trackID, codes: codes)
      if !named.isEmpty { return named }
    }
    // No field of it has a name that changes, or it is another box, or there is none.
    return [
      FieldChange(
        path, trackID: trackID, configuration.type.description, from: own?.hex, to: configuration.bytes.hex,
        because: codes.first ?? .dec3Fields)
    ]
  }
}
