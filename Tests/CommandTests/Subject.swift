import Foundation
import TestSupport
import Testing

/// A file that every command must work on, and what its index says of it.
struct Subject: Sendable, CustomTestStringConvertible {
  let name: String
  let path: String
  let unitCount: Int
  let sampleRate: Int
  /// The track to take, where the file has several.
  var track: Int?

  var testDescription: String { name }
  var isElementary: Bool { ["ec3", "ac3"].contains((path as NSString).pathExtension) }

  var isFragmented: Bool { name.contains("frag") }

  /// The checksum of its last frame is wrong in the file itself; FFmpeg says so too.
  var hasBadChecksum: Bool { name.hasSuffix("sample_ac3.mp4") }

  /// Every file at hand, but for those that must be refused.
  static let all: [Subject] = own + shared

  /// The project's own fixtures.
  static let own: [Subject] = Media.ownIndex.compactMap { row in
    guard let name = row["file"], !refused.contains(name) else { return nil }
    return Subject(row, name: name, path: Media.path(name))
  }

  /// The larger set, where it is at hand.
  static let shared: [Subject] = Media.sharedIndex.compactMap { row in
    guard let file = row["file"], !refused.contains((file as NSString).lastPathComponent) else { return nil }
    return Subject(shared: row, file: file)
  }

  /// Files that are refused, or whose edit list is; other tests say why.
  private static let refused: Set<String> = [
    "ac4.mp4", "joc-enca.mp4", "joc-edit-rate2.mp4", "joc-edits-3.mp4", "joc-stops.mp4",
    "joc-stts-gap.mp4", "sample_ac4.mp4", "sample_ac4_protected.mp4", "sample_eac3.mp4",
  ]

  private init(name: String, path: String, unitCount: Int, sampleRate: Int) {
    self.name = name
    self.path = path
    self.unitCount = unitCount
    self.sampleRate = sampleRate
  }

  private init?(_ row: [String: String], name: String, path: String) {
    guard let count = row["AUs"].flatMap({ Int($0) }), let rate = row["rate"].flatMap({ Int($0) }) else {
      return nil
    }
    self.init(name: name, path: path, unitCount: count, sampleRate: rate)
  }

  /// "… 48000Hz …; AU 60; …" in the column that says what the bitstream holds.
  private init?(shared row: [String: String], file: String) {
    let audio = row["audio"] ?? ""
    let path = Media.sharedPath(file)
    if file.hasSuffix("-LE.ac3") {
      // The index does not say more of it than that it is byte-swapped: 438 frames of 1,536 bytes.
      self.init(name: file, path: path, unitCount: 672_768 / 1536, sampleRate: 48000)
      return
    }
    guard let rate = audio.firstMatch(of: /(\d+)Hz/).flatMap({ Int($0.1) }),
      let count = audio.firstMatch(of: /AU (\d+)/).flatMap({ Int($0.1) })
    else { return nil }
    self.init(name: file, path: path, unitCount: count, sampleRate: rate)
  }
}
