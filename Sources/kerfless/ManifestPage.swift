extension ManualPage {
  /// kerfless-manifest(5): the format that batches read.
  static var manifest: ManualPage {
    var lines = [".Sh NAME", ".Nm kerfless-manifest", ".Nd jobs for kerfless batch", ".Sh DESCRIPTION"]
    lines += paragraphs(description) + list(keys.map { (".It Cm \($0.names)", $0.meaning) })
    lines += [".Pp"] + paragraphs(rules)
    lines += [".Sh EXAMPLES"] + literal(examples)
    let references = ["batch-cat", "batch-check", "batch-pack", "batch-run", "batch-status"].map {
      ".Xr kerfless-\($0) 1 ,"
    }
    lines += [".Sh SEE ALSO"] + references + [".Xr lz4 1"]
    return ManualPage(name: "kerfless-manifest.5", lines: lines)
  }

  private static let description = """
    A manifest is JSON Lines in UTF-8: one JSON object a line, each a job with one output. It may be compressed in LZ4 \
    frames (told by their first bytes), one or more of them, with skippable frames between them. It is read as it is needed, \
    so it may be of any length.

    These keys are known; any other is an error, and so is one that is given twice:
    """

  private static let keys: [(names: String, meaning: String)] = [
    ("id", "A text, unique in the manifest."),
    (
      "output",
      "A path, unique in the manifest. Its suffix says what it shall be. Folders that are missing are made."
    ),
    ("source", "The path of the file to cut from."),
    (
      "start , end , duration",
      "Times, as texts like those of the command line or as JSON numbers of seconds. One of end and duration at most."
    ),
    ("track", "The track id, where a source has several."),
    (
      "segments",
      "Instead of those: an array of objects with the keys from source to track, which are joined in order."
    ),
    ("cut", "\"frame\" (default) or \"exact\"."),
    ("preroll", "A number: access units in front of an exact cut."),
    ("snap", "\"floor\" (default), \"nearest\" or \"ceil\"."),
    ("clamp , ignoreEdits , allowMixedJoc", "true or false, as the options of kerfless trim."),
  ]

  private static let rules = """
    Relative paths are relative to the manifest's folder, or to --root DIR. A manifest that is read from standard input is \
    taken to lie in the working folder. Paths that are not UTF-8 cannot be in a manifest. A line has at most 1 MiB and 65,536 \
    values.

    A packed manifest (kerfless batch pack) is LZ4 frames of some thousand jobs each and an index of them in a skippable \
    frame, by which a shard finds its own frames without reading the others.
    """

  private static let examples = """
    {"id":"ep1-0001","source":"masters/ep1.mp4","start":"12.5","end":22.5,"output":"clips/ep1-0001.mp4"}
    {"id":"reel-7","segments":[{"source":"a.mp4","end":"3"},{"source":"b.mp4"}],"cut":"exact","output":"reels/7.mp4"}
    """
}
