import Foundation
import TestSupport
import Testing

/// Lanes that wait for a slow medium wait at the same time.
@Suite(.enabled(if: Medium.works, "no FUSE, or no right to mount"), .serialized)
struct SlowMediumTests {
  @Test func `eight lanes read in eight places`() throws {
    let folder = try TemporaryFolder()
    let long = try LongSource(units: 9000, in: folder)
    var seconds: [Int: Double] = [:]
    for lanes in [1, 8] {
      // Mounted anew, so that nothing is cached.
      let medium = try #require(Medium(of: long.path, milliseconds: 20))
      defer { medium.unmount() }
      let lines = (0..<64).map {
        #"{"id":"\#($0)","source":"\#(medium.source)","start":"\#($0 * 140)au","duration":"20au","output":"\#(lanes)/\#($0).mp4"}"#
      }
      let manifest = try folder.write(Array(lines.joined(separator: "\n").utf8), as: "jobs.jsonl")
      let start = Date()
      try kerfless(["batch", "run", manifest, "--jobs", "\(lanes)"])
      seconds[lanes] = Date().timeIntervalSince(start)
      let most = try #require(medium.mostReads)
      #expect(lanes == 1 ? most < 8 : most >= 8, "\(most) reads at the same time by \(lanes) lanes")
    }
    for clip in 0..<64 {
      #expect(try readFile(folder.file("1/\(clip).mp4")) == readFile(folder.file("8/\(clip).mp4")))
    }
    let (one, eight) = (try #require(seconds[1]), try #require(seconds[8]))
    print("a slow medium: 1 lane \(one) s, 8 lanes \(eight) s, \(one / eight) times as fast")
  }
}
