import Foundation
import TestSupport
import Testing

/// One subject, a folder for its outputs, and what judges say of the subject itself.
struct SubjectRun {
  let subject: Subject
  let folder: TemporaryFolder
  private let warnings: Set<String>
  private let decodeErrors: Set<String>
  /// What MediaInfo says of the source, of its elementary stream, and of another file of the same shape.
  private let formats: [[String: String]]

  init(_ subject: Subject) throws {
    self.subject = subject
    folder = try TemporaryFolder()
    warnings = try Judges.probe(subject.path).warnings
    decodeErrors = try Judges.decodeErrors(subject.path)
    // The container of a source may be wrong about its stream (chan_loc, JOC), so its bare stream counts too.
    let bare = try TemporaryFolder()
    try Tool.kerfless.run(["extract", subject.path, "-o", bare.file("bare.ec3")])
    var formats = [
      try Judges.format(subject.path, track: subject.track), try Judges.format(bare.file("bare.ec3")),
    ]
    // MediaInfo names a second programme only inside MP4.
    if subject.name.contains("2ind") { formats.append(try Judges.format(Media.path("ddp2ind.mp4"))) }
    self.formats = formats
  }

  func part(_ units: Range<Int>) -> Judges.Part {
    Judges.Part(source: subject.path, units: units, track: subject.track)
  }

  func kerfless(_ arguments: [String]) throws {
    let result = try Tool.kerfless.run(arguments)
    #expect(result.status == 0, "\(arguments): \(result.errors)")
  }

  func trim(_ name: String, _ range: [String], _ units: Range<Int>) throws {
    let output = folder.file(name)
    try kerfless(["trim", subject.path, "-o", output] + range)
    try check(output, [units])
  }

  /// Structure, payload, durations, and what ffprobe, ffmpeg and MediaInfo make of an output.
  func check(_ output: String, _ ranges: [Range<Int>]) throws {
    try check(output, madeOf: ranges.map(part))
  }

  func check(_ output: String, madeOf parts: [Judges.Part]) throws {
    let structure = try Judges.structure(output, parts)
    #expect(structure.filter { !(subject.hasBadChecksum && $0.hasPrefix("syncframe.crc")) } == [])
    let payload = try Judges.payload(output, parts)
    #expect(payload == [])
    let count = parts.reduce(0) { $0 + $1.units.count }
    let probe = try Judges.probe(output)
    if !subject.hasBadChecksum { #expect(probe.warnings.subtracting(warnings) == []) }
    #expect(probe.frames == count)
    #expect(probe.durationTicks == count * 1536)
    #expect(probe.timeBase == "1/\(subject.sampleRate)")
    let made = try Judges.format(output)
    #expect(made.filter { field in !formats.contains { $0[field.key] == field.value } } == [:])
    // FFmpeg decodes no half sample rates at all.
    guard subject.sampleRate >= 32000 else { return }
    let decoding = try Judges.decodeErrors(output)
    #expect(decoding.subtracting(decodeErrors) == [])
  }
}
