public import SystemIO

/// The verdict on a file, and what it rests on.
public struct FileVerification: Sendable {
  /// Whether a file is as it should be.
  public enum Verdict: String, Sendable {
    /// Nothing is wrong.
    case right
    /// There is at least one warning or error.
    case wrong
    /// Nothing wrong was found, and there was no access unit to look at: nothing but other codecs, or encrypted.
    case unchecked
  }

  /// What was looked at of one track.
  public struct TrackVerification: Sendable {
    /// The track.
    public let track: AudioTrack
    /// Its access units; nil where they could not be walked over.
    public let scan: TrackScan?
  }

  /// The file.
  public let path: FilePath
  /// Its size in bytes.
  public let byteCount: Int
  /// What it is; nil where that could not be told.
  public let container: Container?
  /// Boxes that were looked at.
  public let boxCount: Int
  /// The AC-3 and E-AC-3 tracks.
  public let tracks: [TrackVerification]
  /// Everything that was found, in the order of the file's levels.
  public let findings: [PlacedFinding]
  /// What the payload was compared with; nil where that was not asked for or not possible.
  public let proof: PayloadProof?

  /// Looks at every box, every access unit and every checksum of a file, and compares its payload with what is expected.
  ///
  /// Throws when the file cannot be read, changes meanwhile, or is of a kind that is not supported, and when the
  /// expected ranges cannot be resolved. What is wrong with the file itself is found, not thrown.
  public init(_ path: FilePath, expecting expectation: PayloadExpectation? = nil) throws(Failure) {
    let file = try operating { () throws(SystemError) in try MappedFile(path: path) }
    var run: VerificationRun
    do throws(Failure) {
      run = try VerificationRun(file)
    } catch {
      throw file.explain(error)
    }
    var proof: PayloadProof?
    if let expectation, let source = run.source {
      proof = try PayloadProof(of: source, expectation, log: &run.log)
    }
    try operating { () throws(SystemError) in try file.checkUnchanged() }
    self.path = path
    byteCount = file.byteCount
    container = run.container
    boxCount = run.boxCount
    tracks = run.tracks.map { TrackVerification(track: $0.track, scan: $0.scan) }
    findings = run.log.findings
    self.proof = proof
  }

  /// Bytes of access units that were looked at.
  public var checkedByteCount: Int { tracks.reduce(0) { $0 + ($1.scan?.byteCount ?? 0) } }

  /// Access units that were looked at.
  public var accessUnitCount: Int { tracks.reduce(0) { $0 + ($1.scan?.coverage.examined ?? 0) } }

  /// The verdict: notes never count.
  public var verdict: Verdict {
    if findings.contains(where: { $0.finding.severity.isFault }) { return .wrong }
    return accessUnitCount == 0 ? .unchecked : .right
  }

  /// Findings of one severity.
  public func count(of severity: Finding.Severity) -> Int {
    findings.count { $0.finding.severity == severity }
  }
}
