import Foundation
import TestSupport
import Testing

/// `batch run`: many jobs in one process.
struct BatchRunTests {
  private let folder: TemporaryFolder
  private let source = Media.path("joc-base.mp4")

  init() throws {
    folder = try TemporaryFolder()
  }

  private func manifest(_ lines: [String], as name: String = "jobs.jsonl") throws -> String {
    try folder.write(Array(lines.map { $0 + "\n" }.joined().utf8), as: name)
  }

  /// Jobs of 0.2 s each, `count` of them, on two sources.
  private func jobs(_ count: Int) -> [String] {
    (0..<count).map { number in
      let source = Media.path(number % 3 == 0 ? "joc-base.mp4" : "ddp51.mp4")
      let start = Double(number % 8) / 10
      return
        #"{"id":"\#(number)","source":"\#(source)","start":\#(start),"duration":"200ms","output":"clips/\#(number % 5)/\#(number).mp4"}"#
    }
  }

  private func outputs() throws -> [String: [UInt8]] {
    var outputs: [String: [UInt8]] = [:]
    let names =
      FileManager.default.enumerator(atPath: folder.file("clips"))?.compactMap { $0 as? String } ?? []
    for name in names where name.hasSuffix(".mp4") {
      outputs[name] = try readFile(folder.file("clips/\(name)"))
    }
    return outputs
  }

  @Test func `a batch writes what trim and concat write`() throws {
    let ddp = Media.path("ddp51.mp4")
    let path = try manifest([
      #"{"id":"a","source":"\#(source)","start":"0.25","end":0.75,"output":"a.mp4"}"#,
      #"{"id":"b","source":"\#(source)","start":0.1,"duration":"300ms","cut":"exact","output":"b.m4a"}"#,
      #"{"id":"c","segments":[{"source":"\#(ddp)","start":1},{"source":"\#(ddp)","end":"10au"}],"output":"c.mp4"}"#,
      #"{"id":"d","source":"\#(ddp)","output":"d.ec3"}"#,
    ])
    let lines = try kerfless(["batch", "run", path, "--json"]).lines.map { try JSON(parsing: $0) }
    #expect(lines.count == 5)
    #expect(lines.last?["schema"].description == "kerfless.batch.summary/1")
    #expect(lines.last?["done"].int == 4)
    for (job, arguments) in [
      "a.mp4": ["trim", source, "--start", "0.25", "--end", "0.75"],
      "b.m4a": ["trim", source, "--start", "0.1", "--duration", "0.3", "--cut", "exact"],
      "c.mp4": ["concat", "\(ddp)@1-", "\(ddp)@-10au"], "d.ec3": ["extract", ddp],
    ] {
      let single = folder.file("single-" + job)
      let report = try kerflessJSON(arguments + ["-o", single])
      #expect(try readFile(folder.file(job)) == readFile(single), "\(job)")
      let line = try #require(lines.first { $0["output"].description.hasSuffix("/" + job) })
      #expect(line["status"].description == "done")
      #expect(line["bytes"].int == report["bytes"].int)
      #expect(line["accessUnits"].int == report["accessUnits"].int)
    }
  }

  @Test func `lanes, packing and standard input make no difference`() throws {
    let path = try manifest(jobs(200))
    try kerfless(["batch", "run", path, "--jobs", "1"])
    let wanted = try outputs()
    #expect(wanted.count == 200)
    try #require(Tool("lz4")).run(["-q", path, folder.file("jobs.lz4")])
    let piped = ["batch", "run", "-", "--root", folder.path]
    for run in [["batch", "run", path, "--jobs", "5"], ["batch", "run", folder.file("jobs.lz4")], piped] {
      try FileManager.default.removeItem(atPath: folder.file("clips"))
      let result = try Tool.kerfless.run(run, input: run == piped ? readFile(folder.file("jobs.lz4")) : nil)
      #expect(result.status == 0, "\(result.errors)")
      #expect(try outputs() == wanted)
    }
  }

  @Test func `a job that fails does not disturb the others`() throws {
    let good = jobs(20)
    let bad = [
      #"{"id":"missing","source":"nowhere.mp4","output":"clips/m.mp4"}"#,
      #"{"id":"far","source":"\#(source)","start":99,"output":"clips/f.mp4"}"#,
      #"{"id":"wrong","source":"\#(source)","output":"clips/w.mp4","cutt":"exact"}"#,
      "no job at all",
    ]
    let path = try manifest(Array(good.prefix(10)) + bad + Array(good.suffix(10)))
    let result = try Tool.kerfless.run(["batch", "run", path, "--json"])
    #expect(result.status == 1)
    #expect(try outputs().count == 20)
    let lines = try result.lines.map { try JSON(parsing: $0) }
    let failures = lines.filter { $0["status"].description == "failed" }
    #expect(
      Set(failures.map { "\($0["line"]) \($0["error"]["code"]) \($0["error"]["exit"])" }) == [
        "11 input.missing 66", "12 range.invalid 65", "13 job.invalid 65", "14 job.invalid 65",
      ])
    #expect(result.errors.contains("line 13: cutt: there is no such key"))
    #expect(lines.last?["done"].int == 20)
    #expect(lines.last?["failed"].int == 4)
  }

  @Test func `what may work later is told apart`() throws {
    let path = try manifest([
      #"{"id":"1","source":"\#(source)","output":"/dev/full"}"#,
      #"{"id":"2","source":"\#(source)","output":"a.mp4"}"#,
    ])
    // The name has no suffix, so the first is no job; with a link to the device it fails for want of space.
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("full.mp4"), withDestinationPath: "/dev/full")
    #expect(try Tool.kerfless.run(["batch", "run", path]).status == 1)
    let full = try manifest([#"{"id":"1","source":"\#(source)","output":"full.mp4"}"#], as: "full.jsonl")
    let result = try Tool.kerfless.run(["batch", "run", full, "--retry", "1"])
    #expect(result.status == 75)
    #expect(result.errors.contains("No space left"))
    #expect(
      try #require(result.lines.first).wholeMatch(
        of: /0 done, 1 failed \(1 may work if tried again\), in \d+ ms/) != nil)
  }

  @Test func `where nothing works jobs do not wait one after the other`() throws {
    // The jobs in the middle have room, so the last ones are tried again once more.
    let jobs = try (0..<600).map { number in
      let isFull = !(280..<300).contains(number)
      if isFull {
        try FileManager.default.createSymbolicLink(
          atPath: folder.file("\(number).mp4"), withDestinationPath: "/dev/full")
      }
      return #"{"id":"\#(number)","source":"\#(source)","end":0.1,"output":"\#(number).mp4"}"#
    }
    let result = try Tool.kerfless.run(
      ["batch", "run", try manifest(jobs), "--retry", "2", "--jobs", "1", "--json"])
    #expect(result.status == 75)
    let outcomes = try result.lines.dropLast().map { try JSON(parsing: $0) }
    // A hundred milliseconds and two hundred.
    let waited = outcomes.filter { ($0["microseconds"].int ?? 0) >= 300_000 }.compactMap { $0["line"].int }
    #expect(waited == [1, 301])
    #expect(outcomes.count == 600)
  }

  @Test func `after enough failures no further job is started`() throws {
    let bad = (0..<500).map { #"{"id":"\#($0)","source":"none.mp4","output":"\#($0).mp4"}"# }
    let path = try manifest(bad + jobs(5))
    let result = try Tool.kerfless.run(["batch", "run", path, "--max-errors", "3", "--json", "--jobs", "2"])
    #expect(result.status == 1)
    let failed = try #require(try JSON(parsing: result.lines.last ?? "")["failed"].int)
    // Chunks that had been begun are finished.
    #expect((3..<300).contains(failed))
    #expect(try JSON(parsing: result.lines.last ?? "")["endedBy"].description == "max-errors")
    let text = try Tool.kerfless.run(["batch", "run", path, "--max-errors", "3"])
    #expect(text.text.contains("what was left was not run"))
    #expect(try outputs().isEmpty)
  }

  @Test(arguments: [("run", "1 done, 1 with warnings"), ("check", "1 job can be run, 1 with warnings")])
  func `warnings of jobs are shown and counted`(_ verb: String, _ text: String) throws {
    let path = try manifest([
      #"{"id":"two","source":"\#(Media.path("joc-2-tracks.mp4"))","end":0.5,"output":"a.mp4"}"#
    ])
    let result = try Tool.kerfless.run(["batch", verb, path])
    #expect(result.status == 0)
    #expect(result.errors.contains("warning: line 1, job two: track "), "\(result.errors)")
    #expect(result.text.hasPrefix(text), "\(result.text)")
    try? FileManager.default.removeItem(atPath: folder.file("a.mp4"))
    let summary = try JSON(parsing: try kerfless(["batch", verb, path, "--json"]).lines.last ?? "")
    #expect(summary["warned"].int == 1)
  }

  @Test func `what fails again and again is shown a hundred times`() throws {
    let path = try manifest((0..<150).map { #"{"id":"\#($0)","source":"none.mp4","output":"\#($0).mp4"}"# })
    let result = try Tool.kerfless.run(["batch", "run", path])
    #expect(result.errors.split(separator: "\n").filter { $0.contains("error: line") }.count == 100)
    #expect(result.errors.contains("further input.missing is counted only"))
    #expect(result.text.contains("150 failed"))
  }

  @Test func `an output that exists is kept, unless it is to be replaced`() throws {
    let path = try manifest([#"{"id":"1","source":"\#(source)","output":"a.mp4"}"#])
    _ = try folder.write([1], as: "a.mp4")
    #expect(try Tool.kerfless.run(["batch", "run", path]).status == 1)
    #expect(try readFile(folder.file("a.mp4")) == [1])
    try kerfless(["batch", "run", path, "--force"])
    #expect(try readFile(folder.file("a.mp4")).count > 1000)
  }

  @Test func `nothing outside a confinement is read or written`() throws {
    let inside = folder.file("inside")
    try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: source, toPath: inside + "/s.mp4")
    try FileManager.default.createSymbolicLink(atPath: inside + "/link.mp4", withDestinationPath: source)
    try FileManager.default.createSymbolicLink(atPath: inside + "/out", withDestinationPath: folder.path)
    let path = try manifest([
      #"{"id":"1","source":"s.mp4","output":"ok/a.mp4"}"#,
      #"{"id":"2","source":"link.mp4","output":"b.mp4"}"#,
      #"{"id":"3","source":"\#(source)","output":"c.mp4"}"#,
      #"{"id":"4","source":"s.mp4","output":"out/d.mp4"}"#,
      #"{"id":"5","source":"s.mp4","output":"x/../../e.mp4"}"#,
      #"{"id":"6","source":"s.mp4","output":"/tmp/f.mp4"}"#,
    ])
    let result = try Tool.kerfless.run([
      "batch", "run", path, "--root", inside, "--confine", inside, "--json",
    ])
    #expect(result.status == 1)
    #expect(try JSON(parsing: result.lines.last ?? "")["done"].int == 1)
    #expect(FileManager.default.fileExists(atPath: inside + "/ok/a.mp4"))
    #expect(folder.names == ["inside", "jobs.jsonl"])
    #expect(!FileManager.default.fileExists(atPath: "/tmp/f.mp4"))
  }

  @Test func `a manifest that cannot be read is an error of the whole`() throws {
    let result = try Tool.kerfless.run(["batch", "run", folder.file("none.jsonl")])
    #expect(result.status == 66)
    let packed = try manifest(jobs(50))
    try #require(Tool("lz4")).run(["-q", packed, folder.file("jobs.lz4")])
    let torn = try folder.write(readFile(folder.file("jobs.lz4")).dropLast(7).map { $0 }, as: "torn.lz4")
    let run = try Tool.kerfless.run(["batch", "run", torn])
    #expect(run.status == 65)
    #expect(run.errors.contains("inside a frame"))
  }

  @Test func `a folder is no manifest, an empty one has no jobs`() throws {
    try expectFailure(66, ["batch", "run", folder.path], saying: ["Is a directory"])
    let path = try manifest(["", "  "])
    let result = try Tool.kerfless.run(["batch", "run", path])
    #expect(result.status == 0)
    #expect(result.errors == "kerfless: warning: there are no jobs in the manifest\n")
  }

  @Test func `another file that is given as a manifest is one error, which names what it is`() throws {
    let cases: [([UInt8], String)] = [
      (try readFile(source), "it is an MP4 file, no manifest"),
      (try readFile(Media.path("ddp51.ec3")), "it is an AC-3 or E-AC-3 stream, no manifest"),
      (
        [0x1f, 0x8b, 8, 0, 0, 0],
        "compressed by gzip, which manifests are not; pipe it in: gzip -dc MANIFEST |"
      ),
      ([0x28, 0xb5, 0x2f, 0xfd, 0, 0], "compressed by zstd, which manifests are not; pipe it in: zstd -dc"),
      (
        [0xff, 0xfe] + Array("{".utf16).flatMap { [UInt8(truncatingIfNeeded: $0), 0] }, "it is text in UTF-16"
      ),
      (Array("ELF\0\0\n".utf8), "there is a zero byte in its first line, so it is no manifest"),
    ]
    for (bytes, text) in cases {
      let path = try folder.write(bytes, as: "wrong")
      for words in [
        ["run", path], ["run", path, "--journal", folder.file("journal")], ["check", path], ["cat", path],
        ["pack", path, "-o", folder.file("out.lz4")],
      ] { try expectFailure(65, ["batch"] + words, saying: [text], leaving: folder) }
      let piped = try Tool.kerfless.run(["batch", "run", "-"], input: bytes)
      #expect(piped.status == 65)
      #expect(piped.errors.split(separator: "\n").count == 1)
      #expect(piped.errors.contains(text))
    }
    // A line that cannot be read is its own error, and does not stop the others.
    let path = try manifest([#"{"ftyp":1}"#, "nonsense"] + jobs(1))
    #expect(try Tool.kerfless.run(["batch", "run", path]).text.hasPrefix("1 done, 2 failed"))
    try expectFailure(
      66, ["batch", "run", folder.file("none.jsonl")], saying: ["cannot open the manifest: No such"])
  }

  @Test func `help says what is tried again, and when`() throws {
    let help = try kerfless(["help", "batch", "run"]).text
    for part in [
      "source.changed, target.changed, system.resources, system.descriptors", "0.1 s", "up to 5 s",
    ] {
      #expect(help.contains(part))
    }
  }

  @Test func `a batch that cannot have its threads ends at once`() throws {
    let path = try manifest(jobs(3))
    let shell = try #require(Tool("sh"))
    // One stack fits into the address space, further ones do not.
    let command = "ulimit -s 3000000; ulimit -v 6000000; exec '\(Tool.kerfless.path)' batch run '\(path)'"
    let result = try shell.run(["-c", command + " --jobs 2"])
    #expect(result.status == 75)
    #expect(result.errors.contains("5 threads cannot be made"))
    #expect(try outputs().isEmpty)
  }

  @Test func `standard input need not block`() throws {
    let input = Pipe()
    let reader = input.fileHandleForReading.fileDescriptor
    #expect(fcntl(reader, F_SETFL, fcntl(reader, F_GETFL) | O_NONBLOCK) == 0)
    let running = try Tool.kerfless.start(
      ["batch", "run", "-", "--root", folder.path], input: input.fileHandleForReading)
    for line in jobs(3) {
      Thread.sleep(forTimeInterval: 0.3)
      try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }
    try input.fileHandleForWriting.close()
    #expect(running.wait() == 0)
    #expect(try outputs().count == 3)
  }

  @Test func `verbs are named where one is missing`() throws {
    try expectFailure(64, ["batch"], saying: ["run"])
    try expectFailure(64, ["batch", "rum"], saying: ["is it run?"])
    #expect(try kerfless(["help", "batch"]).text.contains("batch run"))
    #expect(try kerfless(["help", "batch", "run"]).text == kerfless(["batch", "run", "--help"]).text)
  }
}
