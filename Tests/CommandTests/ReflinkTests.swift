import Foundation
import TestSupport
import Testing

/// Clips and joins that share blocks with their sources, on loop-mounted XFS and Btrfs.
@Suite(.serialized, .enabled(if: !LoopMount.sharing.isEmpty, "\(LoopMount.reason)"))
struct ReflinkTests {
  /// The bytes by each method, and what the reports say.
  private func compare(_ command: [String], in folder: TemporaryFolder, clones: Bool = true) throws {
    let reference = folder.file("gather.mp4")
    try kerfless(command + ["--io", "gather", "-o", reference])
    for method in clones ? ["clone", "auto", "copy"] : ["auto", "copy"] {
      let output = folder.file("\(method).mp4")
      let report = try kerflessJSON(command + ["--io", method, "-o", output])
      #expect(FileManager.default.contentsEqual(atPath: output, andPath: reference), "\(method) \(command)")
      let io = report["io"]
      #expect(io["method"].description == (method == "auto" ? (clones ? "clone" : "gather") : method))
      let moved = ["cloned", "copied", "gathered"].compactMap { io[$0].int }.reduce(0, +)
      #expect(
        moved
          == (try kerflessJSON(command + ["-n", "-o", "x.mp4"]))["plan"].array
          .filter { $0["kind"].description == "extent" }.compactMap { $0["bytes"].int }.reduce(0, +))
      try FileManager.default.removeItem(atPath: output)
    }
    try FileManager.default.removeItem(atPath: reference)
  }

  @Test(arguments: LoopMount.sharing.map(\.kind))
  func `clips and joins by clone have the bytes that gather writes`(kind: String) throws {
    let place = try #require(LoopMount.sharing.first { $0.kind == kind })
    let folder = try TemporaryFolder(in: place.path)
    let source = try LongSource(units: 40_000, in: folder).path
    let other = try LongSource(units: 20_000, in: folder, as: "other.mp4").path
    let commands: [[String]] = [
      ["trim", source], ["trim", source, "--start", "17au"],
      ["trim", source, "--start", "3au", "--end", "415au"],
      ["trim", source, "--start", "1.234", "--end", "900.001", "--cut", "exact"],
      ["concat", "\(source)@0-100", "\(other)@7-300", "\(source)@50-50.5", "\(other)"],
      ["concat", "\(source)@1-100", "\(other)@7-300", "--cut", "exact"],
      ["concat"] + (0..<40).map { "\(source)@\($0 * 20 + 1)-\($0 * 20 + 18)" },
    ]
    for command in commands { try compare(command, in: folder) }
    // Proven by other eyes than this test's: every checksum, and the payload against its sources.
    let joined = folder.file("joined.mp4")
    let segments = ["\(source)@0-100", "\(other)@7-300"]
    try kerfless(["concat"] + segments + ["--io", "clone", "-o", joined])
    try kerfless(["verify", joined] + segments.flatMap { ["--source", $0] })
    // No extent of these is large enough to be cloned.
    try compare(["trim", source, "--end", "300au"], in: folder, clones: false)
    try compare(["concat"] + (0..<40).map { "\(source)@\($0 * 2)-\($0 * 2 + 1)" }, in: folder, clones: false)
  }

  @Test(arguments: LoopMount.sharing.map(\.kind))
  func `a hundred megabytes share their blocks and take next to no space`(kind: String) throws {
    // The others write while this one counts.
    let place = try #require(LoopMount.own(kind))
    let folder = try TemporaryFolder(in: place.path)
    let source = try LongSource(units: 330_000, in: folder).path
    let used = try usedByteCount(place.path)
    let clips = 60
    for clip in 0..<clips {
      let output = folder.file("clip\(clip).mp4")
      let report = try kerflessJSON([
        "trim", source, "--start", "\(clip * 100 + 1)au", "--end", "\(clip * 100 + 313_001)au", "-o", output,
      ])
      #expect(report["io"]["method"].description == "clone")
      #expect(report["io"]["gathered"].int ?? .max < 8192)
    }
    let growth = try (usedByteCount(place.path) - used) / clips
    print("\(kind): \(growth) bytes of disk a clip of 100 MB")
    #expect(growth < 16 << 10)
    for clip in [0, clips - 1] {
      let blocks = try SharedBlocks(of: folder.file("clip\(clip).mp4"))
      #expect(blocks.sharedByteCount > 100_000_000)
      #expect(blocks.ownByteCount < 24 << 10, "header and edges")
    }
  }

  /// Bytes that are in use, after everything has reached the disk.
  private func usedByteCount(_ path: String) throws -> Int {
    try #require(Tool("sync")).run(["-f", path])
    var status = statvfs()
    try #require(statvfs(path, &status) == 0)
    return Int(status.f_blocks - status.f_bfree) * Int(status.f_frsize)
  }

  @Test(.enabled(if: LoopMount.xfs != nil && LoopMount.btrfs != nil, "\(LoopMount.reason)"))
  func `where blocks cannot be shared, auto falls back and clone says so`() throws {
    let xfs = try TemporaryFolder(in: try #require(LoopMount.xfs).path)
    let btrfs = try TemporaryFolder(in: try #require(LoopMount.btrfs).path)
    let plain = try TemporaryFolder()
    let source = try LongSource(units: 40_000, in: xfs).path
    try kerfless(["trim", source, "--io", "gather", "-o", xfs.file("expected.mp4")])
    for folder in [btrfs, plain] {
      let report = try kerflessJSON(["trim", source, "-o", folder.file("clip.mp4")])
      #expect(report["io"]["cloned"].int == 0)
      #expect(
        FileManager.default.contentsEqual(atPath: folder.file("clip.mp4"), andPath: xfs.file("expected.mp4")))
      try expectFailure(
        69, ["trim", source, "--io", "clone", "-o", folder.file("no.mp4")],
        saying: ["no.mp4", "FICLONERANGE", "--io auto"], leaving: folder)
    }
    try expectFailure(
      69, ["trim", source, "--io", "clone", "--start", "1au", "-o", xfs.file("no.ec3")],
      saying: ["blocks begin elsewhere", "--io auto"], leaving: xfs)
    try expectFailure(
      69, ["trim", source, "--io", "clone", "-o", "/dev/null", "--format", "mp4"],
      saying: ["a stream", "--io auto"])
  }

  @Test(.enabled(if: LoopMount.btrfs != nil && Tool.exists("chattr"), "\(LoopMount.reason)"))
  func `files without copy-on-write and compressed ones are cloned or copied, never refused`() throws {
    let folder = try TemporaryFolder(in: try #require(LoopMount.btrfs).path)
    let change = try #require(Tool("chattr"))
    for (name, flag) in [("nocow", "+C"), ("compressed", "+c")] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
      #expect(try change.run([flag, folder.file(name)]).status == 0)
    }
    let original = try LongSource(units: 40_000, in: folder).path
    try kerfless(["trim", original, "--io", "gather", "-o", folder.file("expected.mp4")])
    for name in ["nocow", "compressed"] {
      let source = folder.file("\(name)/source.mp4")
      try #require(Tool("sh")).run(["-c", "cat '\(original)' > '\(source)'; sync -f '\(source)'"])
      for target in [folder.file("out.mp4"), folder.file("\(name)/out.mp4")] {
        let report = try kerflessJSON(["trim", source, "-o", target])
        let isOutside = target == folder.file("out.mp4")
        #expect((report["io"]["cloned"].int == 0) == (name == "nocow" && isOutside), "\(name) \(target)")
        #expect(FileManager.default.contentsEqual(atPath: target, andPath: folder.file("expected.mp4")))
        try FileManager.default.removeItem(atPath: target)
      }
    }
    try expectFailure(
      69, ["trim", folder.file("nocow/source.mp4"), "--io", "clone", "-o", folder.file("out.mp4")],
      saying: ["Invalid argument (FICLONERANGE)"], leaving: folder)
  }

  @Test(.enabled(if: LoopMount.btrfs != nil && Tool.exists("btrfs"), "\(LoopMount.reason)"))
  func `subvolumes are different devices and share blocks`() throws {
    let folder = try TemporaryFolder(in: try #require(LoopMount.btrfs).path)
    let btrfs = try #require(Tool("btrfs"))
    for name in ["a", "b"] {
      try #require(btrfs.run(["subvolume", "create", folder.file(name)]).status == 0)
    }
    defer { for name in ["a", "b"] { _ = try? btrfs.run(["subvolume", "delete", folder.file(name)]) } }
    let source = try LongSource(units: 40_000, in: folder, as: "a/long.mp4").path
    let report = try kerflessJSON(["trim", source, "--start", "1", "-o", folder.file("b/clip.mp4")])
    #expect(report["io"]["method"].description == "clone")
    try kerfless(["trim", source, "--start", "1", "--io", "gather", "-o", folder.file("expected.mp4")])
    #expect(
      FileManager.default.contentsEqual(
        atPath: folder.file("b/clip.mp4"), andPath: folder.file("expected.mp4")))
  }

  @Test(arguments: [1024, 2048, 16_384, 65_536])
  func `blocks of other sizes are cloned or copied, never refused`(blockByteCount: Int) throws {
    guard let place = LoopMount("xfs", making: ["-m", "reflink=1", "-b", "size=\(blockByteCount)"]) else {
      print("skipped: this kernel does not mount XFS with blocks of \(blockByteCount) bytes")
      return
    }
    let folder = try TemporaryFolder(in: place.path)
    let source = try LongSource(units: 40_000, in: folder).path
    for start in ["0au", "1au", "14au", "777au"] {
      try kerfless(["trim", source, "--start", start, "--io", "gather", "-o", folder.file("expected.mp4")])
      let report = try kerflessJSON(["trim", source, "--start", start, "-o", folder.file("clip.mp4")])
      if blockByteCount <= 4096 { #expect(report["io"]["method"].description == "clone") }
      #expect(
        FileManager.default.contentsEqual(
          atPath: folder.file("clip.mp4"), andPath: folder.file("expected.mp4")),
        "\(start)")
      for name in ["clip.mp4", "expected.mp4"] {
        try FileManager.default.removeItem(atPath: folder.file(name))
      }
    }
  }

  @Test(.enabled(if: LoopMount.xfs != nil, "\(LoopMount.reason)"))
  func `a clone takes the same calls whatever the clip's length`() throws {
    let folder = try TemporaryFolder(in: try #require(LoopMount.xfs).path)
    let source = try LongSource(units: 200_000, in: folder).path
    var counts: Set<Int> = []
    for end in [1000, 20_000, 199_000] {
      let arguments = [
        "trim", source, "--start", "1au", "--end", "\(end)au", "-o", folder.file("\(end).mp4"),
      ]
      let calls = try Trace(of: arguments, from: source).calls
      #expect(calls.filter { $0.role == .clone }.count == 1)
      counts.insert(calls.count)
    }
    #expect(counts.count == 1)
  }
}
