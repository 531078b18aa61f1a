import ByteParsing
import EnhancedAC3
import ISOMedia
import SystemIO

/// What a sample entry says of the access units that use it, and what it should say.
struct EntryConfiguration {
  let entry: AudioSampleEntry
  /// An access unit that uses it.
  let unit: AccessUnit
  /// The right configuration, and what is wrong with the entry's own.
  let configuration: CodecConfiguration

  /// The configuration boxes of all entries that a track uses, compared with its bitstream.
  ///
  /// Entries that say the same count as one. Where a range of the track cannot be told, the walk has said why.
  static func all(of track: AudioTrack, _ scan: TrackScan) -> [EntryConfiguration] {
    guard let facts = track.containerFacts, let first = try? track.usableFirstUnit() else { return [] }
    let uses = track.index.sampleEntries(of: 0..<track.index.count, in: track.file.bytes)
    if (try? track.entry(of: 0..<track.index.count)) != nil {
      let format = RangeFormat(first: first, scan)
      let indices = Set(uses.map(\.index)).sorted()
      let entries = indices.compactMap {
        facts.entries.indices.contains($0 - 1) ? facts.entries[$0 - 1] : nil
      }
      return entries.map { entry in
        EntryConfiguration(
          entry: entry, unit: first,
          configuration: CodecConfiguration(
            0..<track.index.count, of: track, entry, as: format, largestSize: scan.largestSize))
      }
    }
    return several(uses, of: track, facts)
  }

  /// Each entry by the first range that uses it.
  private static func several(
    _ uses: [SampleEntryUse], of track: AudioTrack, _ facts: AudioTrack.ContainerFacts
  ) -> [EntryConfiguration] {
    var found: [Int: EntryConfiguration] = [:]
    for (position, use) in uses.enumerated() where found[use.index] == nil {
      let end = position + 1 < uses.count ? uses[position + 1].firstSample : track.index.count
      let range = use.firstSample..<end
      guard facts.entries.indices.contains(use.index - 1), let entry = facts.entries[use.index - 1],
        !range.isEmpty,
        let format = try? RangeFormat(range, of: track, allowsMixedObjects: true)
      else { continue }
      found[use.index] = EntryConfiguration(
        entry: entry, unit: format.first,
        configuration: CodecConfiguration(range, of: track, entry, as: format))
    }
    return found.keys.sorted().compactMap { found[$0] }
  }

  /// The entry's own configuration box.
  var box: Box? { entry.child(configuration.type) }

  /// Adds what is wrong with it, by the names of those who write it so.
  func report(_ trackID: UInt32, in file: MappedFile, to log: inout FindingLog) {
    let place = Place(
      trackID: trackID, offset: (box ?? entry.box).offset,
      ["moov", "trak", "mdia", "minf", "stbl", "stsd", entry.box.type] + (box.map { [$0.type] } ?? []))
    let known = knownWriter(in: file)
    for finding in configuration.findings {
      log.add(finding, at: place, writer: known?.name(for: finding.code))
    }
    reportAssociatedServices(known?.own, at: place, to: &log)
    if let rest = known?.own.tail.unknownBytes, rest.contains(where: { $0 != 0 }) {
      log.add(
        .dec3Tail, .note, "dec3 ends with \(rest.count) bytes that no standard names: \(rest.hex)", at: place)
    }
  }

  private func knownWriter(in file: MappedFile) -> KnownWriter? {
    guard configuration.type == "dec3", let box,
      let own = try? EC3SpecificBox(
        parsing: file.bytes.extracting(box.payload), origin: box.payload.lowerBound),
      let stream = try? EC3SpecificBox(parsing: configuration.bytes.rawBytes, origin: 0)
    else { return nil }
    return KnownWriter(own: own, stream: stream, unit: unit)
  }

  /// `asvc` cannot be told from a bitstream; that it may be missing can (ATSC A/52, Table 5.7).
  private func reportAssociatedServices(_ own: EC3SpecificBox?, at place: Place, to log: inout FindingLog) {
    guard let own, own.independents.count == unit.format.programmes.count else { return }
    var position = 0
    for (index, programme) in unit.format.programmes.enumerated() {
      let mode = unit.bitstreamModes[position] ?? 0
      position += 1 + programme.dependents.count
      let isAssociated = (2...6).contains(mode) || mode == 7 && programme.independent.audioCodingMode == 1
      guard isAssociated, !own.independents[index].isAssociatedService else { continue }
      log.add(
        .associatedService, .note, "I\(index) has bsmod \(mode), an associated service, and dec3 says asvc 0",
        at: place,
        writer: "FFmpeg or GPAC")
    }
  }
}
