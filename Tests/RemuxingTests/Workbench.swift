import ByteParsing
import Foundation
import ISOMedia
import SystemIO
import TestSupport
import Testing

@testable import Remuxing

/// Opens sources, plans outputs and looks at what comes out.
final class Workbench: Sendable {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// One of the project's fixtures.
  static func fixture(_ name: String) throws -> Source {
    try Source(opening: try #require(FilePath(Media.path(name))))
  }

  /// A source made of bytes.
  func source(_ bytes: [UInt8], as name: String = "source") throws -> Source {
    try Source(opening: try #require(FilePath(try folder.write(bytes, as: name))))
  }

  /// The one track of a source made of bytes.
  func track(_ sketch: MovieSketch, as name: String = "source") throws -> AudioTrack {
    try source(sketch.bytes, as: name).onlyTrack
  }

  /// An output as a source.
  func reopened(_ plan: Plan, as name: String = "output") throws -> Source {
    try source(plan.bytes, as: name)
  }
}

extension Source {
  /// The track that is cut when nobody chooses.
  var onlyTrack: AudioTrack {
    get throws { try TrackChoice(self, id: nil).track }
  }
}

extension Plan {
  /// The output, put together byte by byte without writing it.
  var bytes: [UInt8] {
    pieces.flatMap { piece -> [UInt8] in
      switch piece {
      case .made(let range): return Array(made[range])
      case .extent(let extent):
        let end = extent.offset + extent.byteCount
        let file = sources[extent.source]
        var part = file.bytes.extracting(extent.offset..<end).copied()
        guard extent.swapsPairs else { return part }
        for index in stride(from: 0, to: part.count - 1, by: 2) { part.swapAt(index, index + 1) }
        return part
      }
    }
  }
}

extension AudioTrack {
  /// The bytes of each access unit, by the track's own tables.
  var unitBytes: [[UInt8]] {
    get throws {
      try (0..<index.count).map { unit in
        let extent = try index.extents(of: unit..<unit + 1, in: file.bytes)[0]
        return file.bytes.extracting(extent.offset..<extent.offset + extent.byteCount).copied()
      }
    }
  }
}

extension AudioTrack {
  /// The payload of the sample entry's configuration box.
  var configuration: [UInt8] {
    get throws {
      let entry = try #require(containerFacts).entry
      return file.bytes.extracting(try #require(entry.child("dec3") ?? entry.child("dac3")).payload).copied()
    }
  }
}

/// The access units of an elementary fixture, divided as INDEX.tsv or each frame's own `frmsiz` says.
func units(of name: String) throws -> [[UInt8]] {
  let bytes = try Media.bytes(name)
  let row = try #require(Media.ownIndex.first { $0["file"] == name })
  var units: [[UInt8]] = []
  var offset = 0
  while units.count < Int(row["AUs"] ?? "") ?? 0 {
    let size =
      Int(row["AU_bytes"] ?? "")
      ?? 2 * (Int(bytes[offset + 2] & 7) << 8 + Int(bytes[offset + 3]) + 1)
    units.append(Array(bytes[offset..<offset + size]))
    offset += size
  }
  return units
}

/// A time that is known to be one.
func time(_ text: String) throws -> TimeExpression {
  try #require(TimeExpression(text))
}

/// A range from how it is written on the command line; empty for what is left out.
func range(_ start: String = "", _ end: String = "") throws -> TimeRange {
  TimeRange(
    start: start.isEmpty ? nil : try time(start), end: end.isEmpty ? .trackEnd : .at(try time(end)))
}

/// Runs `body` and returns the failure that it throws.
func failure<R>(_ body: () throws -> R) -> Failure? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? Failure
  }
}

extension OutputPlanner {
  /// A planner of MP4 files from its changed settings.
  static func iso(_ change: (inout CutOptions) -> Void = { _ in }) -> OutputPlanner {
    var options = CutOptions()
    change(&options)
    return OutputPlanner(options: options, form: .iso(isM4A: false))
  }

  /// A planner of elementary streams.
  static var elementary: OutputPlanner { OutputPlanner(options: CutOptions(), form: .elementaryStream) }

  /// Plans one range of a source.
  func plan(_ source: Source, _ range: TimeRange = .all, track: UInt32? = nil) throws(Failure)
    -> PlannedOutput
  {
    try plan([SegmentRequest(source: source, range: range, trackID: track)])
  }
}
