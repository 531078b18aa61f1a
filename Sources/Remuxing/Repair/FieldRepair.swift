import ByteParsing
import EnhancedAC3
import ISOMedia
import SystemIO

/// Amends the fields of `moov` that are wrong, and notes each.
struct FieldRepair {
  private(set) var amendments = Amendments()
  private(set) var changes: [FieldChange] = []
  private let movie: Box
  private let file: MappedFile

  init(_ movie: Box, of file: MappedFile) {
    self.movie = movie
    self.file = file
  }

  /// Puts right what is wrong with one track.
  ///
  /// Throws where a number does not fit into its field.
  mutating func repair(_ check: TrackCheck) throws(Failure) {
    guard let boxes = check.boxes else { return }
    for configuration in check.configurations where !configuration.configuration.findings.isEmpty {
      try repair(configuration, of: boxes)
    }
    if check.track.findings.contains(where: { $0.code == .entrySampleRate }) {
      for entry in Set(check.configurations.map(\.entry.box.offset)).sorted() {
        guard let configuration = check.configurations.first(where: { $0.entry.box.offset == entry }) else {
          continue
        }
        try repairSampleRate(configuration.entry, rate: check.track.sampleRate, of: boxes)
      }
    }
    for fault in check.durations?.faults ?? [] { try repair(fault, trackID: check.track.id) }
  }

  /// Replaces a number where it stands.
  mutating func repair(_ fault: DurationFault, trackID: UInt32?) throws(Failure) {
    guard let bytes = fault.place.bytes(for: fault.right) else {
      throw Failure(
        .unsupported, "\(fault.right) does not fit into the field of \(fault.stated)", path: file.path,
        offset: fault.place.offset)
    }
    amendments.replace(fault.place.offset..<fault.place.offset + fault.place.byteCount, with: bytes)
    changes.append(
      FieldChange(
        fault.path, trackID: trackID, fault.code.field, from: "\(fault.stated)", to: "\(fault.right)",
        because: fault.code))
  }

  private static let entryPath: [FourCC] = ["moov", "trak", "mdia", "minf", "stbl", "stsd"]

  private mutating func repair(_ configuration: EntryConfiguration, of track: Track) throws(Failure) {
    let entry = configuration.entry
    guard let outer = file.bytes.chain(from: track.box, to: ["mdia", "minf", "stbl", "stsd"]) else {
      throw Failure(.inputMalformed, "stsd is not where it was", path: file.path, offset: track.box.offset)
    }
    let right = configuration.configuration
    var writer = BoxWriter()
    writer.box(right.type) { $0.put(bytes: right.bytes) }
    var around = [movie] + outer + [entry.box]
    var path = Self.entryPath + [entry.box.type]
    let place: Range<Int>
    if let box = configuration.box {
      place = box.offset..<box.payload.upperBound
      if !entry.children.contains(box), let wave = entry.children.first(where: { $0.type == "wave" }) {
        around.append(wave)
        path.append(wave.type)
      }
    } else {
      // In front of zeros that end the boxes.
      let end = entry.children.last?.payload.upperBound ?? entry.childrenStart
      place = end..<end
    }
    amendments.replace(place, with: writer.writer.bytes, inside: around)
    changes += configuration.changes(
      from: configuration.box.map { file.bytes.extracting($0.payload).copied() }, path: path + [right.type],
      trackID: track.header.trackID)
  }

  /// 16.16 fixed point, 24 bytes into the entry (ISO/IEC 14496-12, 12.2.3).
  private mutating func repairSampleRate(
    _ entry: AudioSampleEntry, rate: Int, of track: Track
  ) throws(Failure) {
    let place = NumberPlace(offset: entry.box.payload.lowerBound + 24, byteCount: 4)
    guard entry.layout != .quickTime2, let bytes = place.bytes(for: rate << 16) else {
      throw Failure(
        .unsupported, "the sample rate of a QuickTime version 2 entry is not rewritten", path: file.path,
        offset: entry.box.offset)
    }
    guard Int(entry.sampleRate >> 16) != rate else { return }
    amendments.replace(place.offset..<place.offset + 4, with: bytes)
    changes.append(
      FieldChange(
        Self.entryPath + [entry.box.type], trackID: track.header.trackID, "samplerate",
        from: "\(entry.sampleRate >> 16)", to: "\(rate)", because: .entrySampleRate))
  }
}

extension Finding.Code {
  /// The field that such a finding is about.
  fileprivate var field: String {
    switch self {
    case .timesLastShort: "last sample_delta"
    case .editsBeyondMedia: "last segment_duration"
    default: "duration"
    }
  }
}
