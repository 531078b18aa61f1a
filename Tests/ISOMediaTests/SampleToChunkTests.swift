import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

struct SampleToChunkTests {
  private func parse(_ bytes: [UInt8], chunks: Int) throws -> SampleToChunk {
    try SampleToChunk(parsing: try onlyBox(in: bytes).payload, chunkCount: chunks, in: bytes.rawBytes)
  }

  @Test func `runs are written with numbers from 1 and read back from 0`() throws {
    let runs = [
      SampleToChunk.Run(firstChunk: 0, samplesPerChunk: 31),
      SampleToChunk.Run(firstChunk: 3, samplesPerChunk: 1),
      SampleToChunk.Run(firstChunk: 4, samplesPerChunk: 30, descriptionIndex: 2),
    ]
    try expectRoundTrip(
      runs, as: tableBox("stsc", [[1, 31, 1], [4, 1, 1], [5, 30, 2]]),
      write: { runs in { SampleToChunk.write(runs, to: &$0) } },
      parse: { _, bytes in
        let table = try parse(bytes, chunks: 10)
        return (0..<table.table.count).map { table.run($0, in: bytes.rawBytes) }
      })
  }

  @Test func `each run lasts to the next, the last to the last chunk`() throws {
    let bytes = tableBox("stsc", [[1, 31, 1], [4, 1, 1], [5, 30, 2]])
    let table = try parse(bytes, chunks: 10)
    #expect(table.sampleCount == 3 * 31 + 1 + 6 * 30)
    #expect(table.chunkCount == 10)
    #expect(table.descriptionIndices == 1...2)
    #expect((0..<3).map { table.chunkBehindRun($0, in: bytes.rawBytes) } == [3, 4, 10])
  }

  @Test(arguments: [
    (0, 0, 0), (30, 0, 0), (92, 0, 0), (93, 1, 93), (94, 2, 94), (95, 2, 94), (273, 2, 94),
  ])
  func `a sample is found in its run`(sample: Int, run: Int, firstSample: Int) throws {
    let bytes = tableBox("stsc", [[1, 31, 1], [4, 1, 1], [5, 30, 2]])
    let found = try parse(bytes, chunks: 10).locate(sample, in: bytes.rawBytes)
    #expect(found.run == run)
    #expect(found.firstSample == firstSample)
  }

  @Test(arguments: [255, 256, 257, 511, 512, 513, 1500])
  func `a sample is found among more runs than one checkpoint covers`(runCount: Int) throws {
    // Run n has n % 3 + 1 chunks of n % 5 + 1 samples.
    var rows: [[UInt32]] = []
    var firstSamples: [Int] = []
    var chunk = 0
    var sample = 0
    for run in 0..<runCount {
      rows.append([UInt32(chunk + 1), UInt32(run % 5 + 1), 1])
      firstSamples.append(sample)
      chunk += run % 3 + 1
      sample += (run % 3 + 1) * (run % 5 + 1)
    }
    let bytes = tableBox("stsc", rows)
    let table = try parse(bytes, chunks: chunk)
    #expect(table.sampleCount == sample)
    for (run, first) in firstSamples.enumerated() {
      let last = (run + 1 < runCount ? firstSamples[run + 1] : sample) - 1
      for probe in [first, last] {
        let found = table.locate(probe, in: bytes.rawBytes)
        #expect(found.run == run, "sample \(probe)")
        #expect(found.firstSample == first, "sample \(probe)")
      }
    }
  }

  @Test func `a table of no runs holds no samples`() throws {
    let table = try parse(tableBox("stsc", []), chunks: 0)
    #expect(table.sampleCount == 0)
    #expect(table.descriptionIndices == nil)
    #expect(try parse(tableBox("stsc", []), chunks: 5).sampleCount == 0)
  }

  @Test func `the largest numbers do not overflow`() throws {
    let table = try parse(tableBox("stsc", [[1, 0xffff_ffff, 0xffff_ffff]]), chunks: 1)
    #expect(table.sampleCount == 0xffff_ffff)
    #expect(table.descriptionIndices == 0xffff_ffff...0xffff_ffff)
    // Chunks whose offsets would fill a box of 2^33 bytes: still below 2^63 samples.
    let many = try parse(tableBox("stsc", [[1, 0xffff_ffff, 1]]), chunks: 0x7fff_ffff)
    #expect(many.sampleCount == 0x7fff_ffff * 0xffff_ffff)
  }

  @Test(arguments: [
    ([[1, 0xffff_ffff, 1]], 20), ([[1, 0xffff_ffff, 1], [0xffff_ffff, 0xffff_ffff, 1]], 32),
  ])
  func `a sum of samples beyond 63 bits is refused`(rows: [[UInt32]], place: Int) {
    let error = #expect(throws: ParsingError.self) { try parse(tableBox("stsc", rows), chunks: 0xffff_ffff) }
    #expect(error?.message.contains("64 bits") == true)
    #expect(error.map { (16...place).contains($0.offset) } == true)
  }

  @Test(
    arguments: [
      ([[2, 5, 1]], 16, "starts at chunk 2, not at 1"), ([[0, 5, 1]], 16, "starts at chunk 0, not at 1"),
      ([[1, 0, 1]], 16, "run 0 has no samples"),
      ([[1, 5, 0]], 16, "run 0 has no samples or no sample entry"),
      ([[1, 5, 1], [3, 0, 1]], 28, "run 1 has no samples"),
      ([[1, 5, 1], [1, 4, 1]], 28, "run 1 does not start behind"),
      ([[1, 5, 1], [3, 4, 1], [2, 4, 1]], 40, "run 2 does not start behind"),
      ([[1, 5, 1], [0, 4, 1]], 28, "run 1 does not start behind"),
      ([[1, 5, 1], [5, 4, 1]], 28, "run 1 starts at chunk 5 of 4"),
      ([[1, 5, 1], [0xffff_ffff, 4, 1]], 28, "run 1 starts at chunk 4294967295 of 4"),
    ] as [([[UInt32]], Int, String)])
  func `runs that break the rules are refused`(rows: [[UInt32]], offset: Int, message: String) {
    let error = #expect(throws: ParsingError.self) { try parse(tableBox("stsc", rows), chunks: 4) }
    #expect(error?.offset == offset)
    #expect(error?.message.contains(message) == true)
  }

  @Test(arguments: [2 as UInt32, 0x1555_5556, 0xffff_ffff])
  func `a count without room for it is refused`(count: UInt32) {
    let bytes = tableBox("stsc", [[1, 5, 1]], count: count)
    let error = #expect(throws: ParsingError.self) { try parse(bytes, chunks: 4) }
    #expect(error?.offset == 12)
  }

  @Test func `runs without a chunk are refused`() {
    #expect(throws: ParsingError.self) { try parse(tableBox("stsc", [[1, 5, 1]]), chunks: 0) }
  }
}
