public import Remuxing
public import SystemIO

extension JournalStatus {
  /// Whether all jobs of the journal are done; those that only a manifest tells are not looked at.
  public var verdict: JournalVerdict {
    let counts = counts
    if runningCount > 0 || counts.begun > 0 || counts.failures.temporary > 0 { return .unfinished }
    return counts.failed > 0 ? .failed : .done
  }

  /// Whether all jobs of a manifest are done.
  ///
  /// A line that is no job, or one that no run takes for another's id or output, has failed for good. Throws when the
  /// manifest cannot be read.
  public func verdict(on manifest: InputFile, _ rules: PathRules) throws(Failure) -> JournalVerdict {
    var verdict = runningCount > 0 ? JournalVerdict.unfinished : .done
    var duplicates = DuplicateFinder()
    try forEachEntry(of: manifest, rules) { (entry, state, _) throws(Failure) in
      var isRefused = false
      switch entry {
      case .job(let job): isRefused = duplicates.failure(for: job) != nil
      case .invalid: isRefused = true
      }
      let hasFailed: Bool
      switch state {
      case .done: return
      case .begun: hasFailed = false
      case .failed(let code): hasFailed = code?.exitStatus != .temporary
      case nil: hasFailed = isRefused
      }
      if !hasFailed { verdict = .unfinished } else if case .done = verdict { verdict = .failed }
    }
    return verdict
  }

  /// Hands out the lines of some jobs as they are in the manifest, unpacked.
  ///
  /// Throws when the manifest cannot be read, when one of the lines is too long to be kept, or what the body throws.
  public func forEachLine(
    of manifest: InputFile, _ rules: PathRules, _ listing: JobListing,
    _ body: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachEntry(of: manifest, rules) { (_, state, lines) throws(Failure) in
      guard listing.contains(state) else { return }
      guard !lines.isTooLong else { throw ManifestPrinter.tooLong(lines.number, manifest) }
      let line = lines.bytes
      var text: [UInt8] = []
      text.reserveCapacity(line.count + 1)
      for index in 0..<line.count { text.append(line[index]) }
      try body(text + [UInt8(ascii: "\n")])
    }
  }

  /// Hands out the ids of some jobs that are in the journal, each once.
  ///
  /// Throws when a journal cannot be read, or what the body throws.
  public func forEachID(_ listing: JobListing, _ body: (String) throws(Failure) -> Void) throws(Failure) {
    var listed: Set<UInt64> = []
    for file in files {
      try JournalReader.forEachLine(of: JournalReader.open(file)) { (object) throws(LineError) in
        try JournalLine.names(in: object)
      } _: { (names) throws(Failure) in
        for (id, claim) in names ?? [] where listing.contains(index.state(of: claim)) {
          if listed.insert(claim).inserted { try body(id) }
        }
      }
    }
  }

  private func forEachEntry(
    of manifest: InputFile, _ rules: PathRules,
    _ body: (ManifestEntry, JournalState?, borrowing ManifestLines) throws(Failure) -> Void
  ) throws(Failure) {
    let part = ManifestPart(.whole, of: manifest, index: try PackIndex(manifest))
    var reader = try ManifestReader(ManifestLines(manifest, part), rules)
    while let entry = try reader.next() {
      switch entry {
      case .job(let job): try body(entry, index.state(of: job.claim), reader.lines)
      case .invalid: try body(entry, nil, reader.lines)
      }
    }
  }
}
