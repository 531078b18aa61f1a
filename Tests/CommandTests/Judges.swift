import Foundation
import TestSupport

/// Other programs that decide whether an output is right.
enum Judges {
  static let python = Tool("python3")
  static let ffprobe = Tool("ffprobe")
  static let ffmpeg = Tool("ffmpeg")
  static let mediainfo = Tool("mediainfo")
  /// An FFmpeg that honours both ends of an edit list; Debian's does not. `make test` puts it there.
  static let currentFFmpeg = Tool(
    path: ProcessInfo.processInfo.environment["KERFLESS_FFMPEG"]
      ?? Media.own.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent(".build/judges/ffmpeg").path)

  /// Whether all of them are at hand.
  static let areAtHand = [python, ffprobe, ffmpeg, mediainfo].allSatisfy { $0 != nil }

  /// A half-open range of a source's access units.
  struct Part {
    let source: String
    let units: Range<Int>
    var track: Int?

    fileprivate func arguments(_ option: String) -> [String] {
      [option, source] + (track.map { ["--track", "\($0)"] } ?? [])
        + ["--range", "\(units.lowerBound):\(units.upperBound)"]
    }
  }

  /// What the project's own judge says is wrong with an output's structure; see Tests/Judges/judge.py.
  ///
  /// With the parts that it was made of, also whether large extents keep their phase.
  static func structure(_ output: String, _ parts: [Part] = [], edited: Bool = false) throws -> [String] {
    try judge(
      ["structure", output] + (edited ? [] : ["--no-edit"]) + parts.flatMap { $0.arguments("--source") })
  }

  /// What differs between an output's access units and these parts of the sources.
  static func payload(_ output: String, _ parts: [Part]) throws -> [String] {
    try judge(["payload", output] + parts.flatMap { $0.arguments("--of") })
  }

  /// What the judge reads of some access units of a file: sizes and hashes.
  static func units(_ path: String, _ units: Range<Int>) throws -> [Substring] {
    let judge = Media.judges.appendingPathComponent("judge.py").path
    let result = try python?.run([judge, "units", path, "--range", "\(units.lowerBound):\(units.upperBound)"])
    return (result?.lines ?? []).map { $0.split(separator: " ")[2...].joined(separator: " ")[...] }
  }

  private static func judge(_ arguments: [String]) throws -> [String] {
    guard let python else { return ["python3 is missing"] }
    let result = try python.run([Media.judges.appendingPathComponent("judge.py").path] + arguments)
    switch result.status {
    case 0: return []
    case 1: return result.lines
    default: return ["judge: " + result.text + result.errors]
    }
  }

  /// The audio stream as ffprobe reads it, and what it warns of.
  struct Probe {
    let fields: [String: String]
    let warnings: Set<String>
    var frames: Int? { fields["nb_frames"].flatMap { Int($0) } }
    var durationTicks: Int? { fields["duration_ts"].flatMap { Int($0) } }
    var timeBase: String? { fields["time_base"] }
  }

  static func probe(_ path: String) throws -> Probe {
    let result = try ffprobe?.run([
      "-v", "warning", "-select_streams", "a:0", "-show_streams", "-of", "default=noprint_wrappers=1", path,
    ])
    let pairs = (result?.lines ?? []).compactMap { line -> (String, String)? in
      let parts = line.split(separator: "=", maxSplits: 1)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
    return Probe(fields: Dictionary(pairs) { first, _ in first }, warnings: warnings(result?.errors ?? ""))
  }

  /// What ffmpeg complains of while it decodes every access unit.
  static func decodeErrors(_ path: String) throws -> Set<String> {
    let result = try ffmpeg?.run(["-v", "error", "-i", path, "-map", "a:0", "-f", "null", "-"])
    return warnings(result?.errors ?? "no ffmpeg")
  }

  /// Messages without the addresses and paths in them, which differ from run to run.
  private static func warnings(_ text: String) -> Set<String> {
    Set(
      text.split(separator: "\n").map { line in
        line.replacingOccurrences(of: " @ 0x[0-9a-f]+", with: "", options: .regularExpression)
          .replacingOccurrences(of: "^/.*?: ", with: "", options: .regularExpression)
      })
  }

  /// What MediaInfo calls the first audio track, layout and complexity included.
  static func format(_ path: String, track: Int? = nil) throws -> [String: String] {
    let wanted = [
      "Format", "Format_Commercial_IfAny", "Format_AdditionalFeatures", "Channels", "ChannelLayout",
      "SamplingRate",
      "ComplexityIndex", "NumberOfDynamicObjects", "BedChannelCount", "BedChannelConfiguration",
    ]
    guard let result = try mediainfo?.run(["--Output=JSON", path]),
      let root = try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any],
      let media = root["media"] as? [String: Any], let tracks = media["track"] as? [[String: Any]]
    else { return [:] }
    let audio = tracks.filter { $0["@type"] as? String == "Audio" }
    let chosen = audio.first { track == nil || $0["ID"] as? String == "\(track ?? 0)" }
    var facts: [String: String] = [:]
    let extra = chosen?["extra"] as? [String: Any] ?? [:]
    for (key, value) in (chosen ?? [:]).merging(extra, uniquingKeysWith: { first, _ in first })
    where wanted.contains(key) {
      facts[key] = "\(value)"
    }
    return facts
  }
}
