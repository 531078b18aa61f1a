import Remuxing
import SystemIO

/// Everything that the options say about how an output is cut and written.
struct OutputSettings {
  let cutting: CutOptions
  let output: OutputOptions
  let writer: PlanWriter
  let trackID: UInt32?
  let isDryRun: Bool

  init(_ arguments: Arguments) throws(CommandError) {
    cutting = try arguments.cutOptions()
    var output = OutputOptions()
    output.replacesExisting = arguments.has(.force)
    output.publication = try arguments.choice(.publish, else: .rename)
    output.durability = try arguments.choice(.sync, else: .none)
    self.output = output
    writer = PlanWriter(method: try arguments.choice(.io, else: .auto))
    trackID = try arguments.number(.track)
    isDryRun = arguments.has(.dryRun)
  }
}

/// Where an output goes and what it is.
struct OutputName {
  let form: OutputForm
  let target: Target

  enum Target {
    case path(FilePath)
    case standardOutput
  }

  init(form: OutputForm, path: FilePath) {
    self.form = form
    target = .path(path)
  }

  /// Told by `--format`, or else by the suffix of the output's name.
  init(_ arguments: Arguments) throws(CommandError) {
    guard let bytes = arguments.bytes(.output) else {
      throw .usage("there is no output", "give one with -o OUT")
    }
    let isStandardOutput = bytes == Array("-".utf8)
    let path = try Arguments.path(bytes)
    guard let suffix = arguments.text(.format) ?? (isStandardOutput ? nil : path.suffix) else {
      throw .usage(
        "standard output does not tell what it shall be", "give --format mp4, m4a, ec3, eac3 or ac3")
    }
    guard !suffix.isEmpty else {
      throw .usage(
        "the output's name does not tell what it shall be",
        "name it .mp4, .m4a, .ec3, .eac3 or .ac3, or give --format")
    }
    guard let form = OutputForm(suffix: suffix) else {
      throw .usage(
        "an output cannot be '\(suffix)'", "name it .mp4, .m4a, .ec3, .eac3 or .ac3, or give --format")
    }
    guard !isStandardOutput || !StandardStream.output.isTerminal else {
      throw .usage("standard output is a terminal", "send it to a file or a pipe")
    }
    self.form = form
    target = isStandardOutput ? .standardOutput : .path(path)
  }

  /// An ISO or QuickTime file of whatever name: what it shall be is what its source is.
  init(ofAnySuffix arguments: Arguments) throws(CommandError) {
    guard let bytes = arguments.bytes(.output) else {
      throw .usage("there is no output", "give one with -o OUT")
    }
    form = .iso(isM4A: false)
    guard bytes == Array("-".utf8) else {
      target = .path(try Arguments.path(bytes))
      return
    }
    guard !StandardStream.output.isTerminal else {
      throw .usage("standard output is a terminal", "send it to a file or a pipe")
    }
    target = .standardOutput
  }

  func target(_ options: OutputOptions) -> OutputTargetName {
    switch target {
    case .path(let path): .file(path, options)
    case .standardOutput: .standardOutput(options)
    }
  }

  var isStandardOutput: Bool {
    if case .standardOutput = target { true } else { false }
  }

  var text: String {
    switch target {
    case .path(let path): path.description
    case .standardOutput: "-"
    }
  }
}

extension Arguments {
  /// `--start`, and `--end` or `--duration`.
  func range() throws(CommandError) -> TimeRange {
    let end = try time(.end)
    let duration = try time(.duration)
    guard end == nil || duration == nil else { throw .usage("--end and --duration exclude each other", nil) }
    return TimeRange(
      start: try time(.start), end: end.map { .at($0) } ?? duration.map { .after($0) } ?? .trackEnd)
  }
}

extension Arguments {
  /// How ranges become access units.
  func cutOptions(else mode: CutMode = .frame) throws(CommandError) -> CutOptions {
    var cutting = CutOptions()
    cutting.mode = try choice(.cut, else: mode)
    cutting.preRoll = try number(.preroll).map { Int($0) }
    guard cutting.preRoll == nil || cutting.mode == .exact else {
      throw .usage(
        "--preroll goes with --cut exact", "leave it out: a cut at access unit borders hides nothing")
    }
    guard text(.snap) == nil || cutting.mode == .frame else {
      throw .usage("--snap goes with --cut frame", "leave it out: an exact cut needs no rounding")
    }
    cutting.snap = try choice(.snap, else: .floor)
    cutting.clampsEnd = has(.clamp)
    cutting.ignoresEdits = has(.ignoreEdits)
    cutting.allowsMixedObjects = has(.allowMixed)
    return cutting
  }
}
