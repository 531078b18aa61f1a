import ByteParsing
import ISOMedia
import SystemIO
import TestSupport
import Testing

@testable import Remuxing

/// Boxes that are missing, there twice, malformed or not to be understood.
@Suite struct StatedBoxesTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  @Test(
    arguments: [
      ("joc-base.mp4", "stco", ["box.duplicate"]), ("joc-base.mp4", "stsz", ["box.duplicate"]),
    ])
  func `two tables for one purpose`(name: String, type: String, codes: [String]) throws {
    // A box that nobody knows becomes the other kind of table.
    let base = MovieSketch(try units(of: "joc51.ec3"), dec3: hex("0280 200f00 0103")).bytes
    var bytes = base
    let other = type == "stco" ? "co64" : "stz2"
    let table = try base.payload(of: type) - 8
    let added = box(
      other, [0, 0, 0, 0] + (type == "stco" ? [] : bigEndian(UInt32(8))) + bigEndian(UInt32(0)))
    bytes.insert(contentsOf: added, at: table)
    for outer in ["moov", "trak", "mdia", "minf", "stbl"] {
      let place = try bytes.payload(of: outer) - 8
      let size = bytes[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bytes.replaceSubrange(place..<place + 4, with: bigEndian(size + UInt32(added.count)))
    }
    let stco = try bytes.payload(of: "stco") + 8
    let offset = bytes[stco..<stco + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    bytes.replaceSubrange(stco..<stco + 4, with: bigEndian(offset + UInt32(added.count)))
    #expect(try bench.faults(bytes) == codes)
    let path = try bench.path(bytes)
    #expect(failure { try Repair(path) }?.message.contains("box.duplicate") ?? false)
  }

  /// The handler's type stands 8 bytes into hdlr; the entry's reference 6 into it.
  @Test func `boxes around an audio track`() throws {
    let base = try MovieSketch.objects().bytes
    #expect(try bench.faults(base.patched("hdlr", at: 8, Array("text".utf8))) == ["hdlr.type"])
    #expect(try bench.faults(base.patched("ec-3", at: 6, [0, 0])) == ["dref.index"])
    #expect(try bench.faults(base.patched("ec-3", at: 6, [0, 2])) == ["dref.index"])
    #expect(try bench.faults(base.patched("smhd", at: -4, Array("free".utf8))) == ["box.missing"])
    #expect(try bench.faults(base.patched("dinf", at: -4, Array("free".utf8))) == ["box.missing"])
    let untyped = try base.patched("ftyp", at: -4, Array("free".utf8))
    #expect(try bench.faults(untyped) == [])
    #expect(try bench.notes(untyped) == ["box.missing"])
  }

  @Test(arguments: [
    ("0280 200f00 0103 ff", ["dec3.tail"]), ("0280 200f00 0103 0000", []), ("0280 200f00 0103", []),
  ])
  func `bytes behind what dec3 says are noted`(dec3: String, codes: [String]) throws {
    let bytes = try MovieSketch.objects([box("dec3", hex(dec3))]).bytes
    #expect(try bench.faults(bytes) == [])
    #expect(try bench.notes(bytes) == codes)
  }

  @Test(arguments: [(hex("de"), true), (hex("de ad be ef 01 02 03"), true), (hex("00 00 00 00"), false)])
  func `bytes at the end that are no box`(tail: [UInt8], isFault: Bool) throws {
    #expect(
      try bench.faults(try MovieSketch.objects().bytes + tail) == (isFault ? ["file.foreign-tail"] : []))
  }

  @Test func `one cause is one error`() throws {
    let base = try Media.bytes("joc-base.mp4")
    let moov = try base.payload(of: "moov") - 8
    let size = base[moov..<moov + 4].reduce(0) { $0 << 8 | Int($1) }
    // The front of moov says that it is all of it.
    let half =
      Array(base[..<moov]) + bigEndian(UInt32(200)) + base[moov + 4..<moov + 200] + base[(moov + size)...]
    #expect(try bench.faults(half) == ["box.malformed"])
    let fragments = try Media.bytes("frag.mp4")
    let cut = try bench.verify(Array(fragments[..<(fragments.count * 2 / 3)])).findings.map(\.finding.message)
    #expect(Set(cut).count == cut.count)
  }

  @Test func `a file with nothing to look at says so`() throws {
    let bytes = try MovieSketch.objects().bytes.patched("ec-3", at: -4, Array("mp4a".utf8))
    #expect(try bench.notes(bytes) == ["track.unchecked"])
    #expect(try FileVerification(try bench.path(bytes)).verdict == .unchecked)
  }

  @Test func `outputs leave out what is malformed in a sample entry`() throws {
    let good = box("kfta", [1, 2, 3])
    let source = try bench.source(
      try MovieSketch.objects([
        good, box("udta", [0, 0, 0, 99, 1, 2, 3, 4, 5]), box("dec3", hex("0280 200f00 0103")),
        box("stts", hex("00000000 00017700")), box("meta", [0, 0, 0, 0]), box("meta", [0, 0, 0, 0]),
        box("sinf", box("frma", [1, 2, 3, 4]) + [1, 2]),
      ]).bytes)
    let planned = try OutputPlanner.iso().plan(source)
    let output = try bench.path(planned.plan.bytes, as: "output")
    #expect(try FileVerification(output).verdict == .right)
    let left = try Source(opening: output).onlyTrack.containerFacts?.entry.children.map(\.type)
    #expect(left == ["kfta", "dec3", "meta"])
    #expect(planned.report.findings.filter { $0.code == .boxMalformed }.count == 4)
  }
}
