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
    let kept = try MediaLibrary(folders[0].path, kerfless: "/nowhere").path(of: media)
    #expect(kept == paths[0])
  }
}
