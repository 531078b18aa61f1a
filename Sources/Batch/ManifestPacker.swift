public import Remuxing
public import SystemIO

/// Packs a manifest: checked, in independent LZ4 frames with an index, so that a shard reads only its own.
public struct ManifestPacker: Sendable {
  /// What was packed.
  public struct Report: Sendable {
    /// Jobs in the manifest that can be run.
    public fileprivate(set) var jobCount = 0
    /// Frames written.
    public fileprivate(set) var frameCount = 0
    /// Bytes written.
    public fileprivate(set) var byteCount = 0
    /// Lines that are no job, or one that was there before. Where there is any, nothing is written.
    public fileprivate(set) var faultCount = 0
  }

  /// Jobs in each frame, at the most.
  public var jobsPerFrame = 4096
  /// Whether jobs of one source are put together.
  public var groupsBySource = false
  private let rules: PathRules

  /// A packer that understands paths in some way.
  public init(rules: PathRules) {
    self.rules = rules
  }

  /// Packs a manifest into a file, or finds out what is wrong with it.
  ///
  /// Throws when the manifest cannot be read or the file not be written.
  public func pack(
    _ manifest: InputFile, to path: FilePath, options: OutputOptions, onFault: (JobOutcome) -> Void
  ) throws(Failure) -> Report {
    let output: OutputFile
    do throws(SystemError) {
      output = try OutputFile(
        creating: path, options: options, sources: [manifest.identity].compactMap(\.self))
    } catch {
      throw Failure(error)
    }
    var packer = FramePacker(output, jobsPerFrame: jobsPerFrame)
    var report = Report()
    if groupsBySource {
      var grouping = try SourceGrouping(in: path.folder)
      try forEachJob(of: manifest, &report, onFault) { (line, job) throws(Failure) in
        try grouping.add(line, of: job)
      }
      guard report.faultCount == 0 else { return report }
      try grouping.forEachLine { (line) throws(Failure) in try packer.add(line) }
    } else {
      try forEachJob(of: manifest, &report, onFault) { (line, _) throws(Failure) in try packer.add(line) }
    }
    guard report.faultCount == 0 else { return report }
    try packer.finish()
    report.frameCount = packer.index.frames.count
    report.byteCount = packer.byteCount
    do throws(SystemError) { try output.publish() } catch { throw Failure(error) }
    return report
  }

  /// Hands out the line of each job, until something is wrong; from there on only faults are looked for.
  private func forEachJob(
    of manifest: InputFile, _ report: inout Report, _ onFault: (JobOutcome) -> Void,
    _ body: (borrowing Span<UInt8>, Job) throws(Failure) -> Void
  ) throws(Failure) {
    let lines = try ManifestLines(manifest, ManifestPart(.whole, of: manifest, index: nil))
    var reader = try ManifestReader(lines, rules)
    var duplicates = DuplicateFinder()
    while let entry = try reader.next() {
      let fault: JobOutcome?
      switch entry {
      case .invalid(let line, let error):
        fault = JobOutcome(invalid: line, error)
      case .job(let job):
        fault = duplicates.failure(for: job).map { JobOutcome(of: job, .failed($0), nanoseconds: 0) }
        report.jobCount += 1
        if fault == nil, report.faultCount == 0 { try body(reader.lines.bytes, job) }
      }
      if let fault {
        report.faultCount += 1
        onFault(fault)
      }
    }
  }
}
