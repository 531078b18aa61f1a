import Foundation
import TestSupport
import Testing

/// Sources and outputs beyond 4 GiB. The sources are sparse: holes cost no disk.
@Suite(.serialized)
struct LargeFileTests {
  /// Free space that the output of the second test needs.
  static let hasRoom: Bool = {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: NSTemporaryDirectory())
    return (attributes?[.systemFreeSize] as? Int ?? 0) > 8 << 30
  }()

  /// An MP4 file with the access units of joc-base.mp4 at these offsets, its movie box at the end and co64.
  private func sparse(
    _ folder: TemporaryFolder, _ offsets: [UInt64], unitsPerChunk: UInt32, byteCount: UInt64
  ) throws -> String {
    let units = try Media.bytes("joc51.ec3")
    let original = try Media.bytes("joc-base.mp4")
    let count = UInt32(offsets.count) * unitsPerChunk
    let tables =
      box("stts", bigEndian(UInt32(0)), bigEndian(UInt32(1)), bigEndian(count), bigEndian(UInt32(1536)))
      + box(
        "stsc", bigEndian(UInt32(0)), bigEndian(UInt32(1)), bigEndian(UInt32(1)), bigEndian(unitsPerChunk),
        bigEndian(UInt32(1)))
      + box("stsz", bigEndian(UInt32(0)), bigEndian(UInt32(320)), bigEndian(count))
      + box("co64", bigEndian(UInt32(0)), bigEndian(UInt32(offsets.count)), offsets.flatMap { bigEndian($0) })
    let stbl = box("stbl", try wholeBox("stsd", in: original), tables)
    let minf = box("minf", try wholeBox("smhd", in: original), try wholeBox("dinf", in: original), stbl)
    let mdia = box("mdia", try wholeBox("mdhd", in: original), try wholeBox("hdlr", in: original), minf)
    let moov = box(
      "moov", try wholeBox("mvhd", in: original), box("trak", try wholeBox("tkhd", in: original), mdia))
    let path = folder.file("sparse.mp4")
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.write(contentsOf: box("ftyp", Array("isom".utf8), bigEndian(UInt32(0))))
    try file.write(contentsOf: bigEndian(UInt32(1)) + Array("mdat".utf8) + bigEndian(byteCount - 16))
    for (index, offset) in offsets.enumerated() {
      try file.seek(toOffset: offset)
      let first = (index % 2) * Int(unitsPerChunk) % 32 * 320
      try file.write(contentsOf: units[first..<first + min(Int(unitsPerChunk), 4) * 320])
      // The last unit of the chunk is a real one too: cuts look at the last access unit.
      try file.seek(toOffset: offset + UInt64(unitsPerChunk - 1) * 320)
      try file.write(contentsOf: units[0..<320])
    }
    try file.seek(toOffset: byteCount)
    try file.write(contentsOf: moov)
    try file.close()
    return path
  }

  private func wholeBox(_ type: String, in file: [UInt8]) throws -> [UInt8] {
    let name = Array(type.utf8)
    let place = try #require(file.indices.first { file[$0...].starts(with: name) }) - 4
    let size = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    return Array(file[place..<place + size])
  }

  @Test func `a source of six GiB with chunks beyond four is cut`() throws {
    let folder = try TemporaryFolder()
    let offsets: [UInt64] = [4096, 5 << 30, 4 << 30, 6 << 30 - 4096]
    let source = try sparse(folder, offsets, unitsPerChunk: 4, byteCount: 6 << 30)
    let output = folder.file("clip.mp4")
    try kerfless(["trim", source, "-o", output, "--start", "3au", "--end", "13au"])
    let faults = try Judges.payload(output, [Judges.Part(source: source, units: 3..<13)])
    #expect(faults == [])
    let structure = try Judges.structure(output)
    #expect(structure == [])
    let all = try kerflessJSON(["trim", source, "-o", folder.file("all.ec3")])
    #expect(all["bytes"].int == 16 * 320)
  }

  @Test(.enabled(if: hasRoom, "8 GiB of free space are needed"))
  func `an output beyond four GiB has co64 and a large mdat`() throws {
    let folder = try TemporaryFolder()
    // 15 million access units of 320 bytes in one chunk: 4.8 GB.
    let units: UInt32 = 15_000_000
    let source = try sparse(folder, [4096], unitsPerChunk: units, byteCount: UInt64(units) * 320 + 8192)
    let output = folder.file("large.mp4")
    let report = try kerflessJSON(["trim", source, "-o", output])
    #expect(report["accessUnits"].int == 15_000_000)
    let handle = try #require(FileHandle(forReadingAtPath: output))
    let head = try handle.read(upToCount: 1 << 16) ?? Data()
    let text = String(decoding: head, as: UTF8.self)
    #expect(text.contains("co64") && !text.contains("stco"))
    let size = try FileManager.default.attributesOfItem(atPath: output)[.size] as? Int
    #expect(size == report["bytes"].int)
    for units in [0..<100, 14_999_900..<15_000_000] {
      #expect(try Judges.units(output, units) == Judges.units(source, units))
    }
    try killedRunsLeaveNothing(source, folder)
  }

  /// Neither a file without a name nor one under a temporary name stays.
  private func killedRunsLeaveNothing(_ source: String, _ folder: TemporaryFolder) throws {
    let target = folder.file("killed.mp4")
    for options in [[], ["--force"], ["--publish", "direct"]] {
      for (signal, status) in [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129)] {
        let run = try Tool.kerfless.start(["trim", source, "-o", target] + options)
        while !run.hasOpened(under: folder.path) { usleep(1000) }
        run.signal(signal)
        #expect(run.wait() == Int32(status))
        #expect(folder.names == ["large.mp4", "sparse.mp4"])
      }
    }
  }
}
