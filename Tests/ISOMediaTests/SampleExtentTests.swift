import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

/// A sample table as lists: one size and one offset a sample.
private struct NaiveTable {
  var chunks: [(offset: Int, sampleCount: Int)] = []
  var sizes: [Int] = []
  var bits = 32

  /// A random table whose samples lie in a file of `fileByteCount` bytes; `bits` 0 is a constant size.
  init(using random: inout SeededGenerator, fileByteCount: Int) {
    bits = [0, 4, 8, 16, 32].randomElement(using: &random) ?? 0
    let largest = [0: 40, 4: 15, 8: 255][bits] ?? 300
    let constant = Int.random(in: 1...largest, using: &random)
    // Few shapes make long runs, many make a run a chunk.
    let shapeCount = Int.random(in: 1...4, using: &random)
    let shapes = (0..<shapeCount).map { _ in Int.random(in: 1...9, using: &random) }
    let changes = Int.random(in: 1...20, using: &random)
    var shape = shapes[0]
    var end = 0
    for _ in 0..<Int.random(in: 1...700, using: &random) {
      if Int.random(in: 0..<20, using: &random) < changes {
        shape = shapes.randomElement(using: &random) ?? shape
      }
      let own = (0..<shape).map { _ in bits == 0 ? constant : Int.random(in: 0...largest, using: &random) }
      let byteCount = own.reduce(0, +)
      let isNext = end + byteCount <= fileByteCount && Int.random(in: 0..<3, using: &random) > 0
      let offset = isNext ? end : Int.random(in: 0...fileByteCount - byteCount, using: &random)
      chunks.append((offset, shape))
      sizes += own
      end = offset + byteCount
    }
  }

  var runs: [[UInt32]] {
    chunks.indices
      .filter { $0 == 0 || chunks[$0].sampleCount != chunks[$0 - 1].sampleCount }
      .map { [UInt32($0 + 1), UInt32(chunks[$0].sampleCount), 1] }
  }

  func boxes(wide: Bool) -> TrackBytes {
    TrackBytes.with {
      $0.stsc = tableBox("stsc", runs)
      $0.stsz =
        bits == 0
        ? fullBox("stsz", words(UInt32(sizes[0]), UInt32(sizes.count))) : sizesBox(sizes, bits: bits)
      $0.stco =
        wide
        ? fullBox("co64", words(UInt32(chunks.count)), chunks.flatMap { bigEndian(UInt64($0.offset)) })
        : tableBox("stco", chunks.map { [UInt32($0.offset)] })
    }
  }

  /// Sample by sample, each put to the one before it where it touches.
  func extents(_ samples: Range<Int>) -> [SampleExtent] {
    var places: [Int] = []
    for chunk in chunks {
      var offset = chunk.offset
      for _ in 0..<chunk.sampleCount {
        places.append(offset)
        offset += sizes[places.count - 1]
      }
    }
    var found: [SampleExtent] = []
    for sample in samples {
      if let last = found.last, last.offset + last.byteCount == places[sample] {
        found[found.count - 1].byteCount += sizes[sample]
        found[found.count - 1].sampleCount += 1
      } else {
        found.append(SampleExtent(offset: places[sample], byteCount: sizes[sample], sampleCount: 1))
      }
    }
    return found
  }
}

struct SampleExtentTests {
  private let fileByteCount = 40_000

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `extents of random tables equal those of expanded ones`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let naive = NaiveTable(using: &random, fileByteCount: fileByteCount)
    let stbl = naive.boxes(wide: Bool.random(using: &random)).stbl
    let file = stbl + zeros(max(0, fileByteCount - stbl.count))
    let table = try SampleTable(
      parsing: Box(type: "stbl", offset: 0, payload: 8..<stbl.count), in: file.rawBytes)
    #expect(table.sampleCount == naive.sizes.count)
    var ranges = [0..<naive.sizes.count]
    for _ in 0..<25 {
      let start = Int.random(in: 0...naive.sizes.count, using: &random)
      let count = Int.random(in: 0...min(60, naive.sizes.count - start), using: &random)
      ranges.append(start..<start + count)
    }
    for range in ranges {
      let found = try table.extents(of: range, in: file.rawBytes)
      #expect(found == naive.extents(range), "seed \(seed), samples \(range)")
    }
  }

  @Test func `among the random tables are some of more runs than one checkpoint covers`() {
    let longest = (1...60 as ClosedRange<UInt64>).map { seed in
      var random = SeededGenerator(seed: seed)
      return NaiveTable(using: &random, fileByteCount: fileByteCount).runs.count
    }
    #expect(longest.filter { $0 > 256 }.count >= 3)
  }
}
