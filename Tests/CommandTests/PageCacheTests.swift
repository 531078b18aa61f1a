import Foundation
import TestSupport
import Testing

/// What opening and cutting read of a cold file, told by mincore.
@Suite(.serialized)
struct PageCacheTests {
  private static let page = 4096

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Drops a file from the page cache; false where the file system keeps it (tmpfs).
  private func evict(_ path: String) throws -> Bool {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    guard fsync(descriptor) == 0, posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0 else {
      return false
    }
    return try resident(path).isEmpty
  }

  /// The pages of a file that are in the page cache.
  private func resident(_ path: String) throws -> Set<Int> {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    let map = try #require(mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0))
    defer { munmap(map, size) }
    var flags = [UInt8](repeating: 0, count: (size + Self.page - 1) / Self.page)
    #expect(mincore(map, size, &flags) == 0)
    return Set(flags.indices.filter { flags[$0] & 1 == 1 })
  }

  private func pages(_ bytes: Range<Int>) -> Set<Int> {
    Set(bytes.lowerBound / Self.page...(bytes.upperBound - 1) / Self.page)
  }

  /// Offset and size of an access unit, and the ranges of all boxes of the top level that are no payload, by the judge's eyes.
  private func unit(_ number: Int, of path: String) throws -> Range<Int> {
    let judge = Media.judges.appendingPathComponent("judge.py").path
    let line = try #require(
      try Judges.python?.run([judge, "units", path, "--range", "\(number):\(number + 1)"]).lines.first)
    let fields = line.split(separator: " ").compactMap { Int($0) }
    return fields[1]..<fields[1] + fields[2]
  }

  /// The ranges of the boxes of the top level: of `mdat` only the header.
  private func headers(_ path: String) throws -> Set<Int> {
    let bytes = try readFile(path)
    var found: Set<Int> = []
    var position = 0
    while position + 8 <= bytes.count {
      var size = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      if size == 1 { size = bytes[position + 8..<position + 16].reduce(0) { $0 << 8 | Int($1) } }
      if size == 0 { size = bytes.count - position }
      let isPayload = bytes[position + 4..<position + 8].elementsEqual("mdat".utf8)
      found.formUnion(pages(position..<position + (isPayload ? 16 : size)))
      position += size
    }
    return found
  }

  /// 200 times the same access units: 2 MB, the movie box in front.
  private func longFile() throws -> String {
    let path = folder.file("long.mp4")
    try kerfless(["concat"] + Array(repeating: Media.path("joc-base.mp4"), count: 200) + ["-o", path])
    return path
  }

  private func check(_ path: String, units: Range<Int>) throws {
    let overhead = try headers(path)
    let first = try pages(unit(0, of: path))
    let ends = try pages(unit(units.lowerBound, of: path)).union(pages(unit(units.upperBound - 1, of: path)))
    try #require(try evict(path), "this file system keeps its pages")

    try kerfless(["inspect", path])
    let opened = try resident(path)
    #expect(opened.subtracting(overhead).subtracting(first) == [], "opening")
    #expect(!opened.isEmpty)

    try #require(try evict(path))
    let range = ["--start", "\(units.lowerBound)au", "--end", "\(units.upperBound)au"]
    try kerfless(["trim", path, "-o", folder.file("dry.mp4"), "--dry-run"] + range)
    let planned = try resident(path)
    #expect(planned.subtracting(overhead).subtracting(first).subtracting(ends) == [], "planning")
  }

  @Test(.enabled(if: Judges.python != nil, "python3 is needed"))
  func `opening touches headers, tables and the first access unit only`() throws {
    try check(try longFile(), units: 1000..<5000)
  }

  @Test(
    .enabled(if: Media.shared != nil && Judges.python != nil, "the larger set of media is not at hand"),
    arguments: [
      "generated/mp4/av25_joc_faststart.mp4", "generated/mp4/av23976_ddp51_plain.mp4",
      "generated/mp4/ddp51_vbr_10s.mp4",
      "real/DolbyLaboratories_dlb_mp4base/7ch_ddp_25fps_acmod_19.mp4",
    ])
  func `so it does where video lies between, the movie box comes last, or sizes vary`(_ file: String) throws {
    let path = folder.file("copy.mp4")
    try FileManager.default.copyItem(atPath: Media.sharedPath(file), toPath: path)
    try check(path, units: 100..<200)
  }
}
