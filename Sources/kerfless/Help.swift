/// Help, generated from the table of commands.
enum Help {
  static let version = "kerfless 0.1.0"
  /// When this version's manual was last written, as mdoc(7) has it.
  static let date = "November 30, 2026"

  static let purpose = "cut and join Dolby Digital Plus in MP4 without decoding"
  static let times =
    "A time T is 12, 12.5s, 500ms, 01:02:03.5, 02:03.5, 240000smp (PCM samples) or 156au (access units)."
  static let segments =
    "A SEGMENT is FILE or FILE@START-END, either end left out at will; FILE@ takes a name with an @ in it as it is."

  static let exitCodes: [(codes: String, meaning: String)] = [
    ("0", "Done."),
    ("1", "Some jobs of a batch failed, none of them for a reason that may pass; status: with --check."),
    ("64", "The command line cannot be understood."),
    ("65", "The input is malformed or incompatible, or the range lies outside it; verify: wrong."),
    ("66", "The input is missing or cannot be read."),
    ("69", "The input or what is asked of the file system is not supported; verify: unchecked."),
    ("73", "The output exists, or cannot be created."),
    ("74", "A read or write failed, or the result could not be printed."),
    (
      "75",
      "It may work if tried again: the source changed, no space, no descriptors, the output's name was taken."
    ),
    ("128 + signal", "Ended by a signal: 130 for SIGINT, 143 for SIGTERM; nothing is left behind."),
  ]

  static let arrayVariables: [(names: String, meaning: String)] = [
    (
      "SLURM_ARRAY_TASK_ID , SLURM_ARRAY_TASK_MIN , SLURM_ARRAY_TASK_MAX , SLURM_ARRAY_TASK_STEP , SLURM_ARRAY_TASK_COUNT",
      "A Slurm job array."
    ),
    ("JOB_COMPLETION_INDEX", "A Kubernetes Indexed Job."),
    ("AWS_BATCH_JOB_ARRAY_INDEX , AWS_BATCH_JOB_ARRAY_SIZE", "An AWS Batch array job."),
  ]

  static var overview: [String] {
    [
      "Cut and join Dolby Digital Plus (E-AC-3, AC-3; with or without JOC) in MP4 without decoding.", "",
      "usage: kerfless COMMAND …", "",
    ] + summaries(of: Command.all) + [
      "", "  kerfless help COMMAND   its options", "  kerfless --version", "", times, segments,
    ]
  }

  /// The commands whose names start with the same word.
  private static func lines(forGroup name: String) -> [String] {
    ["usage: kerfless \(name) COMMAND …", ""]
      + summaries(of: Command.all.filter { $0.name.hasPrefix(name + " ") })
      + ["", "  kerfless help \(name) COMMAND   its options"]
  }

  private static func summaries(of commands: [Command]) -> [String] {
    let width = commands.map(\.name.count).max() ?? 0
    return commands.map { "  \($0.name.padded(to: width))  \($0.summary)" }
  }

  /// Help on what some words name: a command, a group of commands, or, where there is none, on all.
  static func lines(on words: [[UInt8]]) throws(CommandError) -> [String] {
    guard let first = words.first.map({ String(decoding: $0, as: UTF8.self) }) else { return overview }
    if words.count == 1, !Command.verbs(of: first).isEmpty { return lines(forGroup: first) }
    return lines(for: try Command.starting(words).command)
  }

  private static func lines(for command: Command) -> [String] {
    let names = command.options.map(name)
    let width = names.map(\.count).max() ?? 0
    var lines = [command.summary, "", "usage: kerfless \(command.name) \(command.operands) [options]", ""]
    lines += zip(names, command.options).map { "  \($0.padded(to: width))  \($1.help)" }
    let notes = notes(on: command)
    return notes.isEmpty ? lines : lines + [""] + notes
  }

  /// How the values that a command takes are written.
  static func notes(on command: Command) -> [String] {
    let takesSegments =
      command.operands.contains("SEGMENT") || command.options.contains { $0.value == "SEGMENT" }
    let takesTimes = takesSegments || command.options.contains { $0.value == "T" }
    return (takesTimes ? [times] : []) + (takesSegments ? [segments] : [])
  }

  private static func name(_ option: Option) -> String {
    let short = option.short.map { "-\($0), " } ?? "    "
    return short + "--" + option.name + (option.value.map { " " + $0 } ?? "")
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
