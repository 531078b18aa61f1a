import Remuxing
import SystemIO

/// Reads what earlier runs wrote into a folder's journals.
struct JournalReader {
  /// What all files together say.
  private(set) var index = JournalIndex()
  /// Lines that are none: torn when a run was killed, or damaged.
  private(set) var unreadableLines = 0

  private let manifest: UInt64?
  private let advice: String
  private let boot = Host.bootID

  /// Reads the files of a folder, the last written last.
  ///
  /// Throws when one cannot be read or belongs to another manifest than the given one, with advice for then.
  init(_ files: [FilePath], of manifest: UInt64?, otherwise advice: String) throws(Failure) {
    self.manifest = manifest
    self.advice = advice
    var dated: [(modified: Int, path: FilePath)] = []
    for path in files { dated.append((try Self.open(path).modified, path)) }
    for (_, path) in dated.sorted(by: { $0.modified < $1.modified }) { try read(Self.open(path)) }
  }

  static func open(_ path: FilePath) throws(Failure) -> InputFile {
    do throws(SystemError) { return try InputFile(opening: path, as: .journal) } catch {
      throw Failure(error)
    }
  }

  private mutating func read(_ file: InputFile) throws(Failure) {
    try Self.forEachLine(of: file) { (object) throws(LineError) in
      try JournalLine(object)
    } _: { (line) throws(Failure) in
      if let line { try take(line, of: file) } else { unreadableLines += 1 }
    }
  }

  /// Hands out what is made of each line; nil for one that cannot be read.
  static func forEachLine<T>(
    of file: InputFile, _ parse: (borrowing JSONObject) throws(LineError) -> T,
    _ body: (T?) throws(Failure) -> Void
  ) throws(Failure) {
    guard let parser = JSONLineParser() else {
      throw Failure(.resources, "there is no memory to parse JSON", path: file.path)
    }
    var lines = try LineReader(ManifestBytes(file))
    while try lines.next() {
      if lines.bytes.isEmpty, !lines.isTooLong { continue }
      let line: T?
      do throws(LineError) {
        line = try parse(try parser.object(lines.bytes))
      } catch {
        line = nil
      }
      try body(line)
    }
  }

  private mutating func take(_ line: JournalLine, of file: InputFile) throws(Failure) {
    switch line {
    case .run(_, let other):
      guard let manifest, let other, manifest != other else { return }
      throw Failure(
        .journalMismatch, "it was written for another manifest, or for this one before it was edited",
        path: file.path, advice: advice)
    case .begin(let claims):
      for claim in claims { index.begin(claim) }
    case .done(let claim, let digest, let stamp, let durability, let otherBoot):
      // What was never forced to the disk may have been lost when the machine went down.
      guard durability != .none || boot != nil && boot == otherBoot else { return index.begin(claim) }
      index.finish(claim, check: stamp.check(jobDigest: digest), headerByteCount: stamp.headerByteCount)
    case .failed(let claim, let code): index.fail(claim, code)
    case .foreign(let schema):
      throw Failure(
        .journalMismatch, "it is written as \(schema), and this version reads \(JournalLines.schema)",
        path: file.path, advice: "go on with the version that wrote it, or use another folder")
    case .other: break
    }
  }
}
