import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

struct EditListTests {
  /// A list without its place in a file, so that one that was read can be compared with one to be written.
  private func expectRoundTrip(_ entries: [EditList.Entry], as elst: [UInt8]) throws {
    try ISOMediaTests.expectRoundTrip(
      entries, as: box("edts", elst), write: { EditList(entries: $0).write },
      parse: { _, bytes in
        let elst = try onlyBox(in: bytes, inside: "elst")
        var cursor = bytes.rawBytes.cursor(elst.payload)
        let list = try EditList(parsing: &cursor)
        #expect(list.count == entries.count)
        #expect(list.offset == elst.payload.lowerBound + 8)
        return list.entries
      })
  }

  @Test func `one edit that skips priming is written and read back`() throws {
    try expectRoundTrip(
      [EditList.Entry(segmentDuration: 48896, mediaTime: 256)],
      as: fullBox("elst", words(1, 48896, 256, 0x1_0000)))
  }

  @Test func `an empty edit has the media time -1`() throws {
    try expectRoundTrip(
      [
        EditList.Entry(segmentDuration: 24000, mediaTime: -1),
        EditList.Entry(segmentDuration: 49152, mediaTime: 0),
      ], as: fullBox("elst", words(2, 24000, 0xffff_ffff, 0x1_0000, 49152, 0, 0x1_0000)))
  }

  @Test func `the rate is kept as it is`() throws {
    try expectRoundTrip(
      [EditList.Entry(segmentDuration: 5, mediaTime: 6, mediaRate: 0x2_0001)],
      as: fullBox("elst", words(1, 5, 6, 0x2_0001)))
  }

  @Test(
    arguments: [
      (0x1_0000_0000, 0), (1, 0x8000_0000), (UInt64.max, Int64.max), (0, Int64.min),
    ] as [(UInt64, Int64)])
  func `version 1 is written where a number needs it`(duration: UInt64, mediaTime: Int64) throws {
    let entries = [
      EditList.Entry(segmentDuration: duration, mediaTime: mediaTime),
      EditList.Entry(segmentDuration: 2, mediaTime: -1),
    ]
    try expectRoundTrip(
      entries,
      as: fullBox(
        "elst", version: 1, words(2), bigEndian(duration), bigEndian(mediaTime), words(0x1_0000),
        bigEndian(2 as UInt64), bigEndian(-1 as Int64), words(0x1_0000)))
  }

  @Test(arguments: [(0xffff_ffff, 0x7fff_ffff), (0, -0x8000_0000)] as [(UInt64, Int64)])
  func `version 0 holds all that fits in 32 bits`(duration: UInt64, mediaTime: Int64) throws {
    try expectRoundTrip(
      [EditList.Entry(segmentDuration: duration, mediaTime: mediaTime)],
      as: fullBox(
        "elst", words(1, UInt32(duration)), bigEndian(Int32(mediaTime)), words(0x1_0000)))
  }

  @Test func `a list of no edits is legal`() throws {
    let list = try parse(fullBox("elst", words(0)), EditList.init(parsing:))
    #expect(list.count == 0)
    #expect(list.entries.isEmpty)
  }

  @Test func `all edits are counted and the first sixteen kept`() throws {
    let rows = (0..<1000 as Range<UInt32>).map { [$0, $0 * 2, 0x1_0000] }
    let list = try parse(tableBox("elst", rows), EditList.init(parsing:))
    #expect(list.count == 1000)
    #expect(list.entries.map(\.segmentDuration) == Array(0..<16))
    #expect(list.entries.map(\.mediaTime) == (0..<16).map { $0 * 2 })
  }

  @Test(arguments: [
    (0 as UInt8, 2 as UInt32, 12, 1), (0, 1, 11, 0), (0, 0xffff_ffff, 120, 10), (1, 1, 19, 0), (1, 2, 39, 1),
    (1, 0xffff_ffff, 0, 0),
  ])
  func `a count without room for it is refused`(version: UInt8, count: UInt32, byteCount: Int, room: Int) {
    let error = errorParsing(
      fullBox("elst", version: version, words(count), zeros(byteCount)), EditList.init(parsing:))
    #expect(error == .malformed("elst counts \(count) edits and has room for \(room)", at: 12))
  }
}
