import Foundation

/// A source that can be made: how its bytes are arranged, and how long it is.
struct SourceMedia: Hashable {
  /// How an MP4 file holds its access units.
  enum Shape: String, CaseIterable {
    /// As `kerfless mux` writes it: one run of bytes.
    case regular
    /// In chunks of one second with as many bytes of something else between them, as beside a picture track.
    case interleaved
    /// In fragments of two seconds.
    case fragmented
  }

  let shape: Shape
  /// Access units.
  let units: Int

  /// Bytes of an access unit.
  static let unitByteCount = 320
  /// Access units in a second, rounded up.
  static let unitsPerSecond = 32

  static func regular(_ length: Length) -> SourceMedia { SourceMedia(shape: .regular, units: length.units) }

  /// The file's name in the cache; a change of what is made needs another one.
  var name: String { "\(shape)-\(units)-v1.mp4" }
}

/// Lengths of sources.
enum Length: String, CaseIterable {
  case minute = "1 min"
  case hour = "1 h"
  case tenHours = "10 h"

  /// 31.25 access units are a second.
  var units: Int {
    switch self {
    case .minute: 1875
    case .hour: 112_500
    case .tenHours: 1_125_000
    }
  }

  var seconds: Double { Double(units) * 0.032 }
}

/// Makes sources, once.
struct MediaLibrary {
  private let folder: String
  private let kerfless: String

  /// Throws when the folder cannot be made.
  init(_ folder: String, kerfless: String) throws {
    self.folder = URL(fileURLWithPath: folder).path
    self.kerfless = kerfless
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw BenchError(
        "the folder \(folder) for sources cannot be made",
        advice: "give --media DIR (\(error.text))")
    }
  }

  /// The path of a source, which is made where it is not there yet, or is no longer what was made.
  func path(of media: SourceMedia) throws -> String {
    let path = folder + "/" + media.name
    if FileManager.default.fileExists(atPath: path) {
      if (try? Child(kerfless, ["verify", path], in: folder)) != nil { return path }
      Progress.print("note: \(path) cannot be verified, and is made anew")
    }
    let scratch = try WorkFolder.make(in: folder)
    defer { WorkFolder.remove(scratch) }
    let stream = scratch + "/stream.ec3"
    try AccessUnits.write(media.units, to: stream)
    let regular = scratch + "/regular.mp4"
    _ = try Child(kerfless, ["mux", stream, "-o", regular], in: scratch)
    var finished = regular
    if media.shape != .regular {
      finished = scratch + "/finished.mp4"
      try Rearrangement(of: regular, units: media.units).write(media.shape, to: finished)
    }
    // Another run may have made it meanwhile.
    guard rename(finished, path) == 0 else {
      throw BenchError("\(path) cannot be made: \(String(cString: strerror(errno)))")
    }
    return path
  }
}
