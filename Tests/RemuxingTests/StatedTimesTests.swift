import SystemIO
import TestSupport
import Testing

@testable import Remuxing

/// Times that a container states, against the access units and against each other.
@Suite struct StatedTimesTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  /// Durations of frag.mp4: tfhd has none, trex says 1536.
  @Test func `fragments last until the next one starts`() throws {
    let base = try Media.bytes("frag.mp4")
    #expect(try bench.faults(base) == [])
    let place = try base.payload(of: "tfdt", 1)
    let isWide = base[place] == 1
    let last = place + (isWide ? 11 : 7)
    for (difference, codes) in [(1, []), (2, ["tfdt.sum", "tfdt.sum"]), (100, ["tfdt.sum", "tfdt.sum"])] {
      var bytes = base
      let time = bytes[last - 3...last].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } + UInt32(difference)
      bytes.replaceSubrange(last - 3...last, with: bigEndian(time))
      #expect(try bench.faults(bytes) == codes)
    }
  }

  @Test(arguments: [0, 1, 1500, 100_000])
  func `durations of fragments that are no access unit's`(ticks: Int) throws {
    var bytes = try Media.bytes("frag.mp4")
    let whole = bigEndian(UInt32(1536))
    for type in ["trex", "tfhd"] {
      let code = Array(type.utf8)
      for place in bytes.indices.dropLast(24) where bytes[place..<place + 4].elementsEqual(code) {
        for offset in stride(from: place + 12, to: place + 28, by: 4)
        where bytes[offset..<offset + 4].elementsEqual(whole) {
          bytes.replaceSubrange(offset..<offset + 4, with: bigEndian(UInt32(ticks)))
        }
      }
    }
    let found = Set(try bench.faults(bytes))
    #expect(found == ["tfdt.sum", "stts.irregular"])
  }

  @Test(
    arguments: [
      ([(64, 1530)], ["stts.irregular"]),
      ([(20, 1536), (1, 1470), (1, 1602), (42, 1536)], ["stts.irregular"]),
      ([(63, 1536), (1, 50_000), (0, 1)], ["stts.last-short"]), ([(64, 1536), (0, 9)], []),
    ] as [([(Int, Int)], [String])])
  func `times of access units`(times: [(count: Int, delta: Int)], codes: [String]) throws {
    var sketch = try MovieSketch.objects()
    sketch.times = times
    var bytes = sketch.bytes
    let total = bigEndian(UInt32(times.reduce(0) { $0 + $1.count * $1.delta }))
    for (type, at) in [("mvhd", 16), ("tkhd", 20), ("mdhd", 16)] { try bytes.patch(type, at: at, total) }
    #expect(try bench.faults(bytes).filter { !$0.hasSuffix("duration") } == codes)
  }

  @Test(arguments: [("ddp20-ts1000.mp4", 35), ("ddp20-44k1.mp4", 1536), ("joc-ts600.mp4", 19)])
  func `the last access unit of a clock that rounds`(name: String, whole: Int) throws {
    let base = try Media.bytes(name)
    let stts = try base.payload(of: "stts")
    let count = base[stts + 4..<stts + 8].reduce(0) { $0 << 8 | Int($1) }
    // The last run becomes one access unit, the others go to the run in front of it.
    let row = stts + 8 + (count - 1) * 8
    let rest = base[row..<row + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } - 1
    let before = base[row - 8..<row - 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    for (delta, isWrong) in [(whole, false), (0, true), (7, true), (900_000, true)] {
      var bytes = base
      bytes.replaceSubrange(row - 8..<row - 4, with: bigEndian(before + rest))
      bytes.replaceSubrange(row..<row + 8, with: bigEndian(UInt32(1)) + bigEndian(UInt32(delta)))
      #expect(try bench.faults(bytes).contains("stts.last-short") == isWrong, "\(delta)")
    }
  }

  @Test func `the movie's length is not told from a track's that may be wrong`() throws {
    let base = try Media.bytes("av-joc.mp4")
    let isVideoFirst = try base.payload(of: "vide") < base.payload(of: "soun")
    let bytes = try base.patched("tkhd", isVideoFirst ? 0 : 1, at: 20, bigEndian(UInt32(999_999_999)))
    #expect(try bench.faults(bytes) == ["tkhd.duration"])
    let path = try bench.path(bytes)
    #expect(failure { try Repair(path) }?.message.contains("tkhd.duration") ?? false)
  }

  @Test func `a movie that announces fragments and has none is a plain one`() throws {
    let base = try Media.bytes("joc-base.mp4")
    #expect(try bench.faults(base) == [])
    let moov = try base.payload(of: "moov") - 8
    let size = base[moov..<moov + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let extends = box(
      "mvex",
      box(
        "trex", [0, 0, 0, 0] + bigEndian(UInt32(1)) + bigEndian(UInt32(1)) + [UInt8](repeating: 0, count: 12))
    )
    var bytes = base
    bytes.insert(contentsOf: extends, at: moov + Int(size))
    bytes.replaceSubrange(moov..<moov + 4, with: bigEndian(size + UInt32(extends.count)))
    if try base.payload(of: "mdat") > moov {
      let stco = try bytes.payload(of: "stco")
      let count = bytes[stco + 4..<stco + 8].reduce(0) { $0 << 8 | Int($1) }
      for place in stride(from: stco + 8, to: stco + 8 + 4 * count, by: 4) {
        let offset = bytes[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        bytes.replaceSubrange(place..<place + 4, with: bigEndian(offset + UInt32(extends.count)))
      }
    }
    #expect(try bench.faults(bytes) == [])
    let wrong = try bytes.patched("tkhd", at: 20, bigEndian(UInt32(77))).patched(
      "mdhd", at: 16, hex("00000001"))
    #expect(try bench.faults(wrong) == ["mdhd.duration", "tkhd.duration"])
    #expect(try bench.faults(try bytes.patched("mvhd", at: 16, hex("00000001"))) == ["mvhd.duration"])
  }

  @Test(
    arguments: [
      ([(1536, 0, 1 << 16), (1536, 1_000_000, 1 << 16), (1536, 0, 1 << 16)], ["elst.outside-media"]),
      ([(1536, 0, 1 << 16), (1536, -7, 1 << 16), (1536, 0, 1 << 16)], ["elst.outside-media"]),
      ([(99_999, 0, 1 << 16), (1536, 0, 1 << 16)], ["elst.outside-media"]),
      ([(1536, 0, 1 << 16), (1536, -1, 1 << 16)], ["elst.outside-media"]),
      ([(1536, 1_000_000, 1 << 17)], ["elst.outside-media"]),
      ([(1536, -1, 1 << 16), (1536, 0, 1 << 16)], []), ([(1536, 0, 1 << 16), (1536, 9000, 1 << 16)], []),
    ] as [([(UInt64, Int64, UInt32)], [String])])
  func `edits of what is not there`(edits: [(UInt64, Int64, UInt32)], codes: [String]) throws {
    var sketch = try MovieSketch.objects()
    sketch.edits = edits.map { MovieSketch.Edit(duration: $0.0, mediaTime: $0.1, rate: $0.2) }
    let sum = bigEndian(UInt32(edits.reduce(0) { $0 + $1.0 }))
    let bytes = try sketch.bytes.patched("tkhd", at: 20, sum).patched("mvhd", at: 16, sum)
    #expect(try bench.faults(bytes) == codes)
  }
}
