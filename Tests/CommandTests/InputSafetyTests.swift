import Foundation
import TestSupport
import Testing

/// No way of writing costs an input, or somebody else's file.
struct InputSafetyTests {
  private let folder: TemporaryFolder
  private let source = Media.path("joc-base.mp4")

  init() throws {
    folder = try TemporaryFolder()
  }

  private func manifest(_ jobs: [(source: String, output: String)]) throws -> String {
    let lines = jobs.enumerated().map { number, job in
      #"{"id":"\#(number)","source":"\#(job.source)","end":0.5,"output":"\#(job.output)"}"# + "\n"
    }
    return try folder.write(Array(lines.joined().utf8), as: "jobs.jsonl")
  }

  private func copy(_ name: String) throws -> String {
    try FileManager.default.copyItem(atPath: source, toPath: folder.file(name))
    return folder.file(name)
  }

  @Test(arguments: ["run --force", "check"])
  func `jobs that read what others write are found, in either order`(_ verb: String) throws {
    let (first, second) = (try copy("first.mp4"), try copy("second.mp4"))
    let path = try manifest([
      ("first.mp4", "clip.mp4"), ("second.mp4", "first.mp4"), ("clip.mp4", "other.mp4"),
      ("second.mp4", "second.mp4"),
    ])
    let result = try shell("KERFLESS batch \(verb) '\(path)'")
    #expect(result.status == 1)
    for (line, text) in [(2, "an earlier job reads"), (3, "an earlier job writes"), (4, "earlier job reads")]
    {
      #expect(result.errors.contains("line \(line),"))
      #expect(result.errors.contains(text))
    }
    #expect(try readFile(first) == readFile(source))
    #expect(try readFile(second) == readFile(source))
  }

  @Test func `a manifest is neither a job's output nor its own packed form`() throws {
    let path = folder.file("jobs.jsonl")
    try FileManager.default.createSymbolicLink(atPath: folder.file("link.mp4"), withDestinationPath: path)
    _ = try manifest([(source, "link.mp4")])
    let before = try readFile(path)
    let result = try shell("KERFLESS batch run '\(path)' --force")
    #expect(result.status == 1)
    #expect(result.errors.contains("one of the sources"))
    try expectFailure(
      73, ["batch", "pack", path, "-o", path, "--force"], saying: ["one of the sources"], leaving: folder)
    #expect(try readFile(path) == before)
  }

  @Test(arguments: ["run", "check"])
  func `outcomes that cannot be printed are an error`(_ verb: String) throws {
    let path = try manifest([(source, "clip.mp4")])
    for json in ["", "--json"] {
      try? FileManager.default.removeItem(atPath: folder.file("clip.mp4"))
      let result = try shell("KERFLESS batch \(verb) '\(path)' \(json) > /dev/full")
      #expect(result.status == 74, "\(result.errors)")
    }
  }

  /// While the output is being written under its own name, somebody puts another file there.
  @Test func `a signal removes the run's own file and no other`() throws {
    let long = folder.file("long.ec3")
    let stream = try Media.bytes("joc51.ec3")
    #expect(FileManager.default.createFile(atPath: long, contents: nil))
    let handle = try #require(FileHandle(forWritingAtPath: long))
    for _ in 0..<4000 { try handle.write(contentsOf: stream) }
    try handle.close()
    let output = folder.file("out.mp4")
    for replaces in [true, false] {
      var run = try Tool.kerfless.start(["trim", long, "-o", output, "--publish", "direct", "--io", "gather"])
      var isStopped = false
      for _ in 0..<50 {
        while run.isRunning, !folder.names.contains("out.mp4") {}
        run.signal(SIGSTOP)
        usleep(50_000)
        isStopped = run.isRunning && ((try? readFile(output).count) ?? 0) < 80_000_000
        if isStopped { break }
        run.signal(SIGCONT)
        _ = run.wait()
        try? FileManager.default.removeItem(atPath: output)
        run = try Tool.kerfless.start(["trim", long, "-o", output, "--publish", "direct", "--io", "gather"])
      }
      try #require(isStopped, "every run was over before it could be stopped")
      if replaces {
        _ = try folder.write([1, 2, 3], as: "other")
        #expect(rename(folder.file("other"), output) == 0)
      }
      run.signal(SIGTERM)
      run.signal(SIGCONT)
      #expect(run.wait() == 143)
      #expect(folder.names == ["long.ec3"] + (replaces ? ["out.mp4"] : []))
      try? FileManager.default.removeItem(atPath: output)
    }
  }

  @Test(.enabled(if: Tool.exists("strace"), "strace is missing"))
  func `a name that cannot be forced to the disk is told as that`() throws {
    let output = folder.file("out.mp4")
    let result = try #require(Tool("strace")).run([
      "-o", "/dev/null", "-e", "inject=fsync:error=EIO:when=2", Tool.kerfless.path, "trim", source, "-o",
      output,
      "--sync", "file",
    ])
    #expect(result.status == 74)
    #expect(result.errors.contains("which is complete"))
    #expect(try kerfless(["verify", output]).text.contains("right"))
  }
}
