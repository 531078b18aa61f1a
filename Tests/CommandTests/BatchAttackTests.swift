import Foundation
import TestSupport
import Testing

/// What hostile or unlucky surroundings must not make a batch do.
struct BatchAttackTests {
  private let folder: TemporaryFolder
  private let source = Media.path("ddp51.mp4")

  init() throws {
    folder = try TemporaryFolder()
  }

  private func write(_ text: String, as name: String) throws -> String {
    try folder.write(Array(text.utf8), as: name)
  }

  private func manifest(_ jobs: [(source: String, output: String)], as name: String = "jobs.jsonl") throws
    -> String
  {
    let lines = jobs.enumerated().map { number, job in
      #"{"id":"\#(number)","source":"\#(job.source)","end":0.5,"output":"\#(job.output)"}"# + "\n"
    }
    return try write(lines.joined(), as: name)
  }

  private func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(name), withDestinationPath: folder.file(target))
  }

  private func run(_ words: [String], environment: [String: String] = [:]) throws -> Tool.Output {
    try Tool.kerfless.run(["batch"] + words, environment: environment)
  }

  private func summary(_ output: Tool.Output) throws -> JSON { try JSON(parsing: output.lines.last ?? "") }

  @Test(arguments: ["run", "check"])
  func `no link leads out of a confinement, to read, to write or to make a folder`(_ verb: String) throws {
    try makeFolder("in")
    try makeFolder("out")
    try FileManager.default.copyItem(atPath: source, toPath: folder.file("in/source.mp4"))
    _ = try write("somebody's work", as: "out/victim.mp4")
    try #require(mkfifo(folder.file("out/pipe.ec3"), 0o600) == 0)
    for (name, target) in [
      ("victim.mp4", "out/victim.mp4"), ("pipe.ec3", "out/pipe.ec3"), ("folder", "out"),
      ("none.mp4", "out/new.mp4"),
    ] { try link("in/" + name, to: target) }
    let path = try manifest([
      ("in/source.mp4", "in/victim.mp4"), ("in/source.mp4", "in/pipe.ec3"),
      ("in/source.mp4", "in/folder/new/a.mp4"),
      ("in/source.mp4", folder.file("out/new2/b.mp4")), ("in/source.mp4", "in/none.mp4"),
      ("in/folder/victim.mp4", "in/read.mp4"), ("in/source.mp4", "in/deep/er/good.mp4"),
    ])
    let result = try run(
      [verb, path, "--confine", folder.file("in"), "--json"] + (verb == "run" ? ["-f"] : []))
    #expect(try summary(result)["done"].int == 1, "\(result.text)")
    #expect(try summary(result)["failed"].int == 6)
    #expect(try readFile(folder.file("out/victim.mp4")) == Array("somebody's work".utf8))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.file("out")).sorted() == [
        "pipe.ec3", "victim.mp4",
      ])
  }

  @Test(arguments: ["none", "file", "group"])
  func `a job that failed has no claim to what is at its output's name later`(_ durability: String) throws {
    let path = try manifest([("late.mp4", "clip.mp4"), (source, "taken.mp4")])
    _ = try write("somebody's work", as: "taken.mp4")
    let words = ["run", path, "--journal", folder.file("journal"), "--resume", "--sync", durability]
    #expect(try run(words).status == 1)
    try FileManager.default.copyItem(atPath: source, toPath: folder.file("late.mp4"))
    _ = try write("somebody's work", as: "clip.mp4")
    for _ in 0..<2 {
      let result = try run(words)
      #expect(result.status == 1)
      for name in ["clip.mp4", "taken.mp4"] {
        #expect(try readFile(folder.file(name)) == Array("somebody's work".utf8), "\(name)")
      }
    }
    try FileManager.default.removeItem(atPath: folder.file("clip.mp4"))
    _ = try run(words)
    #expect(try kerfless(["verify", folder.file("clip.mp4")]).text.contains("right"))
  }

  @Test(arguments: ["run -f", "check", "pack"])
  func `files are one whatever links lead to them`(_ words: String) throws {
    try makeFolder("real")
    try link("link", to: "real")
    try FileManager.default.copyItem(atPath: source, toPath: folder.file("real/master.mp4"))
    let before = try readFile(folder.file("real/master.mp4"))
    let path = try manifest([
      ("real/master.mp4", "p/1.mp4"), (source, "link/master.mp4"), (source, "real/z.mp4"),
      (source, "link/z.mp4"),
    ])
    let verb = words.split(separator: " ").map(String.init)
    let result = try run(verb + [path] + (verb == ["pack"] ? ["-o", folder.file("jobs.lz4")] : []))
    #expect(result.status == (verb == ["pack"] ? 65 : 1))
    #expect(result.errors.contains("line 2, job 1:"))
    #expect(result.errors.contains("line 4, job 3:"))
    #expect(try readFile(folder.file("real/master.mp4")) == before)
  }

  /// Outputs whose own last component is a link are told from sources when they are to be replaced.
  @Test func `no job replaces what another one has read, under whatever name`() throws {
    try FileManager.default.copyItem(atPath: source, toPath: folder.file("master.mp4"))
    try link("other.mp4", to: "master.mp4")
    let before = try readFile(folder.file("master.mp4"))
    let path = try manifest([("master.mp4", "1.mp4"), (source, "other.mp4")])
    let result = try run(["run", path, "-f", "--jobs", "1"])
    #expect(result.status == 1)
    #expect(result.errors.contains("one of the sources"))
    #expect(try readFile(folder.file("master.mp4")) == before)
  }

  @Test func `long ids do not hide what was begun, longer ones are refused`() throws {
    let lines = (0..<300).map {
      #"{"id":"\#(String(repeating: "x", count: 9000))\#($0)","source":"\#(source)","end":0.5,"output":"\#($0).mp4"}"#
    }
    let path = try write(lines.joined(separator: "\n"), as: "jobs.jsonl")
    let journal = folder.file("journal")
    try kerfless(["batch", "run", path, "--jobs", "1", "--journal", journal])
    // As after a kill: what was begun is known, what was done is not.
    let file = journal + "/shard-0-of-1.jsonl"
    let begun = try readFile(file).split(separator: 10).filter {
      !String(decoding: $0, as: UTF8.self).contains("\"done\"")
    }
    try Data(begun.joined(separator: [10])).write(to: URL(fileURLWithPath: file))
    let result = try run(["run", path, "--journal", journal, "--resume", "--json"])
    #expect(result.status == 0)
    #expect(try summary(result)["done"].int == 300)
    let long = try write(
      #"{"id":"\#(String(repeating: "x", count: 70_000))","source":"s","output":"o.mp4"}"#, as: "long.jsonl")
    #expect(try run(["check", long]).errors.contains("longer than 65536 bytes"))
  }

  @Test(arguments: [[], ["--journal", "journal"]])
  func `after so many failures no job is started, not even of a chunk that was`(_ more: [String]) throws {
    let path = try manifest((0..<1000).map { ("none\($0).mp4", "\($0).mp4") })
    let words = more.map { $0 == "journal" ? folder.file($0) : $0 }
    let result = try run(["run", path, "--max-errors", "3", "--jobs", "1", "--json"] + words)
    #expect(try summary(result)["failed"].int == 3)
  }

  @Test func `sources are closed where descriptors are short`() throws {
    var jobs: [(String, String)] = []
    for number in 0..<100 {
      try FileManager.default.copyItem(atPath: source, toPath: folder.file("s\(number).mp4"))
      jobs.append(("s\(number).mp4", "\(number).mp4"))
    }
    let path = try manifest(jobs)
    for limit in [16, 40] {
      let result = try #require(Tool("sh")).run([
        "-c",
        "ulimit -n \(limit) && exec '\(Tool.kerfless.path)' batch run '\(path)' --jobs 1 --sync none -f",
      ])
      #expect(result.status == 0, "\(limit): \(result.errors.prefix(500))")
    }
  }

  @Test func `joins of many sources need no more descriptors than one of them at a time`() throws {
    for number in 0..<60 {
      try FileManager.default.copyItem(atPath: source, toPath: folder.file("s\(number).mp4"))
    }
    // All begin with one source, so that they are one lane's.
    let lines = (0..<120).map { number in
      let segments = [0, 7 * number % 60, (7 * number + 13) % 60, (7 * number + 26) % 60]
        .map { #"{"source":"s\#($0).mp4","end":"96ms"}"# }.joined(separator: ",")
      return #"{"id":"\#(number)","segments":[\#(segments)],"output":"\#(number).mp4"}"# + "\n"
    }
    let path = try folder.write(Array(lines.joined().utf8), as: "joins.jsonl")
    for limit in [16, 20, 40] {
      let result = try shell("ulimit -n \(limit) && KERFLESS batch run '\(path)' --jobs 1 --sync none -f")
      #expect(result.status == 0, "\(limit): \(result.errors.prefix(500))")
    }
  }

  @Test(arguments: [[], ["--journal", "journal"]])
  func `what was planned from a source that has changed is planned anew`(_ more: [String]) throws {
    let copy = folder.file("copy.mp4")
    try FileManager.default.copyItem(atPath: source, toPath: copy)
    // The first job waits for a reader of its output; the plans of the others have been made by then.
    let fifo = folder.file("0.mp4")
    #expect(mkfifo(fifo, 0o600) == 0)
    let path = try manifest((0..<6).map { ("copy.mp4", "\($0).mp4") })
    let words = more.map { $0 == "journal" ? folder.file($0) : $0 }.joined(separator: " ")
    let result = try shell(
      """
      KERFLESS batch run '\(path)' --jobs 1 --retry 0 --json \(words) & run=$!
      sleep 1
      touch -d '2001-01-01' '\(copy)' && timeout 20 cat '\(fifo)' >/dev/null
      wait $run
      """)
    let summary = try summary(result)
    #expect(summary["failed"].int == 1 && summary["done"].int == 5, "\(result.errors)")
    #expect(result.errors.contains("the source changed"))
  }

  @Test func `a journal folder keeps only journals, and a refused start leaves none`() throws {
    let path = try manifest([(source, "1.mp4"), (source, "2.mp4"), (source, "3.mp4")])
    let journal = folder.file("journal")
    let start = ["run", path, "--journal", journal, "--shard"]
    #expect(try run(start + ["0/2"]).status == 0)
    #expect(try run(start + ["0/3"]).status == 73)
    #expect(try run(start + ["1/2"]).status == 0)
    // The folder of the manifest itself.
    #expect(try run(["run", path, "--journal", folder.path, "-f"]).status == 0)
    let file = folder.file("shard-0-of-1.jsonl")
    let other = String(decoding: try readFile(file), as: UTF8.self).replacingOccurrences(
      of: "journal/1", with: "journal/2")
    try Data(other.utf8).write(to: URL(fileURLWithPath: file))
    let result = try run(["run", path, "--journal", folder.path, "--resume"])
    #expect(result.status == 65)
    #expect(result.errors.contains("kerfless.journal/2"))
  }

  @Test func `a check finds outputs that can never be written`() throws {
    try makeFolder("folder.mp4")
    try link("nothing.mp4", to: "none")
    let path = try manifest([
      (source, String(repeating: "x", count: 252) + ".mp4"), (source, "folder.mp4"), (source, "nothing.mp4"),
      (source, "good.mp4"),
    ])
    let result = try run(["check", path])
    #expect(
      result.text == "1 job can be run, 3 cannot\nfailed: target.unavailable 3\n", "\(result.errors)")
  }

  @Test func `a folder that is moved away is made again`() throws {
    // The first job's folder is gone when the second one is started: jobs come through a pipe.
    let lines = [1, 2].map { #"{"id":"\#($0)","source":"\#(source)","end":0.5,"output":"clips/\#($0).mp4"}"# }
    let result = try #require(Tool("sh")).run([
      "-c",
      """
      cd '\(folder.path)' || exit 9
      { echo '\(lines[0])'; while [ ! -e clips/1.mp4 ]; do sleep 0.05; done; mv clips old; echo '\(lines[1])'; } |
        '\(Tool.kerfless.path)' batch run - --jobs 1 --sync none
      """,
    ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(FileManager.default.fileExists(atPath: folder.file("clips/2.mp4")))
  }
}
