import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

struct TimeToSampleTests {
  @Test func `a table of one run is written and read back`() throws {
    var boxes = BoxWriter()
    TimeToSample.write(sampleCount: 94, sampleDelta: 1536, to: &boxes)
    let bytes = boxes.writer.bytes
    #expect(bytes == fullBox("stts", words(1, 94, 1536)))
    let parsed = try parse(bytes, TimeToSample.init(parsing:))
    #expect(parsed.table.count == 1)
    #expect(parsed.run(0, in: bytes.rawBytes) == TimeToSample.Run(sampleCount: 94, sampleDelta: 1536))
  }

  @Test func `runs are read in place`() throws {
    let bytes = tableBox("stts", [[156, 1536], [1, 640], [0xffff_ffff, 0xffff_fffe]])
    let parsed = try parse(bytes, TimeToSample.init(parsing:))
    #expect(parsed.table.offset == 16)
    let runs = (0..<parsed.table.count).map { parsed.run($0, in: bytes.rawBytes) }
    #expect(
      runs == [
        TimeToSample.Run(sampleCount: 156, sampleDelta: 1536),
        TimeToSample.Run(sampleCount: 1, sampleDelta: 640),
        TimeToSample.Run(sampleCount: 0xffff_ffff, sampleDelta: 0xffff_fffe),
      ])
  }

  @Test func `a sum of ticks beyond 63 bits is refused at its own place`() throws {
    let legal = tableBox("stts", [[0xffff_ffff, 0x7fff_ffff], [2, 3]])
    let table = try parse(legal, TimeToSample.init(parsing:))
    #expect(try table.totalTicks(in: legal.rawBytes) == 0xffff_ffff * 0x7fff_ffff + 6)
    for (rows, place) in [
      ([[1, 1], [0xffff_ffff, 0xffff_ffff]], 24),
      ([[0xffff_ffff, 0x7fff_ffff], [0x1_0000, 0xffff_ffff]], 24),
    ] {
      let bytes = tableBox("stts", rows.map { $0.map { UInt32($0) } })
      let parsed = try parse(bytes, TimeToSample.init(parsing:))
      let error = #expect(throws: ParsingError.self) { try parsed.totalTicks(in: bytes.rawBytes) }
      #expect(error?.offset == place)
    }
  }

  @Test func `a table of no runs is legal`() throws {
    #expect(try parse(tableBox("stts", []), TimeToSample.init(parsing:)).table.count == 0)
  }
}

struct ChunkOffsetsTests {
  private func offsets(_ bytes: [UInt8], _ width: ChunkOffsets.Width) throws -> [Int] {
    let parsed = try parse(bytes) { try ChunkOffsets(parsing: &$0, width: width) }
    #expect(parsed.width == width)
    return try (0..<parsed.table.count).map { try parsed.offset(ofChunk: $0, in: bytes.rawBytes) }
  }

  @Test func `stco is written and read back`() throws {
    let values = [0, 3, 0xffff_ffff]
    try expectRoundTrip(
      values, as: tableBox("stco", [[0, 3, 0xffff_ffff]], count: 3),
      write: { values in { ChunkOffsets.write(values, width: .bits32, to: &$0) } },
      parse: { try offsets($1, .bits32) })
    #expect(ChunkOffsets.Width.bits32.boxType == "stco")
  }

  @Test func `co64 is written and read back`() throws {
    let values = [0, 0x1_0000_0000, Int.max]
    try expectRoundTrip(
      values, as: fullBox("co64", words(3), values.flatMap { bigEndian(UInt64($0)) }),
      write: { values in { ChunkOffsets.write(values, width: .bits64, to: &$0) } },
      parse: { try offsets($1, .bits64) })
    #expect(ChunkOffsets.Width.bits64.boxType == "co64")
  }

  @Test func `a 64-bit offset beyond 63 bits is refused at its own place`() throws {
    let bytes = fullBox("co64", words(2), words(0, 5, 0x8000_0000, 0))
    let error = #expect(throws: ParsingError.self) { try offsets(bytes, .bits64) }
    #expect(error?.offset == 24)
  }

  @Test func `a table of no chunks is legal`() throws {
    #expect(try offsets(tableBox("stco", []), .bits32) == [])
  }
}

struct TableLocationTests {
  private func parse(_ type: String, _ bytes: [UInt8]) -> ParsingError? {
    switch type {
    case "stts": errorParsing(bytes, TimeToSample.init(parsing:))
    case "stco": errorParsing(bytes) { try ChunkOffsets(parsing: &$0, width: .bits32) }
    case "co64": errorParsing(bytes) { try ChunkOffsets(parsing: &$0, width: .bits64) }
    default: nil
    }
  }

  @Test(arguments: [
    ("stts", 1 as UInt32, 7, 0), ("stts", 3, 16, 2), ("stts", 0xffff_ffff, 8000, 1000), ("stco", 1, 3, 0),
    ("stco", 0x4000_0001, 4, 1), ("co64", 2, 15, 1), ("co64", 0x2000_0001, 8, 1), ("co64", 0xffff_ffff, 0, 0),
  ])
  func `a count without room for it is refused at its offset`(
    type: String, count: UInt32, byteCount: Int, room: Int
  ) {
    let error = parse(type, fullBox(type, words(count), zeros(byteCount)))
    #expect(error == .malformed("the table counts \(count) entries and the box has room for \(room)", at: 12))
  }

  @Test func `bytes behind the table are passed over`() throws {
    let bytes = fullBox("stts", words(1, 5, 6), zeros(7))
    #expect(try ISOMediaTests.parse(bytes, TimeToSample.init(parsing:)).table.count == 1)
  }
}
