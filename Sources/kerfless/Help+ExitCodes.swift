extension Help {
  /// The codes that a command can end with, and what they mean of it.
  static func exitCodes(of command: Command) -> [(codes: String, meaning: String)] {
    exitCodes.compactMap { entry in meaning(of: entry, for: command).map { (entry.codes, $0) } }
  }

  private static func meaning(of entry: (codes: String, meaning: String), for command: Command) -> String? {
    switch (entry.codes, command.name) {
    case ("0", "batch status"): "Done; with --check: every job is done, and no run is at work."
    case ("1", "batch run"), ("1", "batch check"):
      "Some jobs failed, none of them for a reason that may pass."
    case ("1", "batch status"): "With --check: all that is left failed for good."
    case ("1", _): nil
    case ("65", "verify"): "A file is wrong, or too damaged to be looked at."
    case ("65", "batch status"): "The manifest is malformed, or the journal is another manifest's."
    case ("65", "batch run"):
      "The manifest is malformed or another file, or the journal is another manifest's."
    case ("65", "batch check"): "The manifest is malformed, or another file."
    case ("65", "batch pack"): "The manifest is another file, or a line of it is wrong."
    case ("65", "batch cat"): "The manifest is malformed or another file, or ends in front of the lines."
    case ("65", "clean"), ("65", "help"): nil
    case ("65", _): "The input is malformed or incompatible, or the range lies outside it."
    case ("66", "clean"): "A folder is missing or cannot be read."
    case ("66", "batch status"): "The journal or the manifest is missing or cannot be read."
    case ("66", _) where command.name.hasPrefix("batch"): "The manifest is missing or cannot be read."
    case ("66", "help"): nil
    case ("69", "verify"): "A file is unchecked, or of a kind that is not supported."
    case ("69", "clean"), ("69", "help"): nil
    case ("69", _) where command.name.hasPrefix("batch"): "The manifest is in the legacy LZ4 format."
    case ("69", _): "The input or what is asked of the file system is not supported."
    case ("73", "batch run"): "The journal or the file of --metrics cannot be used."
    case ("73", _) where !command.options.contains { $0.name == Option.output.name }: nil
    case ("75", "batch run"): "Jobs failed that may work if tried again, or another run writes the journal."
    case ("75", "batch check"): "Jobs failed that may work if tried again."
    case ("75", "batch status"): "With --check: jobs are left, at work, or may work if tried again."
    case ("75", "help"): nil
    default: entry.meaning
    }
  }
}
