import ByteParsing
import TestSupport
import Testing

@testable import EnhancedAC3

struct CRC16Tests {
  private func fast(_ bytes: [UInt8]) -> UInt16 { CRC16.checksum(bytes.rawBytes) }

  /// The catalogue's check value of CRC-16/UMTS.
  @Test func `the digits 1 to 9 give FEE8`() {
    #expect(CRC16.plain(Array("123456789".utf8)) == 0xfee8)
    #expect(fast(Array("123456789".utf8)) == 0xfee8)
  }

  @Test func `no bytes and zeros give 0`() {
    #expect(fast([]) == 0)
    #expect(fast([UInt8](repeating: 0, count: 100)) == 0)
  }

  @Test func `one bit gives the polynomial x^16 + x^15 + x^2 + 1`() {
    #expect(CRC16.plain([1]) == 0x8005)
    #expect(fast([1]) == 0x8005)
  }

  @Test(arguments: 0...70) func `the fast way equals the plain one at every length`(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    for _ in 0..<20 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(fast(bytes) == CRC16.plain(bytes), "seed \(count)")
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `the fast way equals the plain one over parts of long runs`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
    for _ in 0..<4 {
      let start = Int.random(in: 0..<2500, using: &random)
      let end = Int.random(in: 2500...5000, using: &random)
      let part = CRC16.checksum(bytes.rawBytes.extracting(start..<end))
      #expect(part == CRC16.plain(Array(bytes[start..<end])), "seed \(seed), \(start) ..< \(end)")
    }
  }

  @Test func `bytes with their checksum behind them give 0`() {
    let bytes = Array("123456789".utf8)
    #expect(fast(bytes + [0xfe, 0xe8]) == 0)
  }
}

struct ChecksumTests {
  private func firstBad(_ bytes: [UInt8], origin: Int = 0) throws -> Int? {
    try AccessUnit.firstBadChecksum(in: bytes.rawBytes, origin: origin)
  }

  /// Other programs made these streams, and their checksums.
  @Test(arguments: StreamFixture.bigEndian) func `every access unit of every stream is right`(
    stream: StreamFixture
  ) throws {
    let bytes = try Media.bytes(stream.name)
    for unit in try stream.units() {
      let own = Array(bytes[unit.offset..<unit.offset + unit.byteCount])
      #expect(try firstBad(own) == nil, "at \(unit.offset)")
    }
  }

  @Test func `a wrong bit anywhere behind the sync word is found`() throws {
    let unit = Array(try Media.bytes("joc51.ec3")[..<320])
    for bit in stride(from: 6 * 8, to: 320 * 8, by: 7) {
      var bytes = unit
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(try firstBad(bytes, origin: 5000) == 5000, "bit \(bit)")
    }
  }

  @Test func `the first wrong frame is named by its offset`() throws {
    var unit = Array(try Media.bytes("ddp71.ec3")[..<576])
    unit[500] ^= 1
    #expect(try firstBad(unit, origin: 1000) == 1320)
    unit[100] ^= 1
    #expect(try firstBad(unit, origin: 1000) == 1000)
  }

  /// ATSC A/52, 7.10.1: crc1 covers the first five eighths, here 240 of 384 bytes.
  @Test func `the first five eighths of an AC-3 frame have a checksum of their own`() throws {
    let frame = Array(try Media.bytes("ac3-51.ac3")[..<384])
    for (byte, isCovered) in [(100, true), (239, true), (240, false), (300, false)] {
      var changed = frame
      changed[byte] ^= 0x10
      #expect(try firstBad(changed) == 0)
      let mended = withSecondChecksum(changed)
      #expect(CRC16.plain(Array(mended[2...])) == 0)
      #expect(try firstBad(mended) == (isCovered ? 0 : nil), "byte \(byte)")
    }
  }

  @Test(arguments: AC3SizeRow.all) func `AC-3 frames of all sizes have both checksums`(row: AC3SizeRow) throws
  {
    for (sizeCode, rateCode, words) in row.cases {
      let frame = PlainFrame.with {
        $0.rateCode = rateCode
        $0.sizeCode = sizeCode
        $0.byteCount = 2 * words
      }
      #expect(try firstBad(frame.bytes) == nil)
      var changed = frame.bytes
      changed[20] ^= 4
      #expect(try firstBad(withSecondChecksum(changed)) == 0)
    }
  }

  @Test func `zeros behind the last frame are passed over`() throws {
    let frame = EnhancedFrame().bytes
    #expect(try firstBad(frame + [UInt8](repeating: 0, count: 20)) == nil)
  }

  @Test func `bytes that are no frames are refused`() {
    let frame = EnhancedFrame().bytes
    let torn = #expect(throws: ParsingError.self) { try firstBad(Array(frame.dropLast()), origin: 10) }
    #expect(torn?.offset == 10)
    let garbage = #expect(throws: ParsingError.self) {
      try firstBad(frame + hex("0102030405060708"), origin: 10)
    }
    #expect(garbage?.offset == 10 + frame.count)
  }
}
