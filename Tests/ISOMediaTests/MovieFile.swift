import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

/// A file of `Tests/Media` and the boxes of its top level.
struct MovieFile {
  let bytes: [UInt8]
  let topLevel: [Box]

  init(_ name: String) throws {
    let bytes = try Media.bytes(name)
    var found: [Box] = []
    var next = 0
    while next + 8 <= bytes.count {
      var cursor = bytes.rawBytes.cursor(next..<bytes.count)
      found.append(try BoxHeader(parsing: &cursor).box(endingBefore: bytes.count))
      next = found[found.count - 1].payload.upperBound
    }
    self.bytes = bytes
    topLevel = found
  }

  private var moovBox: Box {
    get throws { try #require(topLevel.first { $0.type == "moov" }) }
  }

  /// `moov` alone, header and all.
  var moov: [UInt8] {
    get throws {
      let box = try moovBox
      return Array(bytes[box.offset..<box.payload.upperBound])
    }
  }

  var movie: Movie {
    get throws { try Movie(parsing: try moovBox, in: bytes.rawBytes) }
  }

  /// The tracks of sound, in file order.
  var soundTracks: [Track] {
    get throws { try movie.tracks.filter { $0.handler.type == "soun" } }
  }
}
