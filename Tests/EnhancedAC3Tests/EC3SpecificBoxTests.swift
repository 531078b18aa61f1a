import ByteParsing
import TestSupport
import Testing

@testable import EnhancedAC3

struct EC3SpecificBoxTests {
  private func parse(_ bytes: [UInt8]) throws -> EC3SpecificBox {
    try EC3SpecificBox(parsing: bytes.rawBytes, origin: 0)
  }

  /// A payload and what it says of its first independent substream.
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let payload: String
    let dataRate: Int
    var independents = 1
    var dependents = 0
    var locations = 0
    var complexity: Int?
    var mode = 7
    var hasLFE = true
    var tail = EC3SpecificBox.Tail.none
  }

  /// All of 48 kHz and bsid 16 (ETSI TS 102 366, F.6).
  static let right = [
    Example(testDescription: "5.1", payload: "0e00 200f00", dataRate: 448),
    Example(testDescription: "5.1 with JOC of 4", payload: "0e00 200f00 0104", dataRate: 448, complexity: 4),
    Example(
      testDescription: "7.1", payload: "1200 200f02 02", dataRate: 576, dependents: 1, locations: 0x002),
    Example(
      testDescription: "5.1 with JOC of 16", payload: "1800 200f00 0110", dataRate: 768, complexity: 16),
    Example(
      testDescription: "7.1 at 1024", payload: "2000 200f02 02", dataRate: 1024, dependents: 1,
      locations: 0x002),
    Example(
      testDescription: "7.1 with JOC", payload: "2000 200f02 02 0110", dataRate: 1024, dependents: 1,
      locations: 0x002, complexity: 16),
    Example(testDescription: "two programmes", payload: "0381 200f00 200400", dataRate: 112, independents: 2),
    Example(testDescription: "stereo", payload: "0600 200400", dataRate: 192, mode: 2, hasLFE: false),
    Example(
      testDescription: "all chan_loc bits", payload: "0e00 200f07 ff", dataRate: 448, dependents: 3,
      locations: 0x1ff),
    Example(
      testDescription: "LFE2", payload: "0e00 200f03 00", dataRate: 448, dependents: 1, locations: 0x100),
  ]

  /// What writers are known to put there; nothing of it may be taken for what it is not.
  static let wrong = [
    Example(
      testDescription: "FFmpeg: rate of I0, chan_loc in another order", payload: "0c00 200f02 10",
      dataRate: 384,
      dependents: 1, locations: 0x010),
    Example(
      testDescription: "old FFmpeg: two reserved bits too many", payload: "0e00 200f00 00", dataRate: 448,
      tail: .other([0])),
    // num_dep_sub is where the reserved bits end by then; acmod, lfeon and bsid agree in both layouts.
    Example(
      testDescription: "old FFmpeg with a dependent", payload: "0c00 200f00 8400", dataRate: 384,
      tail: .other([0x84, 0x00])),
    Example(
      testDescription: "GPAC: chan_loc of another stream", payload: "1200 200f02 04", dataRate: 576,
      dependents: 1,
      locations: 0x004),
    Example(
      testDescription: "L-SMASH: chan_loc reversed", payload: "1200 200f02 80", dataRate: 576, dependents: 1,
      locations: 0x080),
    Example(
      testDescription: "Bento4: rate rounded up", payload: "1208 200f02 02", dataRate: 577, dependents: 1,
      locations: 0x002),
    Example(
      testDescription: "ac3forge: a zero byte where JOC would be", payload: "0e00 200f00 00", dataRate: 448,
      tail: .other([0])),
    Example(
      testDescription: "dlb_mp4base: all of addbsi", payload: "0e00 200f00 0110 aabb", dataRate: 448,
      complexity: 16),
    Example(
      testDescription: "dlb_mp4base: an addbsi that is not JOC", payload: "0e00 200f00 a5c3 01",
      dataRate: 448,
      tail: .other([0xa5, 0xc3, 0x01])),
    Example(
      testDescription: "the flag without an index", payload: "0e00 200f00 01", dataRate: 448,
      tail: .other([1])),
    Example(
      testDescription: "an index of 0", payload: "0e00 200f00 0100", dataRate: 448, tail: .other([1, 0])),
    Example(
      testDescription: "an index of 17", payload: "0e00 200f00 0111", dataRate: 448, tail: .other([1, 17])),
    Example(
      testDescription: "an index without the flag", payload: "0e00 200f00 0010", dataRate: 448,
      tail: .other([0, 16])),
    Example(
      testDescription: "a reserved bit", payload: "0e00 200f00 0310", dataRate: 448, tail: .other([3, 16])),
  ]

  @Test(arguments: right + wrong) func `a payload is read and written back the same`(example: Example) throws
  {
    let bytes = hex(example.payload)
    let box = try parse(bytes)
    #expect(box.dataRate == example.dataRate)
    #expect(box.independents.count == example.independents)
    let first = box.independents[0]
    #expect(first.sampleRateCode == 0)
    #expect(first.bitstreamID == 16)
    #expect(!first.isAssociatedService)
    #expect(first.bitstreamMode == 0)
    #expect(first.audioCodingMode == example.mode)
    #expect(first.hasLFE == example.hasLFE)
    #expect(first.dependentCount == example.dependents)
    #expect(first.channelLocations.bits == example.locations)
    #expect(box.objectComplexity?.index == example.complexity)
    if example.complexity == nil { #expect(box.tail == example.tail) }
    #expect(box.bytes == bytes)
  }

  @Test func `bytes behind the index are kept`() throws {
    let box = try parse(hex("0e00 200f00 0110 aabb"))
    #expect(box.tail == .objects(try #require(ObjectComplexity(index: 16)), rest: [0xaa, 0xbb]))
  }

  @Test func `every field has its place`() throws {
    // 8191 kbit/s, one substream: fscod 2, bsid 11, asvc 1, bsmod 5, acmod 3, lfeon 0, 15 dependents, and
    // chan_loc 0x155
    var bits = Bits(
      (8191, 13), (0, 3), (2, 2), (11, 5), (0, 1), (1, 1), (5, 3), (3, 3), (0, 1), (0, 3), (15, 4))
    bits.put(0x155, 9)
    let bytes = bits.bytes(6)
    let box = try parse(bytes)
    #expect(box.dataRate == 8191)
    let only = try #require(box.independents.first)
    #expect(only.sampleRateCode == 2)
    #expect(only.bitstreamID == 11)
    #expect(only.isAssociatedService)
    #expect(only.bitstreamMode == 5)
    #expect(only.audioCodingMode == 3)
    #expect(!only.hasLFE)
    #expect(only.dependentCount == 15)
    #expect(only.channelLocations.bits == 0x155)
    #expect(box.bytes == bytes)
  }

  @Test func `reserved bits are read over and written as 0`() throws {
    #expect(try parse(hex("0e00 210fe1")).bytes == hex("0e00 200f00"))
    #expect(try parse(hex("0e00 210fe202")).bytes == hex("0e00 200f0202"))
  }

  @Test func `eight programmes, with and without dependents, are read`() throws {
    let payload = hex("0e07") + (0..<4).flatMap { _ in hex("200f00 200f0202") } + hex("0110")
    let box = try parse(payload)
    #expect(box.independents.map(\.dependentCount) == [0, 1, 0, 1, 0, 1, 0, 1])
    #expect(box.objectComplexity?.index == 16)
    #expect(box.bytes == payload)
  }

  @Test func `a payload that is cut off is refused`() {
    for payload in ["0e00 200f00", "1200 200f02 02", "0381 200f00 200400", "0e07 200f00 200f00"] {
      let bytes = hex(payload)
      let least = payload.hasPrefix("0e07") ? bytes.count + 1 : bytes.count
      for count in 0..<least {
        let cut = Array(bytes.prefix(count))
        #expect(throws: ParsingError.self, "\(count) of \(payload)") { try parse(cut) }
      }
    }
  }

  @Test func `a payload that no writer makes is refused`() throws {
    let longest = hex("0e00 200f00") + [UInt8](repeating: 0, count: 507)
    #expect(try parse(longest).bytes == longest)
    let error = #expect(throws: ParsingError.self) {
      try EC3SpecificBox(parsing: (longest + [0]).rawBytes, origin: 8)
    }
    #expect(error?.offset == 8)
  }

  /// `Tests/Media/INDEX.tsv`, config of the files that were made of these streams. kbit/s are the bytes of an
  /// access unit × 8 × sample rate / 1,536,000.
  @Test(arguments: [
    ("ddp51.ec3", 80, "0280200f00"), ("joc51.ec3", 80, "0280200f000103"), ("ddp71.ec3", 144, "0480200f0202"),
    ("ddp2ind.ec3", 112, "0381200f00200400"), ("ddp-3blk.ec3", 128, "0400200f00"),
    ("ddp-1blk.ec3", 192, "0600200400"),
    ("ddp20-44k1.ec3", 32, "0100600400"),
  ])
  func `a box that describes a stream is the right one`(name: String, dataRate: Int, payload: String) throws {
    let stream = try #require(StreamFixture.all.first { $0.name == name })
    let unit = try parseUnit([try stream.firstUnit()])
    let box = EC3SpecificBox(describing: unit, dataRate: dataRate, complexity: unit.objects?.complexity)
    #expect(box.bytes == hex(payload))
  }

  @Test func `bsmod is that of each independent substream`() throws {
    let stating = Bits((5, 3), (0, 2), (0, 2), (0, 1), (0, 1))
    let first = EnhancedFrame.with { $0.information = stating }
    let dependent = EnhancedFrame.with {
      $0.streamType = 1
      $0.channelMap = 0x0200
    }
    let second = EnhancedFrame.with {
      $0.substreamID = 1
      $0.information = Bits((2, 3), (0, 2), (0, 2), (0, 1), (0, 1))
    }
    let unit = try parseUnit([first.bytes, dependent.bytes, second.bytes])
    let box = EC3SpecificBox(describing: unit, dataRate: 448, complexity: nil)
    #expect(box.independents.map(\.bitstreamMode) == [5, 2])
    #expect(box.bytes == hex("0e01 205f0202 202f00"))
  }

  @Test func `a rate beyond 13 bits is the largest that can be said`() throws {
    let unit = try parseUnit(frames("I0"))
    let box = EC3SpecificBox(describing: unit, dataRate: 9000, complexity: nil)
    #expect(box.dataRate == 8191)
    #expect(box.bytes == hex("fff8 200f00"))
  }
}
