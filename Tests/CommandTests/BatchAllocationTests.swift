import Foundation
import TestSupport
import Testing

/// What a clip of a batch takes from the heap. DESIGN.md, 8: at most 16 times of our own in steady state, json-c apart.
///
/// An unoptimised build allocates more, so the release build is counted, which `make release` makes.
struct BatchAllocationTests {
  private static let release = Tool(
    path: Media.own.appendingPathComponent("../../.build/release/kerfless").standardizedFileURL.path)
  private static let library = Shim.build("allocations")
  private static let clips = 1000

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder(in: "/dev/shm")
  }

  /// Allocations of a run over so many clips: our own, and json-c's.
  private func allocations(_ clips: Int, _ options: [String]) throws -> (own: Int, json: Int) {
    let source = Media.path("joc-base.mp4")
    let lines = (0..<clips).map { number in
      #"{"id":"clip-\#(number)","source":"\#(source)","start":"0.\#(number % 8)","end":"0.9","output":"\#(clips)/\#(number).mp4"}"#
        + "\n"
    }
    let manifest = try folder.write(Array(lines.joined().utf8), as: "\(clips).jsonl")
    let counts = folder.file("allocations")
    let result = try #require(Self.release).run(
      ["batch", "run", manifest, "--jobs", "1", "--sync", "none"]
        + options.map { $0 == "journal" ? folder.file("\(clips)-journal") : $0 },
      environment: ["LD_PRELOAD": try #require(Self.library), "ALLOCATIONS": counts])
    try #require(result.status == 0, "\(result.errors)")
    let numbers = String(decoding: try readFile(counts), as: UTF8.self).split(whereSeparator: \.isWhitespace)
    try #require(numbers.count == 2)
    return (try #require(Int(numbers[0])), try #require(Int(numbers[1])))
  }

  @Test(
    .enabled(
      if: release != nil && library != nil || RequirementTests.areRequired,
      "no release build with shared libraries, or no C compiler"),
    arguments: [([], 16), (["--journal", "journal"], 16), (["--json"], 16)])
  func `a clip takes little from the heap`(options: [String], bound: Int) throws {
    let (once, twice) = (try allocations(Self.clips, options), try allocations(2 * Self.clips, options))
    // What starts the run is the same in both, and what grows with it grows seldom.
    let (own, json) = ((twice.own - once.own) / Self.clips, (twice.json - once.json) / Self.clips)
    #expect(own <= bound, "and json-c \(json)")
    print("\(options.first ?? "batch run"): \(own) allocations a clip, and \(json) of json-c")
  }
}
