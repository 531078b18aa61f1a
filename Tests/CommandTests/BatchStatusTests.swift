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
