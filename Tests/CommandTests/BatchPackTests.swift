import Foundation
import TestSupport
import Testing

/// `batch pack`, `check` and `cat`, shards and metrics through the command.
struct BatchPackTests {
  private let folder: TemporaryFolder
  private let count = 120

  init() throws {
    folder = try TemporaryFolder()
    let lines = (0..<count).map { number in
      let source = Media.path(["joc-base.mp4", "ddp51.mp4"][number % 2])
      return
        #"{"id":"\#(number)","source":"\#(source)","start":0.\#(number % 8),"duration":"200ms","output":"clips/\#(number).mp4"}"#
        + "\n"
    }
    _ = try folder.write(Array(lines.joined().utf8), as: "jobs.jsonl")
  }

  private var plain: String { folder.file("jobs.jsonl") }
  private var packed: String { folder.file("jobs.lz4") }

  private func clips() -> Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: folder.file("clips"))) ?? [])
  }

  @Test func `shards of a packed manifest write every clip once`() throws {
    let report = try kerflessJSON(["batch", "pack", plain, "-o", packed, "--frame-jobs", "16", "--by-source"])
    #expect(report["jobs"].int == count)
    #expect(report["frames"].int == 8)
    var total = 0
    for index in 0..<7 {
      let result = try kerfless(["batch", "run", packed, "--shard", "\(index)/7", "--json"])
      let summary = try JSON(parsing: result.lines.last ?? "")
      total += summary["done"].int ?? 0
      #expect(summary["failed"].int == 0)
    }
    #expect(total == count)
    #expect(clips() == Set((0..<count).map { "\($0).mp4" }))
  }

  @Test func `an array job's environment says which shard to run`() throws {
    try kerfless(["batch", "pack", plain, "-o", packed])
    for index in 0..<3 {
      let result = try Tool.kerfless.run(
        ["batch", "run", packed, "--shard", "auto/3"], environment: ["JOB_COMPLETION_INDEX": "\(index)"])
      #expect(result.status == 0, "\(result.errors)")
    }
    #expect(clips().count == count)
    try expectFailure(64, ["batch", "run", packed, "--shard", "auto"], saying: ["--shard I/N"])
    try expectFailure(64, ["batch", "run", packed, "--shard", "3/3"], saying: ["no shard 3 of 3"])
  }

  @Test func `shards may be resumed in another number`() throws {
    let journal = ["--journal", folder.file("journal")]
    try kerfless(["batch", "run", plain, "--shard", "1/4"] + journal)
    #expect(clips().count == count / 4)
    var done = 0
    for index in 0..<3 {
      let result = try kerfless(
        ["batch", "run", plain, "--shard", "\(index)/3", "--resume", "--json"] + journal)
      done += try JSON(parsing: result.lines.last ?? "")["done"].int ?? 0
    }
    #expect(done == count - count / 4)
    #expect(clips().count == count)
  }

  @Test func `pieces of a manifest are printed as they are`() throws {
    try kerfless(["batch", "pack", plain, "-o", packed, "--frame-jobs", "10"])
    let lines = try readFile(plain).split(separator: 10)
    #expect(try kerfless(["batch", "cat", packed]).bytes == readFile(plain))
    #expect(
      try kerfless(["batch", "cat", packed, "--lines", "35-37"]).bytes.split(separator: 10)
        == Array(lines[34..<37]))
    #expect(
      try kerfless(["batch", "cat", plain, "--lines", "120"]).bytes.split(separator: 10)
        == Array(lines[119...]))
    #expect(
      try kerfless(["batch", "cat", packed, "--shard", "0/2"]).bytes.split(separator: 10)
        == Array(lines[..<60]))
    try expectFailure(64, ["batch", "cat", packed, "--lines", "0-3"], saying: ["from 1"])
  }

  @Test func `lines that a manifest does not have are an error`() throws {
    try kerfless(["batch", "pack", plain, "-o", packed, "--frame-jobs", "10"])
    for manifest in [plain, packed] {
      for lines in ["121", "121-125", "9000"] {
        try expectFailure(
          65, ["batch", "cat", manifest, "--lines", lines], saying: ["has 120 lines; choose from 1-120"])
      }
      // Those that are there are printed.
      let result = try kerfless(["batch", "cat", manifest, "--lines", "119-130"])
      #expect(
        result.bytes == Array(try readFile(plain).split(separator: 10)[118...].joined(separator: [10])) + [10]
      )
      #expect(result.errors == "kerfless: warning: the manifest ends with line 120\n")
      #expect(try kerfless(["batch", "cat", manifest, "--lines", "119-120"]).errors.isEmpty)
    }
    let blank = try folder.write(Array("\n\n".utf8), as: "blank.jsonl")
    #expect(try kerfless(["batch", "cat", blank, "--lines", "2"]).errors.contains("no job in these lines"))
  }

  @Test func `a check finds all faults and writes nothing`() throws {
    let good = String(decoding: try readFile(plain), as: UTF8.self)
    #expect(try kerfless(["batch", "check", plain]).text == "120 jobs can be run, 0 cannot\n")
    let bad = """
      {"id":"0","source":"x","output":"new.mp4"}
      {"id":"far","source":"\(Media.path("ddp51.mp4"))","start":50,"output":"clips/far.mp4"}
      {"id":"gone","source":"gone.mp4","output":"clips/gone.mp4"}
      {"id":"two","source":"\(Media.path("ddp51.mp4"))","output":"clips/5.mp4"}
      {"id":"below","source":"\(Media.path("ddp51.mp4"))","output":"jobs.jsonl/deep/below.mp4"}
      {"id":"up","source":"\(Media.path("ddp51.mp4"))","output":"clips/nowhere/../6.mp4"}
      {"id":
      {"id":"key","source":"x","output":"k.mp4","stat":1}

      """
    let path = try folder.write(Array((good + bad).utf8), as: "bad.jsonl")
    let result = try Tool.kerfless.run(["batch", "check", path])
    #expect(result.status == 1)
    #expect(
      result.text
        == "120 jobs can be run, 8 cannot\nfailed: job.duplicate 3, job.invalid 2, input.missing 1, range.invalid 1, target.unavailable 1\n"
    )
    for part in [
      "line 121, job 0: an earlier job has the same id", "line 122, job far", "line 123, job gone",
      "line 124, job two",
      "line 125, job below",
      "line 126, job up",
      "line 127: column 7: it is no JSON", "line 128: stat: there is no such key",
    ] {
      #expect(result.errors.contains(part), "\(part)")
    }
    #expect(folder.names == ["bad.jsonl", "jobs.jsonl"])
    try expectPackRefusal(path)
  }

  private func expectPackRefusal(_ path: String) throws {
    // Packing looks at the lines alone.
    let result = try Tool.kerfless.run(["batch", "pack", path, "-o", packed])
    #expect(result.status == 65)
    #expect(result.text == "5 wrong lines, nothing was written\n")
    #expect(folder.names == ["bad.jsonl", "jobs.jsonl"])
  }

  @Test func `metrics that cannot be replaced are refused before any job`() throws {
    let fifo = folder.file("metrics")
    #expect(mkfifo(fifo, 0o600) == 0)
    for name in [fifo, folder.path, "/dev/null"] {
      try expectFailure(
        73, ["batch", "run", plain, "--metrics", name], saying: ["regular file"], leaving: folder)
    }
  }

  @Test func `metrics are written whole`() throws {
    let metrics = folder.file("kerfless.prom")
    try kerfless(["batch", "run", plain, "--metrics", metrics])
    let lines = String(decoding: try readFile(metrics), as: UTF8.self).split(separator: "\n")
    #expect(lines.contains(#"kerfless_jobs_total{shard="0/1",status="done"} 120"#))
    #expect(lines.contains(#"kerfless_exit_code{shard="0/1"} 0"#))
    // The text format: comments, or a name, labels and a number.
    let sample = /kerfless_[a-z_]+\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\} [0-9.e+-]+/
    for line in lines where !line.hasPrefix("# ") { #expect(line.wholeMatch(of: sample) != nil, "\(line)") }
    #expect(folder.names == ["clips", "jobs.jsonl", "kerfless.prom"])
    let nowhere = try kerfless(["batch", "run", plain, "--force", "--metrics", folder.file("none/m.prom")])
    #expect(nowhere.errors.contains("metrics cannot be written"))
  }
}
