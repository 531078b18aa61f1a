import Remuxing
import SystemIO

/// `repair`: wrong fields of a container put right in a new file.
enum RepairCommand {
  static func run(_ arguments: Arguments, _ console: Console) throws(CommandError) -> ExitCode {
    let settings = try OutputSettings(arguments)
    let name = try OutputName(ofAnySuffix: arguments)
    let path = try arguments.paths(1...1, "file")[0]
    let report = try engine { () throws(Failure) -> RepairReport in
      let repair = try Repair(path)
      let target = name.target(settings.output)
      guard !settings.isDryRun else {
        try settings.writer.check(repair.plan, for: target)
        return RepairReport(repair: repair, output: name.text, transfer: nil)
      }
      let transfer = try settings.writer.write(repair.plan, to: target)
      return RepairReport(repair: repair, output: name.text, transfer: transfer)
    }
    if console.printsJSON { console.print(report.json) } else { console.print(report.lines) }
    return ExitStatus.done.rawValue
  }
}

/// What a repair did, or would do, as text and as JSON.
struct RepairReport {
  let repair: Repair
  let output: String
  /// Nil for a dry run.
  let transfer: TransferReport?

  var lines: [String] {
    let verb = transfer == nil ? "would have" : "has"
    let count = repair.changes.count
    let what =
      count == 0 ? "nothing to repair, an identical copy" : "\(count.counted("field")) put right"
    var lines = ["\(output) \(verb) \(repair.plan.byteCount) bytes: \(what)"]
    for change in repair.changes {
      let track = change.trackID.map { " of track \($0)" } ?? ""
      lines.append(
        "  \(change.boxPath)\(track): \(change.field) \(change.old ?? "none") becomes \(change.new ?? "none") "
          + "[\(change.reason.rawValue)]")
    }
    if repair.shift != 0 {
      lines.append("  the media data move by \(repair.shift) bytes, and what points to them follows")
    }
    if !repair.widenedTracks.isEmpty {
      let tracks = repair.widenedTracks.map(String.init).joined(separator: ", ")
      lines.append("  chunk offsets become 64 bits wide (co64): track \(tracks)")
    }
    return lines
  }

  var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("schema", .string("kerfless.repair/1")), ("path", .string(repair.path.description)),
      ("output", .string(output)), ("bytes", .number(repair.plan.byteCount)),
      ("repaired", .bool(!repair.changes.isEmpty)), ("changes", .array(repair.changes.map(\.json))),
      ("shift", .number(repair.shift)),
      ("widenedTracks", .array(repair.widenedTracks.map { .number(Int($0)) })),
      ("madeBytes", .number(repair.plan.made.count)), ("findings", .array(repair.findings.map(\.json))),
    ]
    members.append(("io", transfer?.json ?? .null))
    return .object(members)
  }
}

extension FieldChange {
  fileprivate var json: JSONValue {
    .object([
      ("boxPath", .string(boxPath)), ("track", .optional(trackID.map { Int($0) })), ("field", .string(field)),
      ("old", .optional(old)), ("new", .optional(new)), ("reason", .string(reason.rawValue)),
    ])
  }
}
