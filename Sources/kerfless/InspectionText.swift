import ByteParsing
import EnhancedAC3
import ISOMedia
import Remuxing
import SystemIO

extension FileInspection {
  var lines: [String] {
    let head = "\(source.file.path): \(source.container.rawValue), \(source.file.byteCount) bytes"
    let lines = tracks.flatMap { track in
      track.inspection.map { $0.lines(track.numbered) } ?? [track.numbered.line]
    }
    let findings = source.findings.map { "  \($0.severity.rawValue): \($0.message) [\($0.code.rawValue)]" }
    return [head] + (lines.isEmpty ? ["  no tracks"] : lines) + findings
  }
}

extension Source.NumberedTrack {
  fileprivate var name: String {
    "track \(id.map(String.init) ?? "?")" + (isEnabled ? "" : " (disabled)")
  }

  fileprivate var line: String {
    if case .broken(let failure) = content { return "  \(name): malformed: \(failure)" }
    return "  \(name): \(content.text)"
  }
}

extension TrackInspection {
  fileprivate func lines(_ numbered: Source.NumberedTrack) -> [String] {
    let seconds = PCMTime(samples: timeline?.presentationEnd ?? 0, rate: track.sampleRate).seconds
    let mediaSamples = track.index.count * AccessUnit.samples
    let size = constantSize.map { "of \($0) bytes" } ?? "of varying size"
    var lines = [
      "  \(numbered.name): \(kind), \(layoutText)\(track.sampleRate) Hz, \(averageDataRate) kbit/s",
      "    \(track.index.count.counted("access unit")) \(size), \(AccessUnit.samples) PCM samples each, \(mediaSamples) in all",
      "    duration \(timeline == nil ? "unknown" : seconds + " s")",
    ]
    lines += containerLines + substreamLines
    lines.append("    formats \(formats.isEmpty ? "none" : formats.joined(separator: ", "))")
    if let scan {
      lines += scan.lines
    } else if let objects = unit?.objects {
      lines.append(
        "    joint object coding in \(objects.carrier), complexity \(objects.complexity.map { "\($0.index)" } ?? "invalid"), "
          + "in \(coverage.found) of \(coverage.examined) access units looked at")
    }
    lines += findings.map { "    \($0.severity.rawValue): \($0.message) [\($0.code.rawValue)]" }
    return lines
  }

  private var kind: String {
    let name = unit.map { $0.format.codec == .ac3 ? "AC-3" : "E-AC-3" } ?? "unreadable access units"
    return name + (unit?.objects?.complexity == nil ? "" : " with JOC")
  }

  private var layoutText: String {
    layout.map { "\($0.name) (\($0.channelNames.joined(separator: " "))), " } ?? ""
  }

  private var containerLines: [String] {
    guard let facts = track.containerFacts else { return [] }
    let handler = String(decoding: facts.handler.name, as: UTF8.self)
    var lines = [
      "    timescale \(facts.media.timescale) (movie \(facts.movie.timescale)), language \(facts.media.language.code), "
        + "handler \(facts.handler.type) '\(handler)', entry \(facts.entry.box.type) version \(facts.entry.layout.rawValue), "
        + facts.chunkCount.counted("chunk")
    ]
    if let configuration {
      let signalled = signalledComplexity.map { ", JOC complexity \($0.index)" } ?? ""
      lines.append("    configuration \(configuration.hex): \(declaredDataRate ?? 0) kbit/s\(signalled)")
    }
    for edit in facts.editList?.entries ?? [] {
      let start =
        edit.mediaTime == -1
        ? "empty" : "from media time \(Self.time(edit.mediaTime, facts.media.timescale))"
      let rate = edit.mediaRate == 0x1_0000 ? "" : ", rate 0x\(String(edit.mediaRate, radix: 16))"
      lines.append(
        "    edit \(start), duration \(Self.time(edit.segmentDuration, facts.movie.timescale))\(rate)")
    }
    return lines
  }

  /// A number of ticks, and how long they are.
  private static func time(_ ticks: some BinaryInteger, _ timescale: UInt32) -> String {
    guard timescale > 0, let count = Int(exactly: ticks) else { return "\(ticks) ticks" }
    return "\(PCMTime(samples: count, rate: Int(timescale)).seconds) s (\(count)/\(timescale))"
  }

  private var substreamLines: [String] {
    guard let unit else { return [] }
    return unit.format.substreams.enumerated().map { position, substream in
      let map = substream.channelMap.map { " chanmap 0x\(String($0, radix: 16))" } ?? ""
      let level = unit.dialogueNormalizations[position]
      return "    \(substream.name) \(substream.codec.rawValue) bsid \(substream.bitstreamID) acmod "
        + "\(substream.audioCodingMode)\(substream.hasLFE ? " lfe" : "")\(map) blocks \(unit.format.blocksPerSyncFrame)"
        + " dialnorm -\(level == 0 ? 31 : level) dB, \(unit.substreamByteCounts[position]) bytes"
    }
  }
}

extension TrackScan {
  fileprivate var lines: [String] {
    let isSound = invalid.count + wrongChecksums.count == 0 && coverage.examined > 0
    let all =
      "    looked at \(coverage.examined) of \(coverage.total) access units, \(byteCount) bytes"
      + (isSound ? ", every checksum right" : "")
    guard coverage.found > 0 || !carriers.isEmpty else {
      return [all + (invalid.count < coverage.examined ? ": no joint object coding" : "")]
    }
    let seen = complexities.map { "\($0.complexity.index) in \($0.count)" }.joined(separator: ", ")
    return [
      all,
      "    joint object coding in \(carriers.map(\.description).joined(separator: ", ")), in \(coverage.found) of \(coverage.examined) access units, "
        + "complexity \(seen.isEmpty ? "invalid" : seen)",
    ]
  }
}
