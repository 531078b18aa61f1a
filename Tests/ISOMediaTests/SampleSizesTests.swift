import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

/// A table of sizes in a box, of 32 bits in `stsz` or 4, 8 or 16 in `stz2` (ISO/IEC 14496-12, 8.7.3).
func sizesBox(_ sizes: [Int], bits: Int) -> [UInt8] {
  let count = UInt32(sizes.count)
  switch bits {
  case 32: return fullBox("stsz", words(0, count), sizes.flatMap { bigEndian(UInt32($0)) })
  case 16: return fullBox("stz2", words(16, count), sizes.flatMap { bigEndian(UInt16($0)) })
  case 8: return fullBox("stz2", words(8, count), sizes.map { UInt8($0) })
  default:
    let even = sizes + (sizes.count % 2 == 0 ? [] : [0])
    let pairs = stride(from: 0, to: even.count, by: 2).map { UInt8(even[$0] << 4 | even[$0 + 1]) }
    return fullBox("stz2", words(4, count), pairs)
  }
}

struct SampleSizesTests {
  private func parse(_ bytes: [UInt8]) throws -> SampleSizes {
    let isSTZ2 = bytes[4..<8].elementsEqual("stz2".utf8)
    return try ISOMediaTests.parse(bytes) { (cursor) throws(ParsingError) in
      isSTZ2 ? try SampleSizes(parsingSTZ2: &cursor) : try SampleSizes(parsingSTSZ: &cursor)
    }
  }

  private func random(_ count: Int, bits: Int, seed: UInt64) -> [Int] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Int.random(in: 0..<1 << bits, using: &random) }
  }

  @Test func `one size for all needs no table`() throws {
    let bytes = fullBox("stsz", words(1792, 0xffff_ffff))
    let sizes = try parse(bytes)
    #expect(sizes.count == 0xffff_ffff)
    #expect(sizes.form == .constant(1792))
    #expect(sizes.constantSize == 1792)
    #expect(sizes.size(of: 0xffff_fffe, in: bytes.rawBytes) == 1792)
    #expect(sizes.commonSize(of: 5..<9, in: bytes.rawBytes) == 1792)
    #expect(try sizes.byteCount(of: 10..<0xffff_ffff, in: bytes.rawBytes) == 1792 * (0xffff_ffff - 10))
  }

  @Test func `a constant size times its samples that exceeds 63 bits is refused`() throws {
    let bytes = fullBox("stsz", words(0xffff_ffff, 0xffff_ffff))
    let sizes = try parse(bytes)
    #expect(throws: ParsingError.self) { try sizes.byteCount(of: 0..<sizes.count, in: bytes.rawBytes) }
  }

  @Test func `a table has a size for each sample`() throws {
    let bytes = fullBox("stsz", words(0, 4), words(5, 0, 0xffff_ffff, 7))
    let sizes = try parse(bytes)
    #expect(sizes.constantSize == nil)
    #expect((0..<4).map { sizes.size(of: $0, in: bytes.rawBytes) } == [5, 0, 0xffff_ffff, 7])
    #expect(try sizes.byteCount(of: 1..<4, in: bytes.rawBytes) == 0xffff_ffff + 7)
    #expect(try sizes.byteCount(of: 2..<2, in: bytes.rawBytes) == 0)
  }

  /// ISO/IEC 14496-12, 8.7.3.3.2: the first of two 4-bit sizes is in the high half, the last half is padding.
  @Test(arguments: [
    (4 as UInt32, 3 as UInt32, "12 30", [1, 2, 3]), (4, 4, "12 3f", [1, 2, 3, 15]), (4, 1, "90", [9]),
    (8, 3, "00 01 ff", [0, 1, 255]), (16, 2, "0140 ffff", [320, 65535]),
  ])
  func `a compact table has sizes of 4, 8 or 16 bits`(
    bits: UInt32, count: UInt32, table: String, expected: [Int]
  ) throws {
    let bytes = fullBox("stz2", words(bits, count), hex(table))
    let sizes = try parse(bytes)
    #expect(sizes.count == expected.count)
    #expect(expected.indices.map { sizes.size(of: $0, in: bytes.rawBytes) } == expected)
    #expect(try sizes.byteCount(of: 0..<sizes.count, in: bytes.rawBytes) == expected.reduce(0, +))
  }

  @Test func `the reserved bytes in front of the field size do not count`() throws {
    let bytes = fullBox("stz2", hex("ffffff 08"), words(1), [200])
    #expect(try parse(bytes).size(of: 0, in: bytes.rawBytes) == 200)
  }

  @Test(arguments: [0 as UInt32, 1, 5, 12, 32, 255]) func `other field sizes are refused`(bits: UInt32) {
    let error = errorParsing(fullBox("stz2", words(bits, 0))) { try SampleSizes(parsingSTZ2: &$0) }
    #expect(error?.offset == 12)
    #expect(error?.message.contains("a field size of \(bits) bits") == true)
  }

  @Test(arguments: [
    (0 as UInt32, 2 as UInt32, 7), (0, 0xffff_ffff, 400), (4, 3, 1), (4, 0xffff_ffff, 100), (8, 2, 1),
    (16, 1, 1),
    (16, 0xffff_ffff, 100),
  ])
  func `a count without room for it is refused`(bits: UInt32, count: UInt32, byteCount: Int) {
    let bytes = fullBox(bits == 0 ? "stsz" : "stz2", words(bits, count), zeros(byteCount))
    let error = #expect(throws: ParsingError.self) { try parse(bytes) }
    #expect(error?.offset == 16)
  }

  @Test(arguments: [4, 8, 16, 32]) func `sums of long ranges equal the naive ones`(bits: Int) throws {
    // Longer than three blocks of 4,096 sizes, and not a whole number of them.
    let expected = random(13_001, bits: bits, seed: UInt64(bits))
    let bytes = sizesBox(expected, bits: bits)
    let sizes = try parse(bytes)
    let sums = expected.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
    let edges = [0, 1, 4095, 4096, 4097, 8191, 8192, 8193, 12_288, 13_000, 13_001]
    var ranges = edges.flatMap { low in edges.filter { $0 >= low }.map { low..<$0 } }
    var random = SeededGenerator(seed: 99)
    for _ in 0..<200 {
      let ends = [Int.random(in: 0...13_001, using: &random), Int.random(in: 0...13_001, using: &random)]
        .sorted()
      ranges.append(ends[0]..<ends[1])
    }
    // The blocks' sums are made lazily: the order in which they are asked for must not matter.
    for range in ranges.shuffled(using: &random) {
      let sum = try sizes.byteCount(of: range, in: bytes.rawBytes)
      #expect(sum == sums[range.upperBound] - sums[range.lowerBound], "\(range)")
    }
  }

  @Test(arguments: [4, 8, 16, 32]) func `a common size is one that all samples of a range have`(bits: Int)
    throws
  {
    let bytes = sizesBox([3, 3, 3, 7, 7, 3], bits: bits)
    let sizes = try parse(bytes)
    func common(_ range: Range<Int>) -> Int? { sizes.commonSize(of: range, in: bytes.rawBytes) }
    #expect(common(0..<3) == 3)
    #expect(common(3..<5) == 7)
    #expect(common(5..<6) == 3)
    #expect(common(2..<4) == nil)
    #expect(common(0..<6) == nil)
  }

  @Test(arguments: [0, 4, 8, 16, 32]) func `sizes are copied as entries of 32 bits`(bits: Int) throws {
    let bytes = bits == 0 ? fullBox("stsz", words(9, 4)) : sizesBox([9, 1, 15, 2], bits: bits)
    let sizes = try parse(bytes)
    var writer = ByteWriter()
    sizes.appendEntries(of: 1..<4, in: bytes.rawBytes, to: &writer)
    sizes.appendEntries(of: 2..<2, in: bytes.rawBytes, to: &writer)
    #expect(writer.bytes == (bits == 0 ? words(9, 9, 9) : words(1, 15, 2)))
  }
}
