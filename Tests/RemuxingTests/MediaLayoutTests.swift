import SystemIO
import TestSupport
import Testing

@testable import Remuxing

/// DESIGN.md, 5.5: media data boxes, the free boxes in front of them, and phase.
@Suite struct MediaLayoutTests {
  private static let large = 128 << 10

  /// Extents of one source and one segment, of 64 bytes an access unit or less.
  private func extents(_ places: [(offset: Int, byteCount: Int)]) -> [PayloadExtent] {
    places.map {
      PayloadExtent(
        extent: Extent(source: 0, offset: $0.offset, byteCount: $0.byteCount),
        accessUnits: max(1, $0.byteCount / 64),
        segment: 0)
    }
  }

  private func layout(_ extents: [PayloadExtent], header: Int = 700) -> MediaLayout {
    var layout = MediaLayout(extents)
    layout.place(extents, behind: header)
    return layout
  }

  /// What must hold of every layout, whatever its extents.
  private func expectSound(_ layout: MediaLayout, _ extents: [PayloadExtent], header: Int, _ comment: Comment)
  {
    var position = header
    var next = 0
    for box in layout.boxes {
      #expect(box.freeByteCount == 0 || box.freeByteCount >= 8, comment)
      #expect(box.freeByteCount < 4096 + 8, comment)
      #expect(box.payloadOffset == position + box.freeByteCount + box.headerByteCount, comment)
      #expect(box.payloadByteCount == extents[box.extents].reduce(0) { $0 + $1.extent.byteCount }, comment)
      #expect(box.headerByteCount == (box.payloadByteCount + 8 > 0xffff_ffff ? 16 : 8), comment)
      #expect(box.extents.lowerBound == next, comment)
      let first = extents[box.extents.lowerBound].extent
      if first.byteCount >= Self.large {
        #expect(box.extents.count == 1, comment)
        #expect((box.payloadOffset - first.offset) % 4096 == 0, comment)
      } else {
        #expect(box.freeByteCount == 0, comment)
        #expect(extents[box.extents].allSatisfy { $0.extent.byteCount < Self.large }, comment)
      }
      position = box.payloadOffset + box.payloadByteCount
      next = box.extents.upperBound
    }
    #expect(next == extents.count, comment)
  }

  @Test func `a large extent keeps its phase, whatever it is, behind the smallest free box that does it`() {
    for phase in 0..<4096 {
      for header in [700, 4088] {
        let extents = extents([(1_000_000 * 4096 + phase, Self.large)])
        let layout = layout(extents, header: header)
        expectSound(layout, extents, header: header, "phase \(phase), header \(header)")
        // 0 bytes or 8 and more: what is missing to the phase, or a block more where that is 1 to 7.
        let missing = (phase - header - 8 + 8192) % 4096
        #expect(layout.boxes[0].freeByteCount == ((1..<8).contains(missing) ? missing + 4096 : missing))
      }
    }
  }

  @Test(arguments: [(131_071, false), (131_072, true), (131_073, true)])
  func `128 KiB is where an extent is large`(byteCount: Int, isLarge: Bool) {
    let layout = layout(extents([(100, byteCount)]))
    #expect((layout.boxes[0].freeByteCount > 0) == isLarge)
    #expect(((layout.boxes[0].payloadOffset - 100) % 4096 == 0) == isLarge)
  }

  @Test(arguments: [
    ([], []), ([1], [0..<1]), ([1, 1, 1], [0..<3]), ([1, large, 1], [0..<1, 1..<2, 2..<3]),
    ([large, large], [0..<1, 1..<2]), ([large, 1, 1], [0..<1, 1..<3]), ([1, 1, large], [0..<2, 2..<3]),
    ([large - 1, large - 1], [0..<2]),
  ])
  func `large extents stand alone and small neighbours together`(sizes: [Int], groups: [Range<Int>]) {
    #expect(MediaLayout(extents(sizes.map { (0, $0) })).boxes.map(\.extents) == groups)
  }

  @Test func `random extents are laid out soundly`() {
    let seed: UInt64 = 128
    var generator = SeededGenerator(seed: seed)
    for round in 0..<500 {
      let places = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
        (
          offset: Int.random(in: 0..<1 << 40, using: &generator),
          byteCount: [64, 4096, Self.large - 64, Self.large, 1 << 20, 5 << 30].randomElement(
            using: &generator) ?? 64
        )
      }
      let header = Int.random(in: 100..<10_000, using: &generator)
      let extents = extents(places)
      expectSound(layout(extents, header: header), extents, header: header, "round \(round) of seed \(seed)")
    }
  }

  @Test(arguments: [(0xffff_ffff - 8, 8), (0xffff_ffff - 7, 16), (1 << 40, 16)])
  func `a box has a 64-bit size only when it needs one`(byteCount: Int, header: Int) {
    let layout = layout(extents([(12_345, byteCount)]))
    #expect(layout.boxes[0].headerByteCount == header)
    #expect((layout.boxes[0].payloadOffset - 12_345) % 4096 == 0)
  }

  @Test func `small extents that add up to more than 4 GiB have a 64-bit size as well`() {
    let count = 33_000
    let layout = layout(extents(Array(repeating: (0, 131_008), count: count)))
    #expect(layout.boxes.count == 1)
    #expect(layout.boxes[0].headerByteCount == 16)
    #expect(layout.boxes[0].payloadByteCount == count * 131_008)
  }

  @Test func `chunks start where the payload does and follow each other`() {
    let extents = extents([(5000, Self.large * 4), (100, 6400), (9_000_000, 6400), (77, Self.large)])
    let layout = layout(extents)
    #expect(layout.boxes.map(\.extents) == [0..<1, 1..<3, 3..<4])
    let chunks = ChunkPlan(extents, in: layout, sampleRate: 48000, sizes: .constant(64))
    var offsets = chunks.offsets
    layout.place(&offsets)
    for box in layout.boxes { #expect(offsets.contains(box.payloadOffset)) }
    #expect(offsets == offsets.sorted())
    #expect(offsets.last == layout.fileOffset(ofLast: chunks.offsets.last ?? 0))
    // 8192 access units in chunks of 31 and a rest of 8, then 200, then 2048: no chunk across a box.
    #expect(offsets.count == 265 + 7 + 67)
  }
}
