import Foundation
import TestSupport
import Testing

/// How a file's bytes lie on the disk, told by filefrag (FIEMAP).
struct SharedBlocks {
  private(set) var sharedByteCount = 0
  private(set) var ownByteCount = 0

  /// Reads the extents of a file, after what is dirty has been written.
  init(of path: String) throws {
    let output = try #require(Tool("filefrag")).run(["-v", "-s", path])
    try #require(output.status == 0, "\(output.errors)")
    // "   1:        1..    2812:     198964..    201775:   2812:          1: shared"
    for line in output.lines {
      guard let extent = line.firstMatch(of: /^ +\d+: +\d+\.\. *\d+: +\d+\.\. *\d+: +(\d+):(.*)$/) else {
        continue
      }
      let count = (Int(extent.1) ?? 0) * blockByteCount(output.text)
      if extent.2.contains("shared") { sharedByteCount += count } else { ownByteCount += count }
    }
  }
}

/// "File size of a.mp4 is 11523072 (2814 blocks of 4096 bytes)"
private func blockByteCount(_ text: String) -> Int {
  text.firstMatch(of: /blocks? of (\d+) bytes/).flatMap { Int($0.1) } ?? 0
}
