import Foundation
import TestSupport
import Testing

/// Memory of long batches. DESIGN.md, 8: RssAnon is at most 32 MiB and 32 bytes a job.
///
/// It takes minutes, so it runs where everything must.
@Suite(.serialized, .enabled(if: RequirementTests.areRequired, "KERFLESS_REQUIRE_ALL is not set"))
struct BatchMemoryTests {
  private static let jobs = 20_000

  /// A folder in memory, so that the files cost no disk.
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder(in: "/dev/shm")
  }

  private func manifest(_ count: Int) throws -> String {
    let source = folder.file("source.mp4")
    try FileManager.default.copyItem(atPath: Media.path("joc-base.mp4"), toPath: source)
    let path = folder.file("jobs.jsonl")
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: path))
    for first in stride(from: 0, to: count, by: 10000) {
      let lines = (first..<min(first + 10000, count)).map { number in
        #"{"id":"clip-\#(number)","source":"source.mp4","start":0.\#(number % 8),"duration":"64ms","output":"out/\#(number % 100)/\#(number).mp4"}"#
          + "\n"
      }
      try file.write(contentsOf: Data(lines.joined().utf8))
    }
    try file.close()
    return path
  }

  /// Runs the command and returns the most anonymous memory that was seen, in KiB.
  private func peak(_ arguments: [String]) throws -> Int {
    let running = try Tool.kerfless.start(arguments)
    var peak = 0
    while running.isRunning {
      peak = max(peak, running.anonymousKiB ?? 0)
      Thread.sleep(forTimeInterval: 0.02)
    }
    #expect(running.wait() == 0)
    return peak
  }

  @Test func `a long batch stays within its memory, with a journal and resumed too`() throws {
    let path = try manifest(Self.jobs)
    let bound = 32 * 1024 + 32 * Self.jobs / 1024
    let run = ["batch", "run", path, "--journal", folder.file("journal"), "--jobs", "2"]
    #expect(try peak(run) <= bound)
    #expect(try peak(run + ["--resume"]) <= bound)
    #expect(try peak(["batch", "pack", path, "--by-source", "-o", folder.file("jobs.lz4")]) <= bound)
    let count = try FileManager.default.subpathsOfDirectory(atPath: folder.file("out"))
      .filter { $0.hasSuffix(".mp4") }.count
    #expect(count == Self.jobs)
  }

  @Test func `hostile manifests stay within it`() throws {
    let deep = String(repeating: #"{"segments":["#, count: 1 << 19)
    let long = String(repeating: "x", count: 200 << 20)
    let wide = #"{"id":"a","segments":[\#(String(repeating: #"{"source":"s"},"#, count: 60000))]}"#
    let path = try folder.write(Array((deep + "\n" + long + "\n" + wide + "\n").utf8), as: "hostile.jsonl")
    let running = try Tool.kerfless.start(["batch", "check", path])
    var peak = 0
    while running.isRunning {
      peak = max(peak, running.anonymousKiB ?? 0)
      Thread.sleep(forTimeInterval: 0.005)
    }
    #expect(running.wait() == 1)
    #expect(peak <= 64 * 1024)
  }
}
