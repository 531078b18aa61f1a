import Foundation
import TestSupport
import Testing

/// Targets that really fill up, may not be written, or have no descriptor left.
@Suite(.serialized)
struct FullTargetTests {
  private let folder: TemporaryFolder
  private let source: String

  init() throws {
    folder = try TemporaryFolder()
    source = try LongSource(units: 40_000, in: folder).path
  }

  @Test(
    .enabled(if: LoopMount.ext4 != nil, "\(LoopMount.reason)"), arguments: ["auto", "copy", "gather"],
    [[], ["--force"], ["--publish", "direct"], ["--sync", "file"]])
  func `a disk that fills up in the middle is temporary and stays empty`(
    method: String, options: [String]
  ) throws {
    let disk = try #require(LoopMount("ext4", making: ["-O", "^has_journal"], megabytes: 20))
    let there = try TemporaryFolder(in: disk.path)
    // Within one file system, so that the kernel copies.
    let source = disk.path + "/source.mp4"
    try FileManager.default.copyItem(atPath: self.source, toPath: source)
    for command in [["trim", source], ["concat", "\(source)@0-1", source, "\(source)@0-1"]] {
      let arguments = command + ["--io", method, "-o", there.file("clip.mp4")] + options
      try expectFailure(
        75, arguments, saying: ["clip.mp4", "No space left", "free some space"], leaving: there)
      #expect(there.names == [])
    }
    // And there is room for a small one afterwards.
    try kerfless(["trim", source, "--end", "1", "-o", there.file("clip.mp4")])
  }

  @Test(.enabled(if: LoopMount.xfs != nil, "\(LoopMount.reason)"), arguments: ["auto", "clone"])
  func `a full disk that shares blocks takes the clip or none of it`(method: String) throws {
    let disk = try #require(LoopMount("xfs", making: ["-m", "reflink=1"]))
    let there = try TemporaryFolder(in: disk.path)
    let own = there.file("source.mp4")
    try FileManager.default.copyItem(atPath: source, toPath: own)
    try kerfless(["trim", own, "-o", folder.file("expected.mp4")])
    let fill = try #require(Tool("sh"))
    // Whatever is left: large pieces first, then single blocks.
    _ = try fill.run(
      [
        "-c",
        "for n in 300M 30M 3M 300K 30K 4K 4K 4K; do fallocate -l $n fill-$n-$$ || true; done; dd if=/dev/zero of=rest bs=4096; sync",
      ], folder: there.path)
    let names = there.names
    let output = there.file("clip.mp4")
    let result = try Tool.kerfless.run(["trim", own, "--io", method, "-o", output])
    if result.status == 0 {
      #expect(try readFile(output) == readFile(folder.file("expected.mp4")))
    } else {
      #expect(result.status == 75, "\(result.errors)")
      #expect(there.names == names)
    }
  }

  @Test(.enabled(if: LoopMount.ext4 != nil, "\(LoopMount.reason)"))
  func `a disk that may not be written is an error of the target`() throws {
    let disk = try #require(LoopMount("ext4", megabytes: 8))
    let there = try TemporaryFolder(in: disk.path)
    try disk.remount("ro")
    defer { try? disk.remount("rw") }
    for options in [[], ["--force"], ["--publish", "direct"]] {
      let arguments = ["trim", source, "--end", "1", "-o", there.file("clip.mp4")] + options
      try expectFailure(73, arguments, saying: ["Read-only file system", "permissions"], leaving: there)
    }
  }

  @Test(
    .enabled(if: LoopMount.xfs != nil, "\(LoopMount.reason)"),
    arguments: ["auto", "clone", "copy", "gather"],
    [[], ["--force"], ["--publish", "direct"], ["--sync", "file"]])
  func `a limit on file sizes is told as such and nothing remains`(method: String, options: [String]) throws {
    guard method != "clone" || options != ["--publish", "direct"] else { return }
    let there = try TemporaryFolder(in: try #require(LoopMount.xfs).path)
    let own = there.file("source.mp4")
    try FileManager.default.copyItem(atPath: source, toPath: own)
    let command = [Tool.kerfless.path, "trim", own, "-o", there.file("clip.mp4"), "--io", method] + options
    // 2 MB of 12.
    let shell = ["-c", "ulimit -f 4096; exec \"$@\"", "sh"]
    let result = try #require(Tool("sh")).run(shell + command)
    #expect(result.status == 74, "\(result.errors)")
    #expect(result.errors.contains("File too large") && result.errors.contains("ulimit -f"))
    #expect(there.names == ["source.mp4"])
  }

  @Test(arguments: [3, 4])
  func `without a descriptor for the source or the target it may work later`(limit: Int) throws {
    let there = try TemporaryFolder()
    let command =
      "ulimit -n \(limit) && '\(Tool.kerfless.path)' trim '\(source)' -o '\(there.file("clip.mp4"))'"
    let result = try #require(Tool("sh")).run(["-c", command])
    // A dynamic loader that cannot open a library is no run at all.
    guard result.status != 127 else { return }
    #expect(result.status == 75, "\(result.errors)")
    #expect(result.errors.contains("Too many open files"))
    #expect(there.names == [])
  }
}
