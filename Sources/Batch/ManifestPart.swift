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

  /// Frames to read, which follow each other; nil for all of a file that has no index.
  let frames: ArraySlice<PackIndex.Frame>?
  let selection: Selection

  /// Bytes of the file to read; nil for all.
  var bytes: Range<Int>? {
    frames.map { ($0.first?.bytes.lowerBound ?? 0)..<($0.last?.bytes.upperBound ?? 0) }
  }

  /// The number of the first job in them.
  var firstJob: Int { frames?.first?.jobs.lowerBound ?? 0 }

  /// The part that a shard is: of a packed manifest, as many jobs as of any other, in as few frames as possible.
  init(_ shard: Shard, of manifest: InputFile, index: PackIndex?) {
    guard let index, shard != .whole else {
      self.init(frames: index?.frames[...], selection: .every(shard))
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
    let frames = index?.frames.drop { lines.isEmpty || $0.jobs.upperBound <= lines.lowerBound }
    self.init(frames: frames?.prefix { $0.jobs.lowerBound < lines.upperBound }, selection: .lines(lines))
  }

  private init(frames: ArraySlice<PackIndex.Frame>?, selection: Selection) {
    self.frames = frames
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
