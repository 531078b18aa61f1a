import Remuxing
import SystemIO

/// A part of a manifest: which of its jobs, and which bytes of the file must be read for them.
struct ManifestPart: Sendable {
  /// Which jobs are meant, counted through the manifest from 0.
  enum Selection: Sendable {
    /// Every job of a remainder: a manifest without an index does not say where its middle is.
    case every(Shard)
    /// Lines that follow each other, counted from 0; those of a packed manifest are its jobs.
    case lines(Range<Int>)
  }

  /// Bytes of the file to read; nil for all.
  let bytes: Range<Int>?
  /// The number of the first job in them.
  let firstJob: Int
  let selection: Selection

  /// The part that a shard is: of a packed manifest, as many jobs as of any other, in as few frames as possible.
  init(_ shard: Shard, of manifest: InputFile, index: PackIndex?) {
    guard let index, shard != .whole else {
      self.init(bytes: nil, firstJob: 0, selection: .every(shard))
      return
    }
    func border(_ number: Int) -> Int {
      let (quotient, remainder) = index.jobCount.quotientAndRemainder(dividingBy: shard.count)
      return quotient * number + min(remainder, number)
    }
    self.init(lines: border(shard.index)..<border(shard.index + 1), index: index)
  }

  /// Lines that follow each other, counted from 0.
  init(lines: Range<Int>, index: PackIndex?) {
    guard let index else {
      self.init(bytes: nil, firstJob: 0, selection: .lines(lines))
      return
    }
    let frames = index.frames.filter { $0.jobs.overlaps(lines) }
    self.init(
      bytes: (frames.first?.bytes.lowerBound ?? 0)..<(frames.last?.bytes.upperBound ?? 0),
      firstJob: frames.first?.jobs.lowerBound ?? 0, selection: .lines(lines))
  }

  private init(bytes: Range<Int>?, firstJob: Int, selection: Selection) {
    self.bytes = bytes
    self.firstJob = firstJob
    self.selection = selection
  }

  /// Whether a job belongs to it, which stands in a line counted from 0.
  func contains(_ job: Int, line: Int) -> Bool {
    switch selection {
    case .every(let shard): job % shard.count == shard.index
    case .lines(let lines): lines.contains(line)
    }
  }

  /// Whether neither a line nor a later one belongs to it.
  func isOver(atLine line: Int) -> Bool {
    if case .lines(let lines) = selection { line >= lines.upperBound } else { false }
  }
}
