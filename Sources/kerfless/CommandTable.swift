import Batch
import Remuxing
import SystemIO

/// An option: how it is written, and what help says of it.
struct Option: Sendable {
  let name: String
  var short: Character?
  /// What stands for the value in help; nil for a flag.
  var value: String?
  /// What a shell can offer for the value.
  var offer = Offer.nothing
  /// Whether it may be given more than once.
  var isRepeatable = false
  var help: String

  /// The same option with another text.
  func saying(_ help: String) -> Option {
    var option = self
    option.help = help
    return option
  }

  /// The same option with other values.
  func offering(_ offer: Offer) -> Option {
    var option = self
    option.offer = offer
    return option
  }
}

/// What a shell can offer where a value or an operand is to be written.
///
/// The words are asked for only then, so that the table costs nothing at the start of a command.
enum Offer: Sendable {
  case nothing
  case files
  case folders
  case words(@Sendable () -> [String])
  /// The name of a command, which may be two words.
  case commands
}

/// A command: how it is written, and what help says of it.
struct Command: Sendable {
  let name: String
  let operands: String
  /// What a shell can offer for the operands.
  var offer = Offer.files
  let summary: String
  let manual: Manual
  let options: [Option]
  let run: @Sendable (Arguments, Console) throws(CommandError) -> ExitCode

  /// The command that some words start with, whose name may be two words, and the words behind it.
  ///
  /// Throws when there is none.
  static func starting(_ words: [[UInt8]]) throws(CommandError) -> (command: Command, rest: [[UInt8]]) {
    let texts = words.prefix(2).map { String(decoding: $0, as: UTF8.self) }
    let verbs = verbs(of: texts.first ?? "")
    if let group = texts.first, !verbs.isEmpty, texts.count < 2 || !verbs.contains(texts[1]) {
      let others = "choose one of: " + verbs.joined(separator: ", ")
      guard texts.count > 1 else { throw .usage("\(group) needs to know what to do", others) }
      throw .usage("\(group) cannot '\(texts[1])'", Suggestion.text(for: texts[1], among: verbs) ?? others)
    }
    guard !verbs.isEmpty else { return (try named(texts.first ?? ""), Array(words.dropFirst())) }
    return (try named(texts.joined(separator: " ")), Array(words.dropFirst(2)))
  }

  /// The second words of a group of commands; none where a name is no group's.
  static func verbs(of group: String) -> [String] {
    all.filter { $0.name.hasPrefix(group + " ") }.map { String($0.name.dropFirst(group.count + 1)) }
  }

  /// The words that a command line can start with.
  static var firstWords: [String] {
    var words: [String] = []
    for command in all {
      let word = String(command.name.prefix { $0 != " " })
      if words.last != word { words.append(word) }
    }
    return words
  }

  private static func named(_ name: String) throws(CommandError) -> Command {
    guard let command = all.first(where: { $0.name == name }) else {
      throw .usage(
        "there is no command '\(name)'",
        Suggestion.text(for: name, among: all.map(\.name)) ?? "see kerfless help")
    }
    return command
  }
}

extension Option {
  static let output = Option(
    name: "output", short: "o", value: "OUT", offer: .files,
    help: "where to write; - is standard output, see --format")
  static let format = Option(
    name: "format", value: "FORMAT", offer: .words { ["mp4", "m4a", "ec3", "eac3", "ac3"] },
    help:
      "what to write where the output's name does not tell: mp4, m4a, ec3, eac3 or ac3 (the last three are one)"
  )
  static let start = Option(
    name: "start", value: "T",
    help: "where to start (default: 0; without an end, a frame cut then takes every access unit)")
  static let end = Option(name: "end", value: "T", help: "where to end (default: the end of the track)")
  static let duration = Option(name: "duration", value: "T", help: "how long, instead of --end")
  static let every = Option(name: "every", value: "T", help: "the length of each piece")
  static let cut = Option(
    name: "cut", value: "MODE", offer: .words { CutMode.allCases.map(\.rawValue) },
    help: "frame: whole access units (default); exact: the asked PCM samples, by an edit list")
  static let preroll = Option(
    name: "preroll", value: "N",
    help: "access units that prime the decoder in front of an exact cut (default: 1, with JOC 2)")
  static let snap = Option(
    name: "snap", value: "WAY", offer: .words { Snap.allCases.map(\.rawValue) },
    help: "which access unit border to take: floor (default), nearest or ceil")
  static let clamp = Option(name: "clamp", help: "let an end behind the track's end mean the track's end")
  static let track = Option(name: "track", value: "N", help: "the track id, where there are several")
  static let ignoreEdits = Option(
    name: "ignore-edits", help: "cut by media time, whatever the edit list says")
  static let allowMixed = Option(
    name: "allow-mixed-joc", help: "take a range of which only a part has joint object coding")
  static let io = Option(
    name: "io", value: "METHOD", offer: .words { CopyMethod.allCases.map(\.rawValue) },
    help: "auto (default), clone (share blocks with the source), copy (inside the kernel) or gather (write)")
  static let sync = Option(
    name: "sync", value: "WHAT", offer: .words { Durability.allCases.map(\.rawValue) },
    help: "what to force to the disk: none (default) or file")
  static let publish = Option(
    name: "publish", value: "HOW", offer: .words { Publication.allCases.map(\.rawValue) },
    help:
      "rename: all or nothing (default); direct: under its own name at once, for mounts that cannot rename; with --force the old file is removed first"
  )
  static let force = Option(name: "force", short: "f", help: "replace an existing output")
  static let dryRun = Option(name: "dry-run", short: "n", help: "print the plan and write nothing")
  static let scan = Option(
    name: "scan", help: "look at every access unit and its checksums, not only at the first one")
  static let source = Option(
    name: "source", value: "SEGMENT", offer: .files, isRepeatable: true,
    help: "prove the payload equal to this range of a source; give several in order for a join")
  static let recursive = Option(
    name: "recursive", short: "r", help: "and in all folders below them, links not followed")
  static let json = Option(name: "json", help: "print one JSON object a file")

  static let jobs = Option(
    name: "jobs", short: "j", value: "N",
    help: "jobs to run at the same time (default: the processors that this process may use)")
  static let root = Option(
    name: "root", value: "DIR", offer: .folders,
    help: "what relative paths are relative to (default: the manifest's folder)")
  static let confine = Option(
    name: "confine", value: "DIR", offer: .folders,
    help: "refuse sources and outputs outside this folder, links followed")
  static let journal = Option(
    name: "journal", value: "DIR", offer: .folders, help: "write down in this folder what is begun and done")
  static let resume = Option(name: "resume", help: "leave alone what the journal knows to be done")
  static let edited = Option(
    name: "edited", help: "go on although the manifest was edited; jobs that have changed run again")
  static let shard = Option(
    name: "shard", value: "I/N", offer: .words { ["auto"] },
    help:
      "one of N parts, from 0; auto/N or auto: as the array job of Slurm, Kubernetes or AWS Batch says")
  static let metrics = Option(
    name: "metrics", value: "FILE", offer: .files,
    help: "write numbers for Prometheus to this file, every five seconds")
  static let frameJobs = Option(name: "frame-jobs", value: "N", help: "jobs a frame (default: 4096)")
  static let bySource = Option(name: "by-source", help: "put jobs of one source together")
  static let lines = Option(
    name: "lines", value: "A-B", help: "only these lines, numbered as errors number them, from 1")
  static let check = Option(
    name: "check",
    help:
      "tell by the exit status: 0 when all is done, 75 when jobs are left or at work, 1 when the rest failed for good"
  )
  static let list = Option(
    name: "list", value: "WHICH", offer: .words { JobListing.allCases.map(\.rawValue) },
    help:
      "print jobs instead of counts: failed, begun (and not over) or unbegun; their lines of MANIFEST, or without it their ids"
  )
  static let retry = Option(
    name: "retry", value: "N",
    help:
      "how often to try a job again that failed for a reason that may pass (those of exit status 75: source.changed, target.changed, system.resources, system.descriptors): after 0.1 s, then twice as long each time, up to 5 s"
  )
  static let maxErrors = Option(
    name: "max-errors", value: "N", help: "start no further job after N failures")

  static let pages = Option(name: "pages", help: "print the names of the manual pages")
  static let page = Option(
    name: "page", value: "NAME", offer: .words { ManualPage.names },
    help: "print a manual page, as man reads it: kerfless help --page kerfless-trim.1 | man -l -")
  static let completions = Option(
    name: "completions", value: "SHELL", offer: .words { Shell.allCases.map(\.rawValue) },
    help: "print what completes command lines in bash, zsh or fish")

  static let range: [Option] = [.start, .end, .duration]
  static let cutting: [Option] = [
    .cut, .preroll, .snap, .clamp, .track, .ignoreEdits, .allowMixed, .io, .sync, .publish, .force, .dryRun,
    .json,
  ]
}

extension Command {
  static let all: [Command] = [
    Command(
      name: "inspect", operands: "FILE…",
      summary: "print what files hold: tracks, access units, layout, findings",
      manual: .inspect, options: [.scan, .json], run: InspectCommand.run),
    Command(
      name: "trim", operands: "SOURCE -o OUT", summary: "cut a range out of a track",
      manual: .trim, options: [.output, .format] + Option.range + Option.cutting, run: CutCommand.trim),
    Command(
      name: "concat", operands: "SEGMENT… -o OUT", summary: "join ranges of one or more files of one format",
      manual: .concat, options: [.output, .format] + Option.cutting, run: CutCommand.concat),
    Command(
      name: "split", operands: "SOURCE --every T -o 'clips/%06d.mp4'",
      summary: "cut a track into pieces of one length",
      manual: .split,
      options: [
        .output.saying(
          "a pattern: %d, or %06d for six digits, is the piece's number, from 0; %% is a percent sign"),
        .format, .every,
      ] + Option.range + Option.cutting, run: SplitCommand.run),
    Command(
      name: "extract", operands: "SOURCE -o OUT.ec3",
      summary: "write the elementary stream of a track or range",
      manual: .extract,
      options: [
        .output,
        .format.saying("ec3, eac3 or ac3, where the output's name does not tell")
          .offering(.words { ["ec3", "eac3", "ac3"] }),
      ]
        + Option.range
        + Option.cutting, run: CutCommand.extract),
    Command(
      name: "mux", operands: "STREAM.ec3 -o OUT.mp4", summary: "put an elementary stream into an MP4 file",
      manual: .mux,
      options: [
        .output,
        .format.saying("mp4 or m4a, where the output's name does not tell")
          .offering(.words { ["mp4", "m4a"] }),
      ] + Option.range
        + Option.cutting, run: CutCommand.mux),
    Command(
      name: "verify", operands: "FILE…",
      summary: "look at every box, access unit and checksum, and tell what is wrong",
      manual: .verify,
      options: [
        .source,
        .cut.saying("how the ranges were cut: frame or exact (default: exact where FILE has an edit list)"),
        .preroll.saying("access units in front of an exact cut (default: as many as FILE's edit list hides)"),
        .snap,
        .clamp,
        .track.saying("the track id in the sources, where they have several, and in FILE where that has too"),
        .ignoreEdits, .json,
      ], run: VerifyCommand.run),
    Command(
      name: "repair", operands: "FILE -o OUT",
      summary: "put wrong fields of the container right in a new file",
      manual: .repair,
      options: [
        .output.saying("where to write; - is standard output"), .io, .sync, .publish, .force, .dryRun, .json,
      ], run: RepairCommand.run),
    Command(
      name: "batch run", operands: "MANIFEST",
      summary: "run a manifest of jobs; - reads it from standard input",
      manual: .batchRun,
      options: [
        .jobs, .root, .confine, .shard, .journal, .resume, .edited, .retry, .maxErrors, .metrics, .io,
        .sync.saying("what to force to the disk: none, file, or group: everything, now and then (default)")
          .offering(.words { BatchDurability.allCases.map(\.rawValue) }),
        .publish, .force,
        .json.saying("print one JSON object a job, and a summary"),
      ], run: BatchRunCommand.run),
    Command(
      name: "batch check", operands: "MANIFEST",
      summary: "find all that is wrong with a manifest, its sources and ranges, and write nothing",
      manual: .batchCheck,
      options: [.jobs, .root, .confine, .shard, .json.saying("print one JSON object a job, and a summary")],
      run: BatchRunCommand.check),
    Command(
      name: "batch pack", operands: "MANIFEST -o OUT.lz4",
      summary: "check a manifest and pack it in LZ4 frames with an index, so that shards read only theirs",
      manual: .batchPack,
      options: [
        .output.saying("where to write"), .frameJobs, .bySource, .root, .confine, .force, .json,
      ], run: BatchPackCommand.run),
    Command(
      name: "batch cat", operands: "MANIFEST", summary: "print a manifest, or a part of it, unpacked",
      manual: .batchCat, options: [.shard, .lines], run: BatchCatCommand.run),
    Command(
      name: "batch status", operands: "JOURNAL [MANIFEST]",
      summary: "tell from a journal how many jobs are done, failed, begun, and with the manifest, not begun",
      manual: .batchStatus,
      options: [
        .check, .list, .root.saying("the folder that batch run --root was given, where it was given one"),
        .json.saying("print one JSON object"),
      ], run: BatchStatusCommand.run),
    Command(
      name: "clean", operands: "DIR…", offer: .folders,
      summary: "remove temporary files that dead runs left in folders",
      manual: .clean, options: [.recursive, .json], run: CleanCommand.run),
    Command(
      name: "help", operands: "[COMMAND]", offer: .commands,
      summary: "print help, manual pages, or what shells complete with",
      manual: .help, options: [.pages, .page, .completions], run: HelpCommand.run),
  ]
}
