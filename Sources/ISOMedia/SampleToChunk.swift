public import ByteParsing

/// `stsc`: how many samples each chunk holds, in runs of chunks (ISO/IEC 14496-12, 8.7.4).
public struct SampleToChunk: Equatable, Sendable {
  /// A run of chunks that hold equally many samples. Chunks are counted from 0.
  public struct Run: Equatable, Sendable {
    /// The first chunk of the run.
    public var firstChunk: Int
    /// Samples in each chunk.
    public var samplesPerChunk: Int
    /// 1-based index of the sample entry.
    public var descriptionIndex: Int

    /// A run from its parts.
    public init(firstChunk: Int, samplesPerChunk: Int, descriptionIndex: Int = 1) {
      self.firstChunk = firstChunk
      self.samplesPerChunk = samplesPerChunk
      self.descriptionIndex = descriptionIndex
    }
  }

  /// The first sample of a run, noted for every 256th run so that a search looks at few.
  private struct Checkpoint: Equatable, Sendable {
    let run: Int
    let firstSample: Int
  }

  /// The runs' place.
  public let table: TableLocation
  /// Chunks of the track.
  public let chunkCount: Int
  /// Samples that the chunks hold together.
  public let sampleCount: Int
  /// The sample entries' 1-based indices: the smallest and the largest that a run names.
  public let descriptionIndices: ClosedRange<Int>?
  private let checkpoints: [Checkpoint]

  private static let runsPerCheckpoint = 256

  /// Parses the payload of `stsc` in one pass over its runs.
  ///
  /// Throws when first chunks do not ascend from 1, when a run is empty, or when one starts behind the last chunk.
  public init(parsing payload: Range<Int>, chunkCount: Int, in bytes: RawSpan) throws(ParsingError) {
    var cursor = bytes.cursor(payload)
    _ = try FullBoxHeader(parsing: &cursor)
    let count = Int(try cursor.read(UInt32.self))
    table = try TableLocation(parsing: &cursor, count: count, entryByteCount: 12)
    self.chunkCount = chunkCount

    var checkpoints: [Checkpoint] = []
    var samples = 0
    var indices: ClosedRange<Int>?
    var previous: Run?
    for index in 0..<count {
      let place = table.offset + index * 12
      let run = Self.run(index, of: table, in: bytes)
      guard run.samplesPerChunk > 0, run.descriptionIndex > 0 else {
        throw .malformed("stsc run \(index) has no samples or no sample entry", at: place)
      }
      if let previous {
        guard run.firstChunk > previous.firstChunk else {
          throw .malformed("stsc run \(index) does not start behind the run before it", at: place)
        }
        let held = (run.firstChunk - previous.firstChunk).multipliedReportingOverflow(
          by: previous.samplesPerChunk)
        guard !held.overflow else { throw .malformed("stsc run \(index) exceeds 64 bits", at: place) }
        samples = try samples.adding(held.partialValue, at: place)
      } else if run.firstChunk != 0 {
        throw .malformed("the first run of stsc starts at chunk \(run.firstChunk + 1), not at 1", at: place)
      }
      guard run.firstChunk < chunkCount else {
        throw .malformed(
          "stsc run \(index) starts at chunk \(run.firstChunk + 1) of \(chunkCount)", at: place)
      }
      if index % Self.runsPerCheckpoint == 0 {
        checkpoints.append(Checkpoint(run: index, firstSample: samples))
      }
      let known = indices ?? run.descriptionIndex...run.descriptionIndex
      indices = min(known.lowerBound, run.descriptionIndex)...max(known.upperBound, run.descriptionIndex)
      previous = run
    }
    if let previous {
      let last = try (chunkCount - previous.firstChunk)
        .multiplied(by: previous.samplesPerChunk, at: table.offset)
      samples = try samples.adding(last, at: table.offset)
    }
    sampleCount = samples
    descriptionIndices = indices
    self.checkpoints = checkpoints
  }

  /// The run with this index.
  public func run(_ index: Int, in bytes: RawSpan) -> Run {
    Self.run(index, of: table, in: bytes)
  }

  /// The chunk just behind the run with this index.
  public func chunkBehindRun(_ index: Int, in bytes: RawSpan) -> Int {
    index + 1 < table.count ? run(index + 1, in: bytes).firstChunk : chunkCount
  }

  /// The run that holds a sample, and the run's first sample. The sample must be one that the chunks hold.
  public func locate(_ sample: Int, in bytes: RawSpan) -> (run: Int, firstSample: Int) {
    var low = 0
    var high = checkpoints.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if checkpoints[middle].firstSample <= sample { low = middle } else { high = middle }
    }
    var index = checkpoints[low].run
    var first = checkpoints[low].firstSample
    while index + 1 < table.count {
      let current = run(index, in: bytes)
      let next = first + (chunkBehindRun(index, in: bytes) - current.firstChunk) * current.samplesPerChunk
      if next > sample { break }
      first = next
      index += 1
    }
    return (index, first)
  }

  /// Appends a table of these runs.
  public static func write(_ runs: [Run], to boxes: inout BoxWriter) {
    boxes.fullBox("stsc") { writer in
      writer.put(UInt32(runs.count))
      for run in runs {
        writer.put(UInt32(run.firstChunk + 1))
        writer.put(UInt32(run.samplesPerChunk))
        writer.put(UInt32(run.descriptionIndex))
      }
    }
  }

  private static func run(_ index: Int, of table: TableLocation, in bytes: RawSpan) -> Run {
    let place = table.offset + index * 12
    return Run(
      firstChunk: Int(bytes.bigEndian(UInt32.self, at: place)) - 1,
      samplesPerChunk: Int(bytes.bigEndian(UInt32.self, at: place + 4)),
      descriptionIndex: Int(bytes.bigEndian(UInt32.self, at: place + 8)))
  }
}
