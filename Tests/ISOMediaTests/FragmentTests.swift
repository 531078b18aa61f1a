import ByteParsing
import ISOMedia
import TestSupport
import Testing

/// Fragments of two tracks, built byte by byte (ISO/IEC 14496-12, 8.8).
@Suite struct FragmentTests {
  /// A run as a test writes it.
  struct Run {
    var count = 0
    var offset: Int32?
    var durations: [UInt32]?
    var sizes: [UInt32]?
    var hasFlags = false
    var hasCompositionOffsets = false
    var firstSampleFlags = false

    var bytes: [UInt8] {
      var flags: UInt32 = 0
      if offset != nil { flags |= 0x1 }
      if firstSampleFlags { flags |= 0x4 }
      if durations != nil { flags |= 0x100 }
      if sizes != nil { flags |= 0x200 }
      if hasFlags { flags |= 0x400 }
      if hasCompositionOffsets { flags |= 0x800 }
      var payload = bigEndian(flags) + bigEndian(UInt32(count))
      if let offset { payload += bigEndian(offset) }
      if firstSampleFlags { payload += bigEndian(UInt32(0x0200_0000)) }
      for index in 0..<(flags & 0xf00 == 0 ? 0 : count) {
        if let durations { payload += bigEndian(durations[index]) }
        if let sizes { payload += bigEndian(sizes[index]) }
        if hasFlags { payload += bigEndian(UInt32(0x0200_0000)) }
        if hasCompositionOffsets { payload += bigEndian(UInt32(7)) }
      }
      return box("trun", payload)
    }
  }

  private func traf(
    _ track: UInt32 = 1, base: UInt64? = nil, entry: UInt32? = nil, duration: UInt32? = nil,
    size: UInt32? = nil,
    baseIsMoof: Bool = true, time: UInt64? = nil, runs: [Run]
  ) -> [UInt8] {
    var flags: UInt32 = baseIsMoof ? 0x2_0000 : 0
    var fields: [UInt8] = bigEndian(track)
    if let base { (flags, fields) = (flags | 1, fields + bigEndian(base)) }
    if let entry { (flags, fields) = (flags | 2, fields + bigEndian(entry)) }
    if let duration { (flags, fields) = (flags | 8, fields + bigEndian(duration)) }
    if let size { (flags, fields) = (flags | 16, fields + bigEndian(size)) }
    let tfdt = time.map { box("tfdt", bigEndian(UInt32(0x0100_0000)), bigEndian($0)) } ?? []
    return box("traf", box("tfhd", bigEndian(flags), fields), tfdt, runs.flatMap(\.bytes))
  }

  private func extends(_ track: UInt32, size: UInt32 = 0, duration: UInt32 = 0) throws -> TrackExtends {
    let payload = [UInt32(0), track, 1, duration, size, 0].flatMap { bigEndian($0) }
    var cursor = ByteCursor(payload.rawBytes, origin: 0)
    return try TrackExtends(parsing: &cursor)
  }

  /// What these fragments hold, each `moof` at a multiple of 1,000 in a file of 100,000 bytes.
  private func tracks(
    _ moofs: [[UInt8]], _ all: [TrackExtends] = [], ends: [UInt32: Int] = [1: 0]
  ) throws -> (FragmentedTracks, [UInt8]) {
    var file = [UInt8](repeating: 0, count: 100_000)
    var tracks = FragmentedTracks(ends: ends, extends: all)
    for (number, content) in moofs.enumerated() {
      let bytes = box("moof", box("mfhd", [UInt8](repeating: 0, count: 8)), content)
      file.replaceSubrange(number * 1000..<number * 1000 + bytes.count, with: bytes)
    }
    for number in moofs.indices {
      var cursor = ByteCursor(file.rawBytes.extracting(number * 1000..<file.count), origin: number * 1000)
      let header = try BoxHeader(parsing: &cursor)
      let fragment = try MovieFragment(parsing: header.box(endingBefore: file.count), in: file.rawBytes)
      try tracks.append(fragment, in: file.rawBytes)
    }
    return (tracks, file)
  }

  /// The samples of track 1.
  private func samples(_ moofs: [[UInt8]], _ all: [TrackExtends] = []) throws -> (FragmentedSamples, [UInt8])
  {
    let (tracks, file) = try tracks(moofs, all)
    return (try #require(tracks.samples[1]), file)
  }

  private func extents(_ moofs: [[UInt8]], _ all: [TrackExtends] = []) throws -> [SampleExtent] {
    let (samples, file) = try samples(moofs, all)
    return try samples.extents(of: 0..<samples.count, in: file.rawBytes)
  }

  private func extent(_ offset: Int, _ bytes: Int, _ count: Int) -> SampleExtent {
    SampleExtent(offset: offset, byteCount: bytes, sampleCount: count)
  }

  @Test func `sizes are inherited from trun, else tfhd, else trex`() throws {
    let all = [try extends(1, size: 7)]
    let run = Run(count: 3, offset: 500)
    #expect(try extents([traf(runs: [run])], all) == [extent(500, 21, 3)])
    #expect(try extents([traf(size: 10, runs: [run])], all) == [extent(500, 30, 3)])
    let own = Run(count: 3, offset: 500, sizes: [1, 2, 3])
    #expect(try extents([traf(size: 10, runs: [own])], all) == [extent(500, 6, 3)])
    #expect(throws: ParsingError.self) { try samples([traf(runs: [run])], [try extends(1)]) }
    #expect(throws: ParsingError.self) { try samples([traf(runs: [run])], []) }
  }

  @Test func `fields of a sample lie at their place, whatever stands between them`() throws {
    for (flags, offsets, first) in [
      (false, false, false), (true, false, true), (false, true, false), (true, true, true),
    ] {
      let run = Run(
        count: 3, offset: 500, durations: [1536, 1536, 1536], sizes: [100, 200, 300], hasFlags: flags,
        hasCompositionOffsets: offsets, firstSampleFlags: first)
      let (samples, file) = try samples([traf(runs: [run])])
      #expect((0..<3).map { samples.size(of: $0, in: file.rawBytes) } == [100, 200, 300])
      #expect(try samples.extents(of: 1..<3, in: file.rawBytes) == [extent(600, 500, 2)])
    }
  }

  @Test func `a run without a data offset follows the run before`() throws {
    let runs = [Run(count: 2, offset: 400), Run(count: 3), Run(count: 1, offset: 900), Run(count: 1)]
    #expect(try extents([traf(size: 10, runs: runs)]) == [extent(400, 50, 5), extent(900, 20, 2)])
  }

  @Test func `the base is given, or this moof, or the end of the track fragment in front`() throws {
    let run = Run(count: 2)
    let offset = Run(count: 2, offset: 300)
    #expect(try extents([traf(base: 5000, size: 10, runs: [offset])]) == [extent(5300, 20, 2)])
    #expect(
      try extents([[], traf(size: 10, runs: [offset])].map { $0.isEmpty ? traf(2, runs: [Run()]) : $0 }) == [
        extent(1300, 20, 2)
      ])
    // The older rule: the first track fragment starts at the moof, the next where that one's data end.
    let other = traf(2, baseIsMoof: false, runs: [Run(count: 4, offset: 300)])
    let ours = traf(1, size: 10, baseIsMoof: false, runs: [run])
    let all = [try extends(2, size: 25)]
    #expect(try extents([other + ours], all) == [extent(400, 20, 2)])
    #expect(try extents([ours + other], all) == [extent(0, 20, 2)])
    let moved = traf(1, size: 10, baseIsMoof: false, runs: [Run(count: 2, offset: -50)])
    #expect(try extents([other + moved], all) == [extent(350, 20, 2)])
  }

  @Test func `all tracks that are asked about are told in one pass`() throws {
    let run = Run(count: 2)
    let fragments = [
      traf(1, duration: 5, size: 10, baseIsMoof: false, runs: [run])
        + traf(2, duration: 7, size: 20, baseIsMoof: false, runs: [run])
        + traf(3, size: 30, baseIsMoof: false, runs: [run]),
      traf(2, duration: 7, size: 20, runs: [Run(count: 1, offset: 90)]) + traf(1, size: 10, runs: [run]),
    ]
    let (tracks, file) = try tracks(fragments, ends: [1: 100, 2: 200, 9: 0])
    #expect(tracks.samples.keys.sorted() == [1, 2, 9])
    let first = try #require(tracks.samples[1])
    #expect(try first.extents(of: 0..<4, in: file.rawBytes) == [extent(0, 20, 2), extent(1000, 20, 2)])
    #expect(first.decodeTimes.map(\.ticks) == [100, 110])
    let second = try #require(tracks.samples[2])
    #expect(try second.extents(of: 0..<3, in: file.rawBytes) == [extent(20, 40, 2), extent(1090, 20, 1)])
    #expect(second.decodeTimes.map(\.ticks) == [200, 214])
    #expect(tracks.samples[9]?.count == 0)
  }

  @Test func `times run on where tfdt does not say them`() throws {
    let run = Run(count: 4, offset: 300)
    let timed = [
      traf(duration: 1536, size: 10, time: 48000, runs: [run]), traf(duration: 1536, size: 10, runs: [run]),
      traf(duration: 9, size: 10, time: 99_999, runs: [Run(count: 2, offset: 300, durations: [1, 2])]),
      traf(size: 10, runs: [run]),
    ]
    let (samples, _) = try samples(timed)
    #expect(samples.decodeTimes.map(\.sample) == [0, 4, 8, 10])
    #expect(samples.decodeTimes.map(\.ticks) == [48000, 48000 + 4 * 1536, 99_999, 100_002])
  }

  @Test func `sample entries are inherited and change with a fragment`() throws {
    let run = Run(count: 2, offset: 300)
    let (samples, _) = try samples([
      traf(size: 10, runs: [run]), traf(entry: 2, size: 10, runs: [run]), traf(size: 10, runs: [run]),
    ])
    #expect(
      samples.sampleEntries(of: 1..<5)
        == [(1, 1), (2, 2), (1, 4)].map { SampleEntryUse(index: $0.0, firstSample: $0.1) })
  }

  @Test func `the common size is known without a search`() throws {
    let run = Run(count: 2, offset: 300)
    #expect(
      try samples([traf(size: 10, runs: [run]), traf(runs: [Run(count: 2, offset: 300, sizes: [10, 10])])]).0
        .commonSize
        == 10)
    #expect(
      try samples([traf(size: 10, runs: [run]), traf(runs: [Run(count: 2, offset: 300, sizes: [10, 11])])]).0
        .commonSize
        == nil)
    #expect(try samples([traf(2, size: 10, runs: [run])]).0.commonSize == nil)
  }

  @Test func `random fragments agree with a list of samples`() throws {
    let seed: UInt64 = 88
    var random = SeededGenerator(seed: seed)
    for round in 0..<200 {
      var expected: [(offset: Int, size: Int)] = []
      var moofs: [[UInt8]] = []
      for number in 0..<Int.random(in: 1...8, using: &random) {
        let size = UInt32.random(in: 1...50, using: &random)
        var runs: [Run] = []
        var next = number * 1000
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          var run = Run(count: Int.random(in: 0...5, using: &random))
          if Bool.random(using: &random) || runs.isEmpty {
            run.offset = Int32.random(in: 0...40_000, using: &random)
            next = number * 1000 + Int(run.offset ?? 0)
          }
          if Bool.random(using: &random) {
            run.sizes = (0..<run.count).map { _ in UInt32.random(in: 1...60, using: &random) }
          }
          for index in 0..<run.count {
            let own = Int(run.sizes?[index] ?? size)
            expected.append((next, own))
            next += own
          }
          runs.append(run)
        }
        moofs.append(traf(size: size, runs: runs))
      }
      let (samples, file) = try samples(moofs)
      #expect(samples.count == expected.count, "seed \(seed) round \(round)")
      guard !expected.isEmpty else { continue }
      let start = Int.random(in: 0..<expected.count, using: &random)
      let end = Int.random(in: start + 1...expected.count, using: &random)
      var merged: [SampleExtent] = []
      for sample in expected[start..<end] { merged.append(merging: extent(sample.offset, sample.size, 1)) }
      #expect(
        try samples.extents(of: start..<end, in: file.rawBytes) == merged, "seed \(seed) round \(round)")
      #expect(samples.size(of: start, in: file.rawBytes) == expected[start].size)
    }
  }

  @Test(arguments: [
    box("traf", []), box("traf", box("tfhd", [0, 0])), box("traf", box("tfhd", hex("00000001 00000001"))),
    box("traf", box("tfhd", hex("00000000 00000001")), box("trun", hex("00000200 ffffffff"))),
    box("traf", box("tfhd", hex("00000000 00000001")), box("trun", hex("00000f00 00000002 00000001"))),
    box(
      "traf", box("tfhd", hex("00000001 00000001 ffffffffffffffff")), box("trun", hex("00000000 00000001"))),
    box(
      "traf", box("tfhd", hex("00000011 00000001 7fffffffffffffff ffffffff")),
      box("trun", hex("00000000 ffffffff"))),
    box(
      "traf", box("tfhd", hex("00020010 00000001 00000001")), box("trun", hex("00000001 00000001 80000000"))),
  ])
  func `fragments that cannot be are errors`(content: [UInt8]) {
    #expect(throws: ParsingError.self) { try samples([content]) }
  }

  @Test func `samples outside the file are found when they are asked for`() throws {
    let (samples, file) = try samples([traf(size: 1000, runs: [Run(count: 100, offset: 500)])])
    #expect(try samples.extents(of: 0..<99, in: file.rawBytes).count == 1)
    #expect(throws: ParsingError.self) { try samples.extents(of: 99..<100, in: file.rawBytes) }
  }

  @Test func `an error about samples outside the file names the run that puts them there`() throws {
    for run in [Run(count: 1, offset: .max), Run(count: 1, offset: 500, sizes: [.max])] {
      let (samples, file) = try samples(
        [[], traf(size: 10, runs: [run])].map { $0.isEmpty ? traf(2, runs: []) : $0 })
      let error = #expect(throws: ParsingError.self) { try samples.extents(of: 0..<1, in: file.rawBytes) }
      // moof, mfhd, traf and tfhd are in front of the run's payload.
      #expect(error?.offset == 1000 + 8 + 16 + 8 + 20 + 8)
    }
  }

  @Test func `more samples than a table can count are refused`() throws {
    let run = Run(count: Int(UInt32.max), offset: 0)
    #expect(try samples([traf(size: 1, runs: [run])]).0.count == Int(UInt32.max))
    let error = #expect(throws: ParsingError.self) { try samples([traf(size: 1, runs: [run, run])]) }
    #expect(error?.kind == .unsupported)
  }

  @Test func `sizes of a range are told by runs, and wherever those lie`() throws {
    // Each run claims four thousand million samples: a walk over them would not end.
    let many = Run(count: 0x7fff_0000, offset: 0)
    let (samples, file) = try samples([
      traf(size: 2, runs: [many]), traf(runs: [Run(count: 3, offset: 0, sizes: [5, 1, 9])]),
      traf(size: 3, runs: [many]),
    ])
    let start = many.count
    #expect(samples.sizes(of: 0..<samples.count, in: file.rawBytes) == 1...9)
    #expect(samples.sizes(of: 7..<start, in: file.rawBytes) == 2...2)
    #expect(samples.sizes(of: start..<start + 1, in: file.rawBytes) == 5...5)
    #expect(samples.sizes(of: start + 1..<start + 4, in: file.rawBytes) == 1...9)
    #expect(samples.sizes(of: 5..<5, in: file.rawBytes) == nil)
    let bytes = try samples.byteCount(of: 10..<samples.count - 10, in: file.rawBytes)
    #expect(bytes == (start - 10) * 2 + 15 + (start - 10) * 3)
    #expect(try samples.byteCount(of: 0..<0, in: file.rawBytes) == 0)
  }
}
