import Remuxing
import SystemIO

/// A part of a manifest: which of its jobs, and which bytes of the file must be read for them.
struct ManifestPart: Sendable {
  /// Which jobs are meant, counted through the manifest from 0.
  enum Selection: Sendable {
    /// Every job of a remainder: a manifest without an index does not say where its middle is.
    case every(Shard)
    /// Jobs that follow each other.
    case range(Range<Int>)
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
    self.init(border(shard.index)..<border(shard.index + 1), index: index)
  }

  /// Jobs that follow each other.
  init(_ jobs: Range<Int>, index: PackIndex?) {
    guard let index else {
      self.init(bytes: nil, firstJob: 0, selection: .range(jobs))
      return
    }
    let frames = index.frames.filter { $0.jobs.overlaps(jobs) }
    self.init(
      bytes: (frames.first?.bytes.lowerBound ?? 0)..<(frames.last?.bytes.upperBound ?? 0),
      firstJob: frames.first?.jobs.lowerBound ?? 0, selection: .range(jobs))
  }

  private init(bytes: Range<Int>?, firstJob: Int, selection: Selection) {
    self.bytes = bytes
    self.firstJob = firstJob
    self.selection = selection
  }

  /// Whether a job belongs to it.
  func contains(_ job: Int) -> Bool {
    switch selection {
    case .every(let shard): job % shard.count == shard.index
    case .range(let jobs): jobs.contains(job)
    }
  }

  /// Whether no later job belongs to it either.
  func isOver(at job: Int) -> Bool {
    if case .range(let jobs) = selection { job >= jobs.upperBound } else { false }
  }
}
