import SystemIO
import TestSupport
import Testing

@testable import Remuxing

/// Lengths that headers state, where clocks, edit lists and other tracks are unusual.
@Suite struct DurationTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  private func faults(_ bytes: [UInt8]) throws -> [String] {
    let path = try #require(FilePath(try bench.folder.write(bytes, as: "file")))
    return try FileVerification(path).findings.filter(\.finding.severity.isFault)
      .map(\.finding.code.rawValue)
  }

  private func sketch() throws -> MovieSketch {
    MovieSketch(try units(of: "joc51.ec3"), dec3: hex("0280 200f00 0103"))
  }

  /// Ticks of a slow clock on a fast one exceed 63 bits.
  @Test(
    arguments: [
      (0xffff_fffe, 3, nil), (0xffff_ffff, 1, [(5, -1), (0, 0)]),
      (0xffff_ffff, 1, [(5, -1), (0xffff_ffff, 0)]),
      (0xffff_fffe, 1, [(0, 0)]), (0xffff_ffff, 1, [(.max, -1), (.max, 0)]),
    ] as [(UInt32, UInt32, [(UInt64, Int64)]?)])
  func `clocks far apart are a verdict and no trap`(
    movie: UInt32, media: UInt32, edits: [(duration: UInt64, mediaTime: Int64)]?
  ) throws {
    var sketch = try sketch()
    (sketch.movieTimescale, sketch.mediaTimescale) = (movie, media)
    sketch.times = [(64, 0x7fff_ffff)]
    sketch.edits = edits?.map { MovieSketch.Edit(duration: $0.duration, mediaTime: $0.mediaTime) }
    #expect(try faults(sketch.bytes).contains("tkhd.duration"))
    let path = try #require(FilePath(try bench.folder.write(sketch.bytes, as: "file")))
    #expect(failure { try Repair(path) } != nil)
  }

  @Test(arguments: [16, 17, 20])
  func `all edits count, however many`(count: Int) throws {
    var sketch = try sketch()
    sketch.edits = (0..<count).map { MovieSketch.Edit(duration: 1536, mediaTime: Int64($0) * 1536) }
    let sum = UInt32(count * 1536)
    var bytes = try sketch.bytes.patched("tkhd", at: 20, bigEndian(sum))
    bytes = try bytes.patched("mvhd", at: 16, bigEndian(sum))
    #expect(try faults(bytes) == [])
    let path = try #require(FilePath(try bench.folder.write(bytes, as: "file")))
    #expect(try Repair(path).plan.made.isEmpty)
    #expect(try faults(try bytes.patched("tkhd", at: 20, bigEndian(sum - 1536))).contains("tkhd.duration"))
  }
}
