import EnhancedAC3
import Remuxing
import SystemIO

/// What was written, or would be, as text and as JSON.
struct OutputReportText {
  let command: String
  let output: String
  let planned: PlannedOutput
  /// Nil for a dry run.
  let transfer: TransferReport?
  private let report: OutputReport

  init(command: String, output: String, planned: PlannedOutput, transfer: TransferReport?) {
    self.command = command
    self.output = output
    self.planned = planned
    self.transfer = transfer
    report = planned.report
  }

  /// What the plan found, and a name that says something else than what is written.
  var findings: [Finding] {
    let codec = report.codec == .ac3 ? "AC-3" : "E-AC-3"
    let misnamed = report.codec == .ac3 ? [".ec3", ".eac3"] : [".ac3"]
    guard misnamed.contains(where: output.lowercased().hasSuffix) else { return report.findings }
    return report.findings + [
      Finding(.outputSuffix, .warning, "the output is \(codec), its name says something else")
    ]
  }

  /// The first segment's place for one segment; the output's own clock for a join.
  private var presented: Range<Int> {
    report.segments.count == 1 ? report.segments[0].presented : 0..<report.presentedSamples
  }

  private var requested: Range<Int> {
    report.segments.count == 1
      ? report.segments[0].requested : 0..<report.segments.reduce(0) { $0 + $1.requested.count }
  }
}

extension OutputReportText {
  var lines: [String] {
    let length = PCMTime(samples: report.presentedSamples, rate: report.sampleRate)
    let verb = transfer == nil ? "would be" : "has"
    var lines = [
      "\(output) \(verb) \(report.accessUnitCount.counted("access unit")), \(length.seconds) s, \(planned.plan.byteCount) bytes"
    ]
    for segment in report.segments {
      let start = segment.presented.lowerBound - segment.requested.lowerBound
      let end = segment.presented.upperBound - segment.requested.upperBound
      lines.append(
        "  \(segment.path) track \(segment.trackID): access units \(segment.accessUnits.lowerBound) ..< "
          + "\(segment.accessUnits.upperBound), \(offset(start)) at the start, \(offset(end)) at the end")
    }
    if report.hidden.start > 0 || report.hidden.end > 0 {
      lines.append(
        "  hidden by the edit list: \(report.hidden.start) samples in front (pre-roll of \(report.preRoll)), "
          + "\(report.hidden.end) behind")
    }
    if let complexity = report.complexity {
      lines.append(
        "  joint object coding, complexity \(complexity.index), in \(report.coverage.found) of "
          + "\(report.coverage.examined) access units looked at (\(report.coverage.total) in all)")
    }
    if let transfer {
      lines.append("  payload: \(Self.parts(transfer).joined(separator: ", "))")
    } else {
      lines += planLines
    }
    return lines
  }

  private static func parts(_ transfer: TransferReport) -> [String] {
    [
      (transfer.clonedByteCount, "cloned"), (transfer.copiedByteCount, "copied or shared by the kernel"),
      (transfer.gatheredByteCount, "gathered"),
    ].filter { $0.0 > 0 }.map { "\($0.0) bytes \($0.1)" }
  }

  private func offset(_ samples: Int) -> String {
    let time = PCMTime(samples: samples, rate: report.sampleRate)
    return samples == 0 ? "exact" : "\(samples > 0 ? "+" : "")\(samples) samples (\(time.seconds) s)"
  }

  private var planLines: [String] {
    let lines = listing { position, piece, source in
      switch piece {
      case .made(let range):
        return "  byte \(position): \(range.count) bytes made"
      case .extent(let extent):
        return "  byte \(position): \(extent.byteCount) bytes of \(source) from byte \(extent.offset)"
          + (extent.swapsPairs ? ", every two exchanged" : "")
      }
    }
    let rest = planned.plan.pieces.count - lines.count
    return lines + (rest > 0 ? ["  … and \(rest) more"] : [])
  }

  /// More pieces than these are counted and not listed.
  private static let maximumListed = 65_536

  /// What to say of each piece: its place in the output, the piece, and its source's path.
  fileprivate func listing<T>(_ describe: (Int, Piece, String) -> T) -> [T] {
    let paths = planned.plan.sources.map(\.path.description)
    var position = 0
    return planned.plan.pieces.prefix(Self.maximumListed).map { piece in
      defer { position += piece.byteCount }
      if case .extent(let extent) = piece { return describe(position, piece, paths[extent.source]) }
      return describe(position, piece, "")
    }
  }
}

extension OutputReportText {
  var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("schema", .string("kerfless.\(command)/1")), ("output", .string(output)),
      ("bytes", .number(planned.plan.byteCount)), ("codec", .string(report.codec.rawValue)),
      ("sampleRate", .number(report.sampleRate)), ("accessUnits", .number(report.accessUnitCount)),
      ("firstAccessUnit", .number(report.segments[0].accessUnits.lowerBound)),
      ("preRoll", .number(report.preRoll)),
      ("hidden", .object([("start", time(report.hidden.start)), ("end", time(report.hidden.end))])),
      ("presented", times(presented)), ("requested", times(requested)),
      ("offset", offsets(presented, requested)), ("joc", joc),
      ("findings", .array(findings.map(\.json))),
      ("segments", .array(report.segments.map(segment))),
    ]
    if let transfer {
      members.append(("io", transfer.json))
    } else {
      members += [("planPieces", .number(planned.plan.pieces.count)), ("plan", .array(planJSON))]
    }
    return .object(members)
  }

  private var joc: JSONValue {
    .object([
      ("signalled", .bool(report.complexity != nil)), ("complexity", .optional(report.complexity?.index)),
      ("coverage", report.coverage.json),
    ])
  }

  private func segment(_ segment: OutputReport.SegmentReport) -> JSONValue {
    .object([
      ("path", .string(segment.path.description)), ("track", .number(Int(segment.trackID))),
      ("firstAccessUnit", .number(segment.accessUnits.lowerBound)),
      ("accessUnits", .number(segment.accessUnits.count)), ("presented", times(segment.presented)),
      ("requested", times(segment.requested)), ("offset", offsets(segment.presented, segment.requested)),
    ])
  }

  private func times(_ range: Range<Int>) -> JSONValue {
    .object([
      ("start", time(range.lowerBound)), ("end", time(range.upperBound)), ("duration", time(range.count)),
    ])
  }

  private func offsets(_ presented: Range<Int>, _ requested: Range<Int>) -> JSONValue {
    .object([
      ("start", time(presented.lowerBound - requested.lowerBound)),
      ("end", time(presented.upperBound - requested.upperBound)),
    ])
  }

  private func time(_ samples: Int) -> JSONValue {
    PCMTime(samples: samples, rate: report.sampleRate).json
  }

  private var planJSON: [JSONValue] {
    listing { position, piece, source in
      let place: [(String, JSONValue)] = [("offset", .number(position)), ("bytes", .number(piece.byteCount))]
      switch piece {
      case .made:
        return .object(place + [("kind", .string("made"))])
      case .extent(let extent):
        return .object(
          place + [
            ("kind", .string("extent")), ("source", .string(source)),
            ("sourceOffset", .number(extent.offset)), ("byteSwapped", .bool(extent.swapsPairs)),
          ])
      }
    }
  }
}

extension TransferReport {
  var json: JSONValue {
    .object([
      ("method", .string(method.rawValue)), ("cloned", .number(clonedByteCount)),
      ("copied", .number(copiedByteCount)), ("gathered", .number(gatheredByteCount)),
    ])
  }
}

extension PCMTime {
  var json: JSONValue {
    .object([("samples", .number(samples)), ("seconds", .string(seconds))])
  }
}

extension Finding {
  var json: JSONValue {
    .object([
      ("code", .string(code.rawValue)), ("severity", .string(severity.rawValue)),
      ("message", .string(message)),
    ])
  }
}

extension ObjectCoverage {
  var json: JSONValue {
    .object([("found", .number(found)), ("examined", .number(examined)), ("accessUnits", .number(total))])
  }
}
