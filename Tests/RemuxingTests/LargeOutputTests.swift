import Foundation
import Glibc
import ISOMedia
import SystemIO
import TestSupport
import Testing

@testable import Remuxing

/// Outputs beyond 4 GiB, planned from a file that is almost all hole.
@Suite struct LargeOutputTests {
  let bench: Workbench
  /// 1,100,000 access units of 4,096 bytes: 4.5 GB.
  private static let count = 1_100_000
  private static let frame = FrameSketch(byteCount: 4096)
  private let source: Source

  init() throws {
    bench = try Workbench()
    var sketch = MovieSketch(1, of: Self.frame)
    sketch.times = [(Self.count, 1536)]
    // The sketch holds one access unit; its tables are widened to count them all.
    var bytes = sketch.bytes
    let chunk = Self.box("stsc", 1, 1, 1, 1)
    let size = Self.box("stsz", 4096, 1)
    try Self.replace(chunk, by: Self.box("stsc", 1, 1, UInt32(Self.count), 1), in: &bytes)
    try Self.replace(size, by: Self.box("stsz", 4096, UInt32(Self.count)), in: &bytes)
    // `mdat` to the end of the file.
    let frame = Self.frame.bytes
    try Self.replace(
      bigEndian(UInt32(frame.count + 8)) + Array("mdat".utf8), by: [0, 0, 0, 0] + Array("mdat".utf8),
      in: &bytes)
    let name = try bench.folder.write(bytes, as: "hole")
    let start = bytes.count - frame.count
    let file = try #require(FileHandle(forUpdatingAtPath: name))
    // Borders at which the tests cut; the frames in between are never looked at.
    for unit in [1_048_575, Self.count - 1, 0, 10, 1_048_000, 1_047_551] {
      try file.seek(toOffset: UInt64(start + unit * 4096))
      try file.write(contentsOf: frame)
    }
    try file.close()
    source = try Source(opening: try #require(FilePath(name)))
  }

  private static func box(_ type: String, _ numbers: UInt32...) -> [UInt8] {
    TestSupport.box(type, [0, 0, 0, 0] + numbers.flatMap { bigEndian($0) })
  }

  private static func replace(_ old: [UInt8], by new: [UInt8], in bytes: inout [UInt8]) throws {
    let place = try #require(Data(bytes).firstRange(of: Data(old)))
    bytes.replaceSubrange(place, with: new)
  }

  /// The boxes of the file's top level, and the width of its chunk offsets, read from what the plan makes.
  private func shape(_ plan: Plan) throws -> (boxes: [(type: String, header: Int)], offsets: String) {
    let text = String(decoding: plan.made, as: Unicode.ASCII.self)
    var boxes: [(String, Int)] = []
    var offset = 0
    while offset < plan.made.count {
      let size = plan.made[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      boxes.append((String(decoding: plan.made[offset + 4..<offset + 8], as: UTF8.self), size == 1 ? 16 : 8))
      guard boxes.last?.0 != "mdat" else { break }
      offset += size
    }
    return (boxes, text.contains("co64") ? "co64" : "stco")
  }

  /// Access units, and what their number makes necessary: 1,048,575 are 4 GiB less 4,096 bytes.
  @Test(arguments: [
    (11, 8, "stco"), (1_048_001, 8, "stco"), (1_048_576, 16, "stco"), (1_100_000, 16, "co64"),
  ])
  func `offsets and sizes are 64 bits wide only where one needs it`(units: Int, header: Int, offsets: String)
    throws
  {
    let planned = try OutputPlanner.iso().plan(source, range("0au", "\(units)au"))
    let shape = try shape(planned.plan)
    #expect(shape.boxes.last?.type == "mdat")
    #expect(shape.boxes.last?.header == header)
    #expect(shape.offsets == offsets)
    #expect(planned.plan.payloadByteCount == units * 4096)
    #expect(planned.plan.byteCount == planned.plan.made.count + units * 4096)
  }

  @Test func `offsets beyond 4 GiB point at the access units`() throws {
    let planned = try OutputPlanner.iso().plan(source)
    let name = bench.folder.file("output")
    let file = try #require(
      FileManager.default.createFile(atPath: name, contents: nil) ? FileHandle(forUpdatingAtPath: name) : nil)
    // The payload is left out but for its length: the tables are what is looked at.
    try file.write(contentsOf: Data(planned.plan.made))
    try file.truncate(atOffset: UInt64(planned.plan.byteCount))
    try file.close()
    let output = try MappedFile(path: try #require(FilePath(name)))
    let boxes = try TopLevelBoxes(of: output, head: output.read(at: 0, count: 4096))
    let table = try Movie(parsing: try #require(boxes.movie), in: output.bytes).tracks[0].sampleTable
    let payload = planned.plan.made.count
    #expect(table.chunkOffsets.width == .bits64)
    #expect(table.chunkOffsets.table.count <= 1024)
    #expect(
      try table.extents(of: 0..<Self.count, in: output.bytes) == [
        SampleExtent(offset: payload, byteCount: Self.count * 4096, sampleCount: Self.count)
      ])
    let last = try table.extents(of: Self.count - 1..<Self.count, in: output.bytes)
    #expect(
      last == [SampleExtent(offset: payload + (Self.count - 1) * 4096, byteCount: 4096, sampleCount: 1)])
  }

  @Test func `a long cut keeps the phase of its source`() throws {
    let planned = try OutputPlanner.iso().plan(source, range("10au", "1048001au"))
    guard case .extent(let extent) = planned.plan.pieces.last else {
      Issue.record("the plan does not end with payload")
      return
    }
    #expect((planned.plan.made.count - extent.offset) % 4096 == 0)
    #expect(extent.byteCount == 1_047_991 * 4096)
  }
}
