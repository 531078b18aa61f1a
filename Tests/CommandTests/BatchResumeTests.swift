import Foundation
import TestSupport
import Testing

/// `batch run --journal --resume`: batches that are killed, stopped, edited.
struct BatchResumeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func manifest(_ count: Int, length: String = "200ms") throws -> String {
    let lines = (0..<count).map { number in
      let source = Media.path(["joc-base.mp4", "ddp51.mp4", "av-joc.mp4"][number * 3 / count])
      return
        #"{"id":"\#(number)","source":"\#(source)","start":0.\#(number % 8),"duration":"\#(length)","output":"clips/\#(number % 5)/\#(number).mp4"}"#
        + "\n"
    }
    return try folder.write(Array(lines.joined().utf8), as: "jobs.jsonl")
  }

  private func run(_ path: String, _ more: [String] = ["--resume"]) -> [String] {
    ["batch", "run", path, "--journal", folder.file("journal"), "--json"] + more
  }

  private func summary(_ output: Tool.Output) throws -> JSON { try JSON(parsing: output.lines.last ?? "") }

  private func clips() throws -> [String: [UInt8]] {
    var clips: [String: [UInt8]] = [:]
    let root = folder.file("clips")
    for name in FileManager.default.enumerator(atPath: root)?.compactMap({ $0 as? String }) ?? []
    where name.hasSuffix("mp4") {
      clips[name] = try readFile("\(root)/\(name)")
    }
    return clips
  }

  /// Outputs that the journal says are done, with their sizes.
  private func recorded() throws -> [Int: Int] { try recordedJobs(in: folder.file("journal")) }

  @Test func `a batch that is killed again and again ends like one that was not`() throws {
    let count = 2000
    let path = try manifest(count)
    try kerfless(["batch", "run", path])
    let wanted = try clips()
    #expect(wanted.count == count)
    try FileManager.default.removeItem(atPath: folder.file("clips"))
    var generator = SeededGenerator(seed: 20)
    var kills = 0
    for round in 0..<20 {
      let running = try Tool.kerfless.start(
        run(path, ["--resume", "--jobs", "2", "--sync", round % 2 == 0 ? "none" : "group"]))
      Thread.sleep(forTimeInterval: Double(Int.random(in: 20..<150, using: &generator)) / 1000)
      running.signal(SIGKILL)
      if running.wait() == 128 + SIGKILL { kills += 1 }
      for (id, size) in try recorded() {
        #expect(try readFile(folder.file("clips/\(id % 5)/\(id).mp4")).count == size)
      }
    }
    #expect(kills >= 3, "the batch is too short for this machine")
    let last = try kerfless(run(path))
    #expect(try summary(last)["failed"].int == 0)
    #expect(try clips() == wanted)
    #expect(try recorded().count == count)
    let again = try summary(try kerfless(run(path)))
    #expect(again["skipped"].int == count)
    #expect(again["done"].int == 0)
  }

  @Test(arguments: [(SIGTERM, 143), (SIGINT, 130)] as [(Int32, Int32)])
  func `a signal ends a batch within a second, and it can be resumed`(_ signal: Int32, _ status: Int32) throws
  {
    let path = try manifest(3000)
    let running = try Tool.kerfless.start(run(path, []))
    while try clips().count < 20 { Thread.sleep(forTimeInterval: 0.02) }
    running.signal(signal)
    let start = Date()
    #expect(running.wait() == status)
    #expect(Date().timeIntervalSince(start) < 3)
    let done = try clips().count
    #expect((1..<3000).contains(done))
    #expect(try recorded().count == done)
    let names =
      FileManager.default.enumerator(atPath: folder.file("clips"))?.compactMap { $0 as? String } ?? []
    #expect(!names.contains { $0.contains(".kerfless-") })
    let rest = try summary(try kerfless(run(path)))
    #expect(rest["skipped"].int == done)
    #expect(rest["done"].int == 3000 - done)
    #expect(try clips().count == 3000)
  }

  /// Waits until a batch stands still, because nobody reads what it prints, and expects a signal to end it.
  private func expectEnd(of running: Tool.Running, when count: () throws -> Int) throws {
    var counts = [-1, try count()]
    while counts[0] != counts[1] || counts[1] == 0 {
      Thread.sleep(forTimeInterval: 0.7)
      counts = [counts[1], try count()]
    }
    running.signal(SIGTERM)
    let hasEnded = running.ends()
    #expect(hasEnded)
    if !hasEnded { running.signal(SIGKILL) }
    #expect(running.wait() == 143)
  }

  @Test func `a signal ends a batch whose results nobody reads, and the journal is written`() throws {
    let path = try manifest(3000)
    let pipe = Pipe()
    let running = try Tool.kerfless.start(run(path, []), output: pipe.fileHandleForWriting)
    try expectEnd(of: running) { try clips().count }
    let done = try clips().count
    #expect((1..<3000).contains(done))
    #expect(try recorded().count == done)
    #expect(try summary(try kerfless(run(path)))["skipped"].int == done)
  }

  @Test func `a signal ends a batch whose failures nobody reads`() throws {
    // A hundred failures are shown, and a pipe holds 64 KiB.
    let source = String(repeating: String(repeating: "n", count: 200) + "/", count: 5) + "none.mp4"
    let lines = (0..<5000).map { #"{"id":"\#($0)","source":"\#(source)","output":"\#($0).mp4"}"# + "\n" }
    let path = try folder.write(Array(lines.joined().utf8), as: "bad.jsonl")
    let pipe = Pipe()
    let running = try Tool.kerfless.start(
      ["batch", "run", path, "--journal", folder.file("journal")], errors: pipe.fileHandleForWriting)
    try expectEnd(of: running) {
      (try? readFile(folder.file("journal/shard-0-of-1.jsonl")).count) ?? 0
    }
  }

  @Test func `a reader that waits for a pipe does not hold up a signal`() throws {
    let path = try manifest(3)
    let shell = try #require(Tool("sh"))
    let command =
      "{ cat '\(path)'; sleep 8; } | { exec 3<&0; '\(Tool.kerfless.path)' batch run - --root '\(folder.path)' <&3 & sleep 2; kill -TERM $!; wait $!; echo $?; }"
    let start = Date()
    let running = try shell.run(["-c", "\(command) | tail -1"])
    #expect(running.text == "143\n")
    #expect(Date().timeIntervalSince(start) < 20)
    #expect(try clips().count == 3)
  }

  @Test func `torn lines of a journal are counted`() throws {
    let path = try manifest(3)
    try kerfless(run(path, []))
    let journal = folder.file("journal/shard-0-of-1.jsonl")
    for (torn, words) in [("{\"id\":\n", "1 torn line of"), ("{\"id\":\n", "2 torn lines of")] {
      _ = try folder.write(readFile(journal) + Array(torn.utf8), as: "journal/shard-0-of-1.jsonl")
      #expect(try kerfless(run(path)).errors == "kerfless: note: passed over \(words) the journal\n")
    }
  }

  @Test func `outputs that are missing, cut off or changed are made again, others' are kept`() throws {
    let path = try manifest(50)
    let taken = folder.file("clips/2/7.mp4")
    try FileManager.default.createDirectory(atPath: folder.file("clips/2"), withIntermediateDirectories: true)
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: taken))
    let first = try Tool.kerfless.run(run(path, []))
    #expect(first.status == 1)
    #expect(try summary(first)["done"].int == 49)
    let wanted = try clips()
    try FileManager.default.removeItem(atPath: folder.file("clips/0/10.mp4"))
    let whole = try readFile(folder.file("clips/1/1.mp4"))
    try Data(whole.dropLast(1)).write(to: URL(fileURLWithPath: folder.file("clips/1/1.mp4")))
    try Data([UInt8](repeating: 0, count: 100) + whole.dropFirst(100)).write(
      to: URL(fileURLWithPath: folder.file("clips/1/6.mp4")))
    let second = try Tool.kerfless.run(run(path))
    #expect(second.status == 1)
    #expect(try summary(second)["done"].int == 3)
    #expect(try summary(second)["skipped"].int == 46)
    #expect(try clips() == wanted)
    #expect(try readFile(taken) == [1, 2, 3])
  }

  @Test func `an edited manifest is refused, or its edited jobs run again`() throws {
    let path = try manifest(30)
    try kerfless(run(path, []))
    let text = String(decoding: try readFile(path), as: UTF8.self)
    let edited = text.replacingOccurrences(
      of: #""duration":"200ms","output":"clips/0/"#, with: #""duration":"300ms","output":"clips/0/"#)
    try Data(edited.utf8).write(to: URL(fileURLWithPath: path))
    try expectFailure(
      65, ["batch", "run", path, "--journal", folder.file("journal"), "--resume"], saying: ["--edited"])
    let result = try summary(try kerfless(run(path, ["--resume", "--edited"])))
    #expect(result["done"].int == 6)
    #expect(result["skipped"].int == 24)
    // The same jobs in another order and packed are the same manifest.
    try Data(edited.split(separator: "\n").reversed().joined(separator: "\n").utf8).write(
      to: URL(fileURLWithPath: path))
    try #require(Tool("lz4")).run(["-q", path, folder.file("jobs.lz4")])
    #expect(
      try summary(try kerfless(run(folder.file("jobs.lz4"), ["--resume", "--edited"])))["skipped"].int == 30)
  }

  @Test func `a journal that another run holds is refused`() throws {
    let path = try manifest(3)
    let shell = try #require(Tool("sh"))
    let first =
      "'\(Tool.kerfless.path)' batch run - --root '\(folder.path)' --journal '\(folder.file("journal"))'"
    let result = try shell.run([
      "-c", "{ cat '\(path)'; sleep 4; } | \(first) & sleep 2; \(first) --resume < '\(path)'; echo $?; wait",
    ])
    #expect(result.text.contains("75\n"))
    #expect(result.errors.contains("another run"))
    #expect(try clips().count == 3)
  }

  @Test(.enabled(if: Tool.exists("strace"), "strace is missing"))
  func `jobs that wait for the disk one by one are recorded one by one`() throws {
    let path = try manifest(20)
    let trace = folder.file("trace")
    let result = try #require(Tool("strace")).run(
      ["-f", "-y", "-e", "trace=writev,pwritev,write", "-o", trace, Tool.kerfless.path]
        + run(path, ["--sync", "file", "--jobs", "1"]))
    #expect(result.status == 0, "\(result.errors)")
    let appends = String(decoding: try readFile(trace), as: UTF8.self).split(separator: "\n").filter {
      $0.contains("shard-0-of-1.jsonl") && $0.contains(#""{\"id\":"#)
    }
    #expect(appends.count == 20)
  }

  @Test func `options that make no sense are refused`() throws {
    let path = try manifest(3)
    try expectFailure(64, ["batch", "run", path, "--resume"], saying: ["--journal"])
    try expectFailure(64, run(path, ["--edited"]).filter { $0 != "--json" }, saying: ["--resume"])
    try kerfless(run(path, []))
    try expectFailure(73, run(path, []).filter { $0 != "--json" }, saying: ["--resume"])
  }
}
