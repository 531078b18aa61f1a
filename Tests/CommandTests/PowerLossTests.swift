import Foundation
import TestSupport
import Testing

/// A batch whose file system goes down in the middle, as in a power cut, and which is then resumed.
@Suite(.serialized, .enabled(if: LoopMount.xfs != nil, "\(LoopMount.reason)"))
struct PowerLossTests {
  /// One file system with a source and a manifest on its disk, and what an undisturbed run makes of them.
  private struct Site {
    let place: LoopMount
    let manifest: String
    let wanted: [String: [UInt8]]

    init(_ kind: String, jobs count: Int) throws {
      place = try #require(LoopMount(kind))
      let root = place.path
      let folder = try TemporaryFolder()
      let source = try LongSource(units: 9000, in: folder)
      let lines = (0..<count).map {
        let start = $0 * 7 % 8000
        return
          #"{"id":"\#($0)","source":"\#(root)/long.mp4","start":"\#(start)au","end":"\#(start + 20 + $0 % 50)au","#
          + #""output":"clips/\#($0 % 7)/\#($0).mp4"}"# + "\n"
      }
      manifest = place.path + "/jobs.jsonl"
      try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: manifest))
      try FileManager.default.copyItem(atPath: source.path, toPath: place.path + "/long.mp4")
      sync()
      try kerfless(["batch", "run", manifest, "--root", folder.path])
      wanted = try Self.clips(in: folder.path)
    }

    func clips() throws -> [String: [UInt8]] { try Self.clips(in: place.path) }

    private static func clips(in folder: String) throws -> [String: [UInt8]] {
      var clips: [String: [UInt8]] = [:]
      for name in FileManager.default.enumerator(atPath: folder + "/clips")?.allObjects as? [String] ?? []
      where name.hasSuffix(".mp4") {
        clips["clips/" + name] = try readFile(folder + "/clips/" + name)
      }
      return clips
    }
  }

  @Test(arguments: ["xfs", "ext4"], ["group", "file"])
  func `what is recorded as done survives, and the rest is made again`(
    _ kind: String, _ durability: String
  ) throws {
    // Without a checkpoint, which comes after a second, a group is not recorded.
    let count = durability == "group" ? 8000 : 2500
    let site = try Site(kind, jobs: count)
    let journal = site.place.path + "/journal"
    var generator = SeededGenerator(seed: 125)
    var losses = 0
    for _ in 0..<2 {
      let running = try Tool.kerfless.start([
        "batch", "run", site.manifest, "--journal", journal, "--resume", "--jobs", "1",
        "--sync", durability,
      ])
      // Not before something more is recorded as done, and at any moment behind that.
      let recorded = try recordedJobs(in: journal).count
      while running.isRunning, try recordedJobs(in: journal).count == recorded {
        Thread.sleep(forTimeInterval: 0.03)
      }
      Thread.sleep(forTimeInterval: Double(Int.random(in: 0..<100, using: &generator)) / 1000)
      try site.place.losePower()
      // It ends by itself: every write fails.
      let status = running.wait()
      #expect(status < 128, "it ended by a signal")
      if status != 0 { losses += 1 }
      try site.place.recover()
      for (id, _) in try recordedJobs(in: journal) {
        let name = "clips/\(id % 7)/\(id).mp4"
        #expect(try readFile(site.place.path + "/" + name) == site.wanted[name], "\(name)")
      }
    }
    let last = try kerfless([
      "batch", "run", site.manifest, "--journal", journal, "--resume", "--sync",
      durability,
      "--json",
    ])
    let summary = try JSON(parsing: last.lines.last ?? "")
    print(
      "\(kind), --sync \(durability): the power was cut twice, \(losses) times before the end, \(summary["skipped"]) of \(count) outputs kept"
    )
    #expect(summary["skipped"].int ?? 0 > 0)
    #expect(try site.clips() == site.wanted)
  }
}
