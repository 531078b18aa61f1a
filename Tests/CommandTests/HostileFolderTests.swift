import Foundation
import TestSupport
import Testing

/// Outputs without /proc, and in folders that do not let files go.
@Suite(.serialized)
struct HostileFolderTests {
  private static let canUnshare = getuid() == 0 && Tool.exists("unshare")
  private let folder: TemporaryFolder
  private let source = Media.path("joc-base.mp4")

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Every command that writes a file.
  private func commands(into folder: TemporaryFolder) throws -> [[String]] {
    let line = #"{"id":"a","source":"\#(source)","end":"0.5","output":"job.mp4"}"#
    let manifest = try folder.write(Array(line.utf8), as: "jobs.jsonl")
    return [
      ["trim", source, "-o", folder.file("trim.mp4")],
      ["concat", source, source, "-o", folder.file("concat.mp4"), "--sync", "file"],
      ["split", source, "--every", "0.5", "-o", folder.file("split%d.mp4")],
      ["repair", Media.path("joc-flag-lost.mp4"), "-o", folder.file("repair.mp4")],
      [
        "batch", "run", manifest, "--metrics", folder.file("metrics.prom"), "--journal",
        folder.file("journal"),
      ],
      ["batch", "pack", manifest, "-o", folder.file("jobs.lz4")],
    ]
  }

  /// What they all wrote, but for what holds times.
  private func contents(of folder: TemporaryFolder) throws -> [String: [UInt8]] {
    let names = folder.names.filter { !["metrics.prom", "journal", "jobs.jsonl"].contains($0) }
    return Dictionary(uniqueKeysWithValues: try names.map { ($0, try readFile(folder.file($0))) })
  }

  @Test(
    .enabled(if: canUnshare, "only root can leave /proc away"),
    arguments: ["umount -l /proc", "mount -t tmpfs none /proc && mkdir -p /proc/self/fd"])
  func `without a proc, or with an empty one, every command writes what it writes with it`(
    hiding: String
  ) throws {
    let there = try TemporaryFolder()
    for command in try commands(into: folder) { try kerfless(command) }
    for command in try commands(into: there) {
      let words = command.map { "'\($0)'" }.joined(separator: " ")
      let result = try shell("unshare -m sh -c \"\(hiding) && exec KERFLESS \(words)\"")
      #expect(result.status == 0, "\(command): \(result.errors)")
      #expect(!result.errors.contains("warning"), "\(result.errors)")
    }
    #expect(there.names == folder.names)
    #expect(try contents(of: there) == contents(of: folder))
  }

  /// As without /proc on a kernel before 6.10, for somebody who is not root.
  @Test(.enabled(if: Tool.exists("strace"), "strace is missing"))
  func `where files without a name cannot be linked at all, every command writes the same`() throws {
    let there = try TemporaryFolder()
    for command in try commands(into: folder) { try kerfless(command) }
    let strace = try #require(Tool("strace"))
    for command in try commands(into: there) {
      let result = try strace.run(
        ["-f", "-o", "/dev/null", "-e", "inject=linkat:error=ENOENT", Tool.kerfless.path] + command)
      #expect(result.status == 0, "\(command): \(result.errors)")
      #expect(!result.errors.contains("warning"), "\(result.errors)")
    }
    #expect(there.names == folder.names)
    #expect(try contents(of: there) == contents(of: folder))
  }

  @Test(.enabled(if: canUnshare, "only root can leave /proc away"), arguments: ["/dev/stdout", "/dev/fd/1"])
  func `standard output by its name in dev is told to need a proc`(name: String) throws {
    let result = try shell(
      "unshare -m sh -c \"umount -l /proc && exec KERFLESS trim '\(source)' -o \(name) --format mp4\" | cat")
    #expect(result.bytes == [])
    #expect(result.errors.contains("mount /proc, or use -o -"), "\(result.errors)")
  }

  @Test(
    .enabled(if: LoopMount.ext4 != nil && Tool.exists("chattr"), "\(LoopMount.reason)"),
    arguments: ["+a", "+i"])
  func `a folder that gives no names away gets no temporary file`(attribute: String) throws {
    let there = try TemporaryFolder(in: try #require(LoopMount.ext4).path)
    let change = try #require(Tool("chattr"))
    let old = try there.write([9], as: "old.mp4")
    try #require(change.run([attribute, there.path]).status == 0)
    defer { _ = try? change.run(["-ai", there.path]) }
    for options in [["--force"], ["--publish", "direct"], ["--publish", "direct", "--force"]] {
      for name in ["old.mp4", "new.mp4"] where name == "new.mp4" || options.contains("--force") {
        try expectFailure(
          73, ["trim", source, "-o", there.file(name)] + options,
          saying: ["immutable or append-only (lsattr -d"], leaving: there)
      }
    }
    #expect(try readFile(old) == [9])
    if attribute == "+a" {
      try kerfless(["trim", source, "-o", there.file("new.mp4")])
      #expect(there.names == ["new.mp4", "old.mp4"])
    } else {
      try expectFailure(
        73, ["trim", source, "-o", there.file("new.mp4")], saying: ["immutable"], leaving: there)
    }
  }

  @Test(.enabled(if: getuid() == 0 && Tool.exists("setpriv"), "only root can become somebody else"))
  func `somebody else's file in a sticky folder is told as that`() throws {
    let place = try TemporaryFolder()
    _ = try folder.write([9], as: "old.mp4")
    try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: folder.path)
    let script =
      "chmod 755 '\(place.path)' && cp KERFLESS '\(source)' '\(place.path)' && chmod a+rx '\(place.path)'/* && "
      + "setpriv --reuid 65534 --regid 65534 --clear-groups '\(place.file("kerfless"))' "
      + "trim '\(place.file("joc-base.mp4"))' -o '\(folder.file("old.mp4"))' --force"
    for options in ["", " --publish direct"] {
      let result = try shell(script + options)
      #expect(result.status == 73)
      #expect(result.errors.contains("sticky (ls -ld)"), "\(result.errors)")
      #expect(!result.errors.contains("use --publish direct"))
    }
    #expect(folder.names == ["old.mp4"])
    #expect(try readFile(folder.file("old.mp4")) == [9])
  }

  @Test(.enabled(if: Tool.exists("strace"), "strace is missing"), arguments: ["EINVAL", "EOPNOTSUPP", "EIO"])
  func `what cannot be forced to the disk is not told to be published otherwise`(error: String) throws {
    let result = try #require(Tool("strace")).run([
      "-o", "/dev/null", "-e", "inject=fsync:error=\(error):when=1", Tool.kerfless.path, "trim", source, "-o",
      folder.file("out.mp4"), "--sync", "file",
    ])
    #expect(result.status == 74, "\(result.errors)")
    #expect(result.errors.contains("use --sync none") == (error != "EIO"), "\(result.errors)")
    #expect(!result.errors.contains("--publish direct"))
    #expect(folder.names == [])
  }
}
