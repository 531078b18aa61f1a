import Foundation
import TestSupport
import Testing

@testable import Bench

@Suite struct MediaTests {
  /// Lengths that end inside a chunk and inside a fragment, and one that does not.
  @Test(arguments: SourceMedia.Shape.allCases, [640, 700])
  func `sources have their access units and nothing is wrong with them`(shape: SourceMedia.Shape, units: Int)
    throws
  {
    let folder = try TemporaryFolder()
    let library = try MediaLibrary(folder.path, kerfless: Tool.kerfless.path)
    let path = try library.path(of: SourceMedia(shape: shape, units: units))
    let verdict = try Tool.kerfless.run(["verify", path])
    #expect(verdict.status == 0, "\(verdict.text)\(verdict.errors)")
    guard let ffprobe = Tool("ffprobe") else { return }
    let packets = try ffprobe.run([
      "-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0", path,
    ])
    #expect(packets.text.hasPrefix("\(units)"), "\(packets.text)\(packets.errors)")
  }

  @Test func `a source is made the same again, and kept`() throws {
    let media = SourceMedia(shape: .interleaved, units: 100)
    let folders = [try TemporaryFolder(), try TemporaryFolder()]
    let paths = try folders.map {
      try MediaLibrary($0.path, kerfless: Tool.kerfless.path).path(of: media)
    }
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: paths[0])) == Data(contentsOf: URL(fileURLWithPath: paths[1]))
    )
    let made = try inode(paths[0])
    let kept = try MediaLibrary(folders[0].path, kerfless: Tool.kerfless.path).path(of: media)
    #expect(kept == paths[0])
    #expect(try inode(kept) == made)
  }

  /// A byte that changed, an end that is missing, nothing at all.
  @Test(arguments: [nil, 20_000, 0])
  func `a kept source that is no longer what was made is made anew`(size: Int?) throws {
    let media = SourceMedia(shape: .regular, units: 100)
    let folder = try TemporaryFolder()
    let library = try MediaLibrary(folder.path, kerfless: Tool.kerfless.path)
    let path = try library.path(of: media)
    let whole = try readFile(path)
    var damaged = Array(whole.prefix(size ?? whole.count))
    if size == nil { damaged[whole.count / 2] ^= 1 }
    _ = try folder.write(damaged, as: media.name)
    #expect(try library.path(of: media) == path)
    #expect(try readFile(path) == whole)
  }

  private func inode(_ path: String) throws -> UInt64? {
    try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
  }
}
