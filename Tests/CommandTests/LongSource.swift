import Foundation
import TestSupport
import Testing

@testable import Bench

/// An MP4 file of any length with JOC in it, each access unit different from all others and with a right checksum.
struct LongSource {
  static let unitByteCount = SourceMedia.unitByteCount
  let path: String

  /// Writes the file into a folder; 3,000 units are a megabyte.
  init(units: Int, in folder: TemporaryFolder, as name: String = "long.mp4") throws {
    let stream = folder.file(name + ".ec3")
    try AccessUnits.write(units, to: stream)
    path = folder.file(name)
    try kerfless(["mux", stream, "-o", path])
    try FileManager.default.removeItem(atPath: stream)
  }
}
