public import ByteParsing

/// The samples of one track in all fragments of a file: runs whose tables stay where they are.
public struct FragmentedSamples: Sendable {
  /// A number that each sample of a run has: its size, or its duration.
  private enum Numbers {
    case constant(Int)
    case table(TrackRun.Field)
  }

  /// A run of samples that lie one behind the other.
  private struct Run {
    let firstSample: Int
    let sampleCount: Int
    /// Absolute offset of its data.
    let offset: Int
    let sizes: Numbers
    let durations: Numbers
    let descriptionIndex: Int
    /// Absolute offset of the `trun` that says so: its data may be said to lie outside the file.
    let place: Int
  }

  /// When a fragment's first sample is decoded.
  public struct DecodeTime: Equatable, Sendable {
    /// The sample, counted from the first fragment's first.
    public let sample: Int
    /// Ticks of the media's timescale.
    public let ticks: Int
  }

  /// Samples in all fragments.
  public private(set) var count = 0
  /// For each fragment of the track that says or implies it.
  public private(set) var decodeTimes: [DecodeTime] = []
  /// The size that all samples have; nil where they differ or there are none.
  public var commonSize: Int? { variesInSize ? nil : firstSize }
  private var firstSize: Int?
  private var variesInSize = false
  private var runs: [Run] = []
  private var runningTime = 0

  /// As many as a sample table can count.
  private static let maximumCount = Int(UInt32.max)

  /// No samples; decode times run from `start`, the end of what `moov` itself holds.
  public init(start: Int) {
    runningTime = start
  }

  /// Adds a track fragment, whose data offsets are relative to `base`, and returns the end of its data. `place` is its moof.
  ///
  /// Throws when offsets leave 63 bits, when neither `trun`, `tfhd` nor `trex` tells the samples' size, and when there are
  /// more samples than a sample table can count.
  mutating func append(
    _ part: TrackFragment, _ track: TrackExtends, base: Int, at place: Int, in bytes: RawSpan
  ) throws(ParsingError) -> Int {
    if let time = part.decodeTime { runningTime = try Int(checking: time, at: place) }
    decodeTimes.append(DecodeTime(sample: count, ticks: runningTime))
    let description = Int(part.header.descriptionIndex ?? track.descriptionIndex)
    let duration = Int(part.header.sampleDuration ?? track.sampleDuration)
    return try Self.walk(part, track, base: base, in: bytes) { (run, sizes, start) throws(ParsingError) in
      try append(run, sizes, at: start, description: description, duration: duration, in: bytes)
    }
  }

  /// The end of a track fragment's data, where the next one's may start.
  static func end(
    of part: TrackFragment, _ track: TrackExtends, base: Int, in bytes: RawSpan
  ) throws(ParsingError) -> Int {
    try walk(part, track, base: base, in: bytes) { (_, _, _) throws(ParsingError) in }
  }

  /// Calls `body` for each run of a track fragment with the place of its data, and returns their end.
  private static func walk(
    _ part: TrackFragment, _ track: TrackExtends, base: Int, in bytes: RawSpan,
    _ body: (TrackRun, Numbers, Int) throws(ParsingError) -> Void
  ) throws(ParsingError) -> Int {
    let constantSize = Int(part.header.sampleSize ?? track.sampleSize)
    var next = base
    for run in part.runs {
      if let offset = run.dataOffset { next = try base.adding(Int(offset), at: run.offset) }
      guard next >= 0 else { throw .malformed("the data of a run lie in front of the file", at: run.offset) }
      let sizes: Numbers = run.sizes.map { .table($0) } ?? .constant(constantSize)
      try body(run, sizes, next)
      next = try next.adding(
        try byteCount(of: 0..<run.sampleCount, sizes, in: bytes, at: run.offset), at: run.offset)
    }
    return next
  }

  private mutating func append(
    _ run: TrackRun, _ sizes: Numbers, at start: Int, description: Int, duration: Int, in bytes: RawSpan
  ) throws(ParsingError) {
    guard run.sampleCount > 0 else { return }
    if case .constant(0) = sizes {
      throw .malformed("neither trun, tfhd nor trex tells the size of samples", at: run.offset)
    }
    noteSizes(sizes, run.sampleCount, in: bytes)
    runs.append(
      Run(
        firstSample: count, sampleCount: run.sampleCount, offset: start, sizes: sizes,
        durations: run.durations.map { .table($0) } ?? .constant(duration), descriptionIndex: description,
        place: run.offset))
    count += run.sampleCount
    guard count <= Self.maximumCount else {
      throw .unsupported("the fragments hold more than \(Self.maximumCount) samples", at: run.offset)
    }
    runningTime = try runningTime.adding(
      Self.ticks(of: run, each: duration, in: bytes, at: run.offset), at: run.offset)
  }

  private mutating func noteSizes(_ sizes: Numbers, _ count: Int, in bytes: RawSpan) {
    guard !variesInSize else { return }
    switch sizes {
    case .constant(let size):
      firstSize = firstSize ?? size
      variesInSize = size != firstSize
    case .table(let field):
      let first = firstSize ?? field.value(ofSample: 0, in: bytes)
      firstSize = first
      variesInSize = (0..<count).contains { field.value(ofSample: $0, in: bytes) != first }
    }
  }

  private static func ticks(
    of run: TrackRun, each duration: Int, in bytes: RawSpan, at place: Int
  ) throws(ParsingError) -> Int {
    guard let durations = run.durations else {
      return try duration.multiplied(by: run.sampleCount, at: place)
    }
    var sum = 0
    // A table of a file holds fewer than 2^31 entries of 32 bits: the sum stays below 2^63.
    for sample in 0..<run.sampleCount { sum &+= durations.value(ofSample: sample, in: bytes) }
    return sum
  }

  private static func byteCount(
    of samples: Range<Int>, _ sizes: Numbers, in bytes: RawSpan, at place: Int
  ) throws(ParsingError) -> Int {
    switch sizes {
    case .constant(let size): return try size.multiplied(by: samples.count, at: place)
    case .table(let field):
      var sum = 0
      for sample in samples { sum &+= field.value(ofSample: sample, in: bytes) }
      return sum
    }
  }
}

extension FragmentedSamples {
  /// Bytes of one sample.
  public func size(of sample: Int, in bytes: RawSpan) -> Int {
    let run = runs[runIndex(of: sample)]
    switch run.sizes {
    case .constant(let size): return size
    case .table(let field): return field.value(ofSample: sample - run.firstSample, in: bytes)
    }
  }

  /// Bytes of a range of samples together, told without looking where they lie.
  ///
  /// Throws when the sum exceeds 63 bits.
  public func byteCount(of samples: Range<Int>, in bytes: RawSpan) throws(ParsingError) -> Int {
    var sum = 0
    try forEachRun(of: samples) { (run, part) throws(ParsingError) in
      sum = try sum.adding(
        try Self.byteCount(of: part, run.sizes, in: bytes, at: run.place), at: run.place)
    }
    return sum
  }

  /// The smallest and the largest size in a range of samples; nil for an empty range.
  public func sizes(of samples: Range<Int>, in bytes: RawSpan) -> ClosedRange<Int>? {
    var found: ClosedRange<Int>?
    forEachRun(of: samples) { run, part in
      switch run.sizes {
      case .constant(let size): found = found.union(size)
      case .table(let field):
        for sample in part { found = found.union(field.value(ofSample: sample, in: bytes)) }
      }
    }
    return found
  }

  /// Calls `body` for samples of a range that follow each other and last equally long, with their number and the ticks
  /// that each lasts.
  public func forEachDuration(of samples: Range<Int>, in bytes: RawSpan, _ body: (Int, Int) -> Void) {
    forEachRun(of: samples) { run, part in
      switch run.durations {
      case .constant(let ticks): body(part.count, ticks)
      case .table(let field): for sample in part { body(1, field.value(ofSample: sample, in: bytes)) }
      }
    }
  }

  /// Calls `body` for each run of a range, with the run's samples in the range, counted from the run's first.
  private func forEachRun<E>(
    of samples: Range<Int>, _ body: (Run, Range<Int>) throws(E) -> Void
  ) throws(E) {
    var index = runIndex(of: samples.lowerBound)
    var sample = samples.lowerBound
    while sample < samples.upperBound {
      let run = runs[index]
      let end = min(run.firstSample + run.sampleCount, samples.upperBound)
      try body(run, sample - run.firstSample..<end - run.firstSample)
      sample = end
      index += 1
    }
  }

  /// The sample entries of a range: the 1-based index of each, and the sample from which it holds.
  public func sampleEntries(of samples: Range<Int>) -> [SampleEntryUse] {
    guard !samples.isEmpty else { return [] }
    var found: [SampleEntryUse] = []
    for run in runs[runIndex(of: samples.lowerBound)...] {
      guard run.firstSample < samples.upperBound else { break }
      if found.last?.index != run.descriptionIndex {
        found.append(
          SampleEntryUse(index: run.descriptionIndex, firstSample: max(run.firstSample, samples.lowerBound)))
      }
    }
    return found
  }

  /// Where a range of samples lies, in their order, neighbours merged.
  ///
  /// Throws when an extent leaves the file.
  public func extents(of samples: Range<Int>, in bytes: RawSpan) throws(ParsingError) -> [SampleExtent] {
    guard !samples.isEmpty else { return [] }
    var extents: [SampleExtent] = []
    try forEachRun(of: samples) { (run, part) throws(ParsingError) in
      let skipped = try Self.byteCount(of: 0..<part.lowerBound, run.sizes, in: bytes, at: run.place)
      let count = try Self.byteCount(of: part, run.sizes, in: bytes, at: run.place)
      let offset = try run.offset.adding(skipped, at: run.place)
      guard try offset.adding(count, at: run.place) <= bytes.byteCount else {
        let first = run.firstSample + part.lowerBound
        throw .malformed(
          "samples \(first) ..< \(first + part.count) of the fragments lie at byte \(offset) and need \(count) bytes; the file ends at \(bytes.byteCount)",
          at: run.place)
      }
      extents.append(merging: SampleExtent(offset: offset, byteCount: count, sampleCount: part.count))
    }
    return extents
  }

  /// The run that holds a sample.
  private func runIndex(of sample: Int) -> Int {
    var low = 0
    var high = runs.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if runs[middle].firstSample <= sample { low = middle } else { high = middle }
    }
    return low
  }
}
