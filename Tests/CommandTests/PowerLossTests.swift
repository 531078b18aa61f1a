import Foundation
import TestSupport
import Testing

/// A batch whose file system goes down in the middle, as in a power cut, and which is then resumed.
@Suite(.serialized, .enabled(if: LoopMount.xfs != nil, "\(LoopMount.reason)"))
struct PowerLossTests {
  private static let count = 4000

  /// One file system with a source and a manifest on its disk, and what an undisturbed run makes of them.
  private struct Site {
    let place: LoopMount
    let manifest: String
    let wanted: [String: [UInt8]]

    init(_ kind: String) throws {
      place = try #require(LoopMount(kind))
      let root = place.path
      let folder = try TemporaryFolder()
      let source = try LongSource(units: 9000, in: folder)
      let lines = (0..<PowerLossTests.count).map {
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
    let site = try Site(kind)
    var generator = SeededGenerator(seed: 125)
    var losses = 0
    for _ in 0..<3 {
      let running = try Tool.kerfless.start([
        "batch", "run", site.manifest, "--journal", site.place.path + "/journal", "--resume", "--jobs", "2",
        "--sync", durability,
      ])
      Thread.sleep(forTimeInterval: Double(Int.random(in: 100..<1200, using: &generator)) / 1000)
      try site.place.losePower()
      // It ends by itself: every write fails.
      let status = running.wait()
      #expect(status < 128, "it ended by a signal")
      if status != 0 { losses += 1 }
      try site.place.recover()
      for (id, _) in try recordedJobs(in: site.place.path + "/journal") {
        let name = "clips/\(id % 7)/\(id).mp4"
        #expect(try readFile(site.place.path + "/" + name) == site.wanted[name], "\(name)")
      }
    }
    let last = try kerfless([
      "batch", "run", site.manifest, "--journal", site.place.path + "/journal", "--resume", "--sync",
      durability,
      "--json",
    ])
    let summary = try JSON(parsing: last.lines.last ?? "")
    print(
      "\(kind), --sync \(durability): \(losses) losses of power, \(summary["skipped"]) of \(Self.count) outputs kept"
    )
    #expect(losses > 0)
    #expect(try site.clips() == site.wanted)
  }
}
