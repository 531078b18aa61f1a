import Foundation
import TestSupport
import Testing

/// `batch status`: what journals say of their runs.
struct BatchStatusTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var journal: String { folder.file("journal") }

  /// Jobs of which the odd ones have no source, and that of line 5 has an output that is there.
  private func manifest(_ count: Int = 8) throws -> String {
    let lines = (0..<count).map { number in
      let source = number % 2 == 0 ? Media.path("joc-base.mp4") : "none.mp4"
      return #"{"id":"\#(number)","source":"\#(source)","end":0.2,"output":"\#(number).mp4"}"# + "\n"
    }
    _ = try folder.write([0], as: "4.mp4")
    return try folder.write(Array(lines.joined().utf8), as: "jobs.jsonl")
  }

  @Test func `done, failed and not begun are counted`() throws {
    let path = try manifest()
    let run = try Tool.kerfless.run(["batch", "run", path, "--journal", journal, "--shard", "0/2"])
    #expect(run.status == 1)
    #expect(run.lines.prefix(2).last == "failed: target.exists 1")
    #expect(
      try kerfless(["batch", "status", journal, path]).text == """
        3 done, 1 failed, 4 not begun
        failed: target.exists 1
        no run is at work

        """)
    _ = try Tool.kerfless.run(["batch", "run", path, "--journal", journal, "--shard", "1/2", "--resume"])
    let status = try kerflessJSON(["batch", "status", journal])
    #expect(status["schema"].description == "kerfless.batch.status/1")
    #expect(status["done"].int == 3)
    #expect(status["failed"].int == 5)
    #expect(status["failures"]["input.missing"].int == 4)
    #expect(status["failures"]["target.exists"].int == 1)
    #expect(try kerflessJSON(["batch", "status", journal, path])["unbegun"].int == 0)
    // What failed and is done later has not failed.
    try FileManager.default.copyItem(atPath: Media.path("joc-base.mp4"), toPath: folder.file("none.mp4"))
    try FileManager.default.removeItem(atPath: folder.file("4.mp4"))
    try kerfless(["batch", "run", path, "--journal", journal, "--resume"])
    #expect(
      try kerfless(["batch", "status", journal, path]).text
        == "8 done, 0 failed, 0 not begun\nno run is at work\n")
  }

  @Test func `a packed manifest's jobs are counted by its index`() throws {
    let path = try manifest()
    let packed = folder.file("jobs.lz4")
    try kerfless(["batch", "pack", path, "-o", packed])
    _ = try Tool.kerfless.run(["batch", "run", packed, "--journal", journal])
    #expect(try kerflessJSON(["batch", "status", journal, packed])["jobs"].int == 8)
    #expect(try kerflessJSON(["batch", "status", journal, path])["unbegun"].int == 0)
  }

  @Test func `a run that is at work is told, and not disturbed`() throws {
    let lines = try readFile(manifest())
    let pipe = Pipe()
    let running = try Tool.kerfless.start(
      ["batch", "run", "-", "--root", folder.path, "--journal", journal], input: pipe.fileHandleForReading)
    while try !Tool.kerfless.run(["batch", "status", journal]).text.hasSuffix("a run is at work\n") {
      Thread.sleep(forTimeInterval: 0.05)
    }
    try pipe.fileHandleForWriting.write(contentsOf: Data(lines))
    while try kerflessJSON(["batch", "status", journal])["done"].int != 3 {
      #expect(try kerfless(["batch", "status", journal]).text.hasSuffix("a run is at work\n"))
      Thread.sleep(forTimeInterval: 0.1)
    }
    try pipe.fileHandleForWriting.close()
    #expect(running.wait() == 1)
    #expect(try kerflessJSON(["batch", "status", journal])["running"].int == 0)
  }

  @Test func `asking all the time keeps no run from starting`() throws {
    let path = try folder.write(
      Array(#"{"id":"a","source":"\#(Media.path("joc-base.mp4"))","output":"a.mp4"}"#.utf8), as: "jobs.jsonl")
    try kerfless(["batch", "run", path, "--journal", journal])
    let result = try shell(
      """
      while [ ! -e '\(folder.file("stop"))' ]; do KERFLESS batch status '\(journal)' > /dev/null; done &
      for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        KERFLESS batch run '\(path)' --journal '\(journal)' --resume > /dev/null
      done
      touch '\(folder.file("stop"))'
      wait
      """)
    #expect(result.errors.isEmpty)
  }

  @Test func `a script can ask whether all is done`() throws {
    let path = try manifest()
    func check(_ paths: [String]) throws -> Int32 {
      try Tool.kerfless.run(["batch", "status"] + paths + ["--check"]).status
    }
    _ = try Tool.kerfless.run(["batch", "run", path, "--journal", journal, "--shard", "0/2"])
    // The journal knows of nothing but three that are done and one that failed; of the manifest four are left.
    #expect(try check([journal]) == 1)
    #expect(try check([journal, path]) == 75)
    _ = try Tool.kerfless.run(["batch", "run", path, "--journal", journal, "--shard", "1/2", "--resume"])
    #expect(try check([journal, path]) == 1)
    let file = try #require(FileHandle(forWritingAtPath: journal + "/shard-0-of-2.jsonl"))
    try file.seekToEnd()
    try file.write(contentsOf: Data(#"{"begin":[{"id":"killed","claim":"0123456789abcdef"}]}"#.utf8 + [10]))
    try file.close()
    // What is begun and in no manifest is the journal's.
    #expect(try check([journal]) == 75)
    #expect(try check([journal, path]) == 1)
    try FileManager.default.copyItem(atPath: Media.path("joc-base.mp4"), toPath: folder.file("none.mp4"))
    try FileManager.default.removeItem(atPath: folder.file("4.mp4"))
    try kerfless(["batch", "run", path, "--journal", journal, "--shard", "0/2", "--resume"])
    try kerfless(["batch", "run", path, "--journal", journal, "--shard", "1/2", "--resume"])
    #expect(try check([journal, path]) == 0)
    // Without --check it is told as before.
    try kerfless(["batch", "status", journal])
  }

  @Test func `what failed and may work if tried again is left to do, a line that is no job is not`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("full.mp4"), withDestinationPath: "/dev/full")
    let source = Media.path("joc-base.mp4")
    let lines = [
      #"{"id":"a","source":"\#(source)","end":0.2,"output":"a.mp4"}"#, "nonsense",
      #"{"id":"a","source":"\#(source)","end":0.2,"output":"b.mp4"}"#,
    ]
    func write(_ lines: [String], as name: String) throws -> String {
      try folder.write(Array(lines.map { $0 + "\n" }.joined().utf8), as: name)
    }
    let path = try write(lines, as: "jobs.jsonl")
    _ = try Tool.kerfless.run(["batch", "run", path, "--journal", journal])
    #expect(try Tool.kerfless.run(["batch", "status", journal, path, "--check"]).status == 1)
    #expect(try Tool.kerfless.run(["batch", "status", journal, "--check"]).status == 0)
    #expect(
      try kerfless(["batch", "status", journal, path, "--list", "unbegun"]).lines == Array(lines.dropFirst()))
    let full = try write([#"{"id":"f","source":"\#(source)","output":"full.mp4"}"#], as: "full.jsonl")
    let other = folder.file("other")
    #expect(try Tool.kerfless.run(["batch", "run", full, "--journal", other, "--force"]).status == 75)
    for paths in [[other], [other, full]] {
      let result = try Tool.kerfless.run(["batch", "status"] + paths + ["--check"])
      #expect(result.status == 75)
      #expect(result.text.hasPrefix("0 done, 1 failed (1 may work if tried again)"))
    }
  }

  @Test func `jobs are listed by their lines, which can be run again, or by their ids`() throws {
    let path = try manifest()
    let lines = try readFile(path).split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
    let packed = folder.file("jobs.lz4")
    try kerfless(["batch", "pack", path, "-o", packed])
    _ = try Tool.kerfless.run(["batch", "run", path, "--journal", journal, "--shard", "0/2"])
    func list(_ which: String, _ manifest: String) throws -> [String] {
      try kerfless(["batch", "status", journal, manifest, "--list", which]).lines
    }
    for manifest in [path, packed] {
      #expect(try list("failed", manifest) == [lines[4]])
      #expect(try list("unbegun", manifest) == [1, 3, 5, 7].map { lines[$0] })
      #expect(try list("begun", manifest) == [])
    }
    #expect(try kerfless(["batch", "status", journal, "--list", "failed"]).text == "4\n")
    #expect(try kerfless(["batch", "status", journal, "--list", "begun"]).text == "")
    // Without what became of them, its jobs are begun and no more.
    let file = journal + "/shard-0-of-2.jsonl"
    let begun = try readFile(file).split(separator: 10).filter {
      !String(decoding: $0, as: UTF8.self).contains(#""status":"#)
    }
    try Data(begun.map { $0 + [10] }.joined()).write(to: URL(fileURLWithPath: file))
    #expect(try list("begun", path) == [0, 2, 6].map { lines[$0] })
    #expect(
      try kerfless(["batch", "status", journal]).text == """
        0 done, 0 failed, 3 begun and not over (their outputs may be complete; batch run --resume makes them again)
        no run is at work

        """)
    #expect(try kerfless(["batch", "status", journal, "--list", "begun"]).lines.sorted() == ["0", "2", "6"])
    try Data(try list("begun", path).map { $0 + "\n" }.joined().utf8).write(
      to: URL(fileURLWithPath: folder.file("again.jsonl")))
    #expect(
      try kerfless(["batch", "run", folder.file("again.jsonl"), "--force"]).text.hasPrefix("3 done, 0 failed")
    )
  }

  @Test func `a manifest whose paths are relative to another folder needs the same --root`() throws {
    let place = try TemporaryFolder()
    let path = try manifest()
    let run = ["batch", "run", path, "--root", place.path, "--journal", journal]
    #expect(try Tool.kerfless.run(run).status == 1)
    let status = ["batch", "status", journal, path, "--list", "failed"]
    #expect(try kerfless(status).lines.isEmpty)
    #expect(try kerfless(status + ["--root", place.path]).lines.count == 4)
  }

  @Test func `options of status that do not go together are refused`() throws {
    let path = try manifest()
    _ = try Tool.kerfless.run(["batch", "run", path, "--journal", journal])
    let cases: [([String], String)] = [
      (["--list", "unbegun"], "give the manifest, too"),
      (["--list", "done"], "choose one of: failed, begun, unbegun"),
      (["--list", "failed", "--json"], "exclude each other"), (["--root", "."], "goes with a manifest"),
      (["-", "--check"], "read the manifest again"),
    ]
    for (arguments, text) in cases {
      try expectFailure(64, ["batch", "status", journal] + arguments, saying: [text])
    }
  }

  @Test func `a folder without a journal, and another manifest's, are refused`() throws {
    try expectFailure(66, ["batch", "status", folder.path], saying: ["no journal in this folder"])
    try expectFailure(66, ["batch", "status", folder.file("none")], saying: ["No such file"])
    for paths in [[], ["journal", "jobs.jsonl", "more"]] {
      try expectFailure(
        64, ["batch", "status"] + paths, saying: ["1 or 2 paths, a journal and its manifest"])
    }
    let path = try manifest()
    _ = try Tool.kerfless.run(["batch", "run", path, "--journal", journal])
    let other = try folder.write(Array(readFile(path).dropLast(80)), as: "other.jsonl")
    try expectFailure(
      65, ["batch", "status", journal, other], saying: ["another manifest", "or leave it out"],
      leaving: folder)
  }
}
