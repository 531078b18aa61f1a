import Foundation
import TestSupport
import Testing

/// What broke once: a test for each kind.
struct AttackTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// joc-base.mp4 with 32-bit fields replaced, each found by the box in front of it and its distance from the type.
  private func patched(_ fields: [(String, Int, UInt32)]) throws -> String {
    var bytes = try Media.bytes("joc-base.mp4")
    for (type, distance, value) in fields {
      let name = Array(type.utf8)
      let place = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
      bytes.replaceSubrange(place + distance..<place + distance + 4, with: bigEndian(value))
    }
    return try folder.write(bytes, as: "patched.mp4")
  }

  @Test func `claims of four thousand million access units cost nothing`() throws {
    // stsz counts 0xFFFFFFFF, and stsc puts as many in each chunk.
    let source = try patched([("stsz", 12, .max), ("stsc", 16, 0x4000_0000)])
    for command in [["trim"], ["split", "--every", "1au"], ["inspect"]] {
      let output = command[0] == "inspect" ? [] : ["-o", folder.file("x%d.mp4")]
      let result = try Tool.kerfless.run([command[0], source] + command.dropFirst() + output)
      #expect([0, 65, 69].contains(result.status), "\(result.status) \(result.errors)")
    }
    #expect(folder.names == ["patched.mp4"])
  }

  @Test func `chunks that overlap are refused before anything is scanned`() throws {
    let source = try patched([("stsz", 12, 100_000_000), ("stsc", 16, 50_000_000)])
    try expectFailure(
      65, ["trim", source, "-o", folder.file("x.mp4")], saying: ["patched.mp4"], leaving: folder)
  }

  /// Tails that some players read as joint object coding, though the stream has none (TS 103 420, 8.3).
  @Test(arguments: ["0100", "0111", "01", "0310", "556677"])
  func `a tail of dec3 that flags JOC falsely is not carried`(_ tail: String) throws {
    let original = try Media.bytes("joc-flag-lost.mp4")
    let place = try #require(original.indices.first { original[$0...].starts(with: Array("dec3".utf8)) })
    // Boxes around dec3 grow by the tail, so it takes the place of what follows: a free box inside the entry would do as
    // well, but the fixtures have none. Hence the sample entry is written anew.
    var bytes = original
    let extra = hex(tail)
    bytes.insert(contentsOf: extra, at: place + 4 + 5)
    for type in ["dec3", "ec-3", "stsd", "stbl", "minf", "mdia", "trak", "moov"] {
      let box = try #require(bytes.indices.first { bytes[$0...].starts(with: Array(type.utf8)) }) - 4
      let size = bytes[box..<box + 4].reduce(0) { $0 << 8 | UInt32($1) }
      bytes.replaceSubrange(box..<box + 4, with: bigEndian(size + UInt32(extra.count)))
    }
    let stco = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("stco".utf8)) })
    let count = Int(bytes[stco + 11])
    for chunk in 0..<count {
      let entry = stco + 12 + chunk * 4
      let offset = bytes[entry..<entry + 4].reduce(0) { $0 << 8 | UInt32($1) }
      bytes.replaceSubrange(entry..<entry + 4, with: bigEndian(offset + UInt32(extra.count)))
    }
    // The same frames with JOC, and with none: the plain 5.1 stream has frames of the same size.
    let plain = try Media.bytes("ddp51.ec3")
    let payload = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("mdat".utf8)) }) + 4
    var withoutObjects = bytes
    withoutObjects.replaceSubrange(payload..<payload + 32 * 320, with: plain[..<(32 * 320)])
    for (source, dec3) in [(withoutObjects, "0280200f00"), (bytes, "0280200f000103")] {
      let output = folder.file("out.mp4")
      try kerfless(["trim", folder.write(source, as: "tail.mp4"), "-o", output, "--force"])
      #expect(try kerflessJSON(["inspect", output])["tracks"][0]["configuration"].description == dec3)
      let faults = try Judges.structure(output)
      #expect(faults == [])
    }
  }

  @Test func `one access unit of a varying stream keeps the declared rate`() throws {
    let source = folder.file("vbr.mp4")
    try kerfless(["mux", Media.path("ddp-vbr.ec3"), "-o", source])
    let declared = try kerflessJSON(["inspect", source])["tracks"][0]["configuration"].description
    let output = folder.file("one.mp4")
    for unit in 0..<8 {
      let report = try kerflessJSON([
        "trim", source, "-o", output, "--force", "--start", "\(unit)au", "--end", "\(unit + 1)au",
      ])
      #expect(report["findings"].array.isEmpty)
      #expect(try kerflessJSON(["inspect", output])["tracks"][0]["configuration"].description == declared)
    }
    try kerfless([
      "concat", source, Media.path("ddp-vbr.ec3") + "@1au-2au", source + "@2au-3au", "-o",
      folder.file("j.mp4"),
    ])
  }

  @Test func `split refuses an empty range as trim does`() throws {
    for range in [["--start", "0.5", "--end", "0.2"], ["--start", "0.5", "--end", "0.5"]] {
      try expectFailure(
        65, ["split", Media.path("joc-base.mp4"), "--every", "0.1", "-o", folder.file("%d.mp4")] + range,
        saying: ["empty"], leaving: folder)
    }
  }

  @Test func `a stream whose format changes midway is told, and cut on either side only`() throws {
    let source = try folder.write(Media.bytes("ddp51.ec3") + Media.bytes("ddp20-44k1.ec3"), as: "mixed.ec3")
    let findings = try kerflessJSON(["inspect", source])["tracks"][0]["findings"].array
    #expect(findings.map { $0["code"].description } == ["stream.changes"])
    try kerfless(["trim", source, "-o", folder.file("front.mp4"), "--end", "94au"])
    try expectFailure(
      65, ["trim", source, "-o", folder.file("all.mp4")], saying: ["access unit 94", "44100"])
  }

  @Test func `bytes behind a whole movie do no harm`() throws {
    let source = try folder.write(Media.bytes("joc-base.mp4") + [0, 0, 0, 1, 2, 3, 4, 5, 6], as: "junk.mp4")
    #expect(
      try kerflessJSON(["inspect", source])["findings"].array.map { $0["code"].description } == [
        "file.foreign-tail"
      ])
    try kerfless(["trim", source, "-o", folder.file("out.mp4")])
  }

  @Test func `one file under two names joins without a seam`() throws {
    let copy = folder.file("joc51.ec3")
    try FileManager.default.copyItem(atPath: Media.path("joc51.ec3"), toPath: copy)
    try kerfless(["concat", copy + "@0-1", folder.path + "/./joc51.ec3@1-", "-o", folder.file("two.mp4")])
    try kerfless(["trim", copy, "-o", folder.file("one.mp4")])
    #expect(try readFile(folder.file("two.mp4")) == readFile(folder.file("one.mp4")))
  }

  @Test func `the file size limit is an error and leaves nothing`() throws {
    let shell = try #require(Tool("bash"))
    for options in ["", "--force", "--publish direct"] {
      let result = try shell.run([
        "-c",
        "ulimit -f 4; '\(Tool.kerfless.path)' trim '\(Media.path("joc-base.mp4"))' -o '\(folder.file("x.mp4"))' \(options)",
      ])
      #expect(result.status == 74, "\(result.errors)")
      #expect(folder.names == [])
    }
  }

  @Test(.enabled(if: getuid() == 0 && Tool.exists("unshare"), "needs root and unshare"))
  func `it works without proc`() throws {
    let shell = try #require(Tool("unshare"))
    let result = try shell.run([
      "--mount", "sh", "-c",
      "mount -t tmpfs none /proc && '\(Tool.kerfless.path)' trim '\(Media.path("joc-base.mp4"))' -o '\(folder.file("x.mp4"))'",
    ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(folder.names == ["x.mp4"])
  }

  @Test(.enabled(if: Tool.exists("strace"), "strace is needed"), arguments: ["--force", "--publish direct"])
  func `a close that fails is an error`(_ option: String) throws {
    let strace = try #require(Tool("strace"))
    let result = try strace.run(
      [
        "-o", "/dev/null", "-e", "inject=close:error=EDQUOT:when=1+", "-P", folder.file("x.mp4"), "-P",
        folder.path,
        Tool.kerfless.path, "trim", Media.path("joc-base.mp4"), "-o", folder.file("x.mp4"),
      ] + option.split(separator: " ").map(String.init))
    if option == "--publish direct" {
      #expect(result.status == 75, "\(result.errors)")
      #expect(folder.names == [])
    }
  }
}
