import Foundation
import TestSupport
import Testing

/// The README's command lines, run as they are printed.
struct ReadmeTests {
  /// The blocks of command lines, without those that build, install or need a container engine.
  static let blocks: [String] = {
    let root = Media.own.deletingLastPathComponent().deletingLastPathComponent()
    let readme = try? String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let blocks = (readme ?? "").split(separator: "```sh\n").dropFirst().map {
      String($0.split(separator: "```")[0])
    }
    return blocks.filter { ("\n" + $0).contains("\nkerfless ") }
  }()

  /// A folder with all that they read: a film of 100 s with JOC, others of the same format, a manifest.
  private func farm() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let parts = [String](repeating: Media.path("joc-base.mp4"), count: 100)
    try kerfless(["concat"] + parts + ["-o", folder.file("film.mp4")])
    for folderName in ["masters", "bin"] {
      try FileManager.default.createDirectory(
        atPath: folder.file(folderName), withIntermediateDirectories: false)
    }
    for name in ["a.mp4", "b.mp4", "masters/ep1.mp4"] {
      try FileManager.default.copyItem(atPath: folder.file("film.mp4"), toPath: folder.file(name))
    }
    let jobs = (1...24).map { number in
      #"{"id":"ep1-\#(number)","source":"masters/ep1.mp4","start":"\#(number).5","end":"\#(number + 10)","output":"clips/ep1-\#(number).mp4"}"#
        + "\n"
    }
    _ = try folder.write(Array(jobs.joined().utf8), as: "jobs.jsonl")
    // Whatever a user sends an output to.
    let upload = try folder.write(Array("#!/bin/sh\ncat > /dev/null\n".utf8), as: "bin/upload")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: upload)
    return folder
  }

  @Test(
    .enabled(if: Tool.exists("jq") && Tool.exists("lz4"), "jq and lz4 are needed"), arguments: blocks)
  func `the command lines of a block work one after the other`(_ block: String) throws {
    let folder = try farm()
    let own = URL(fileURLWithPath: Tool.kerfless.path).deletingLastPathComponent().path
    let path = "\(own):\(folder.file("bin")):/usr/bin:/bin"
    // Nobody listens on that socket here.
    let lines = block.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.contains("/run/") }
    for line in lines {
      let result = try #require(Tool("bash")).run(
        ["-o", "pipefail", "-c", String(line)], folder: folder.path,
        environment: ["PATH": path, "JOB_COMPLETION_INDEX": "0"])
      #expect(result.status == 0, "\(line): \(result.errors)")
    }
  }

  @Test func `the blocks are found`() { #expect(Self.blocks.count >= 9) }
}
