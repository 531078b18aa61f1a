import Foundation
import TestSupport
import Testing

/// Damaged files through the built binary: a result or a named error, never a signal, and nothing left behind.
struct HostileInputTests {
  private static let endings: Set<Int32> = [0, 65, 69]

  private func run(_ path: String, in folder: TemporaryFolder, _ what: String) throws {
    for arguments in [
      ["inspect", path], ["verify", path], ["verify", path, "--source", path],
      ["repair", path, "-o", folder.file("mended.mp4")],
      ["trim", path, "-o", folder.file("out.mp4"), "--start", "1au", "--end", "5au"],
    ] {
      let result = try Tool.kerfless.run(arguments)
      #expect(
        Self.endings.contains(result.status), "\(what): \(arguments[0]) \(result.status) \(result.errors)")
      let said = arguments[0] == "verify" ? result.text + result.errors : result.errors
      #expect(
        result.status == 0 || said.contains("kerfless: error: ") || said.contains(path), "\(what): \(said)")
    }
    for output in ["out.mp4", "mended.mp4"] {
      try? FileManager.default.removeItem(atPath: folder.file(output))
    }
    #expect(folder.names == ["damaged"], "\(what)")
  }

  @Test(arguments: [
    "joc-base.mp4", "joc-stz2-16.mp4", "joc-qt-v1.mov", "ddp71.mp4", "ac3.mp4", "ddp-vbr.ec3",
  ])
  func `cut off anywhere`(_ file: String) throws {
    let folder = try TemporaryFolder()
    let bytes = try Media.bytes(file)
    let ends = Array(stride(from: 0, to: 700, by: 41)) + Array(stride(from: 700, to: bytes.count, by: 997))
    for end in ends where end < bytes.count {
      try run(folder.write(Array(bytes[..<end]), as: "damaged"), in: folder, "\(file) cut at \(end)")
    }
  }

  @Test(arguments: [
    "joc-base.mp4", "joc-co64.mp4", "joc-edit-empty.mp4", "ddp20-44k1.mp4", "av-joc.mp4", "ddp2ind.ec3",
  ])
  func `with damaged fields`(_ file: String) throws {
    let folder = try TemporaryFolder()
    let bytes = try Media.bytes(file)
    let seed: UInt64 = 20_261_130
    var random = SeededGenerator(seed: seed)
    for round in 0..<40 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<min(damaged.count - 4, 900), using: &random)
        let value =
          [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, UInt32.random(in: 0 ... .max, using: &random)]
          .randomElement(using: &random) ?? 0
        damaged.replaceSubrange(place..<place + 4, with: bigEndian(value))
      }
      try run(folder.write(damaged, as: "damaged"), in: folder, "\(file) seed \(seed) round \(round)")
    }
  }

  @Test func `boxes without end`() throws {
    let folder = try TemporaryFolder()
    let ftyp = box("ftyp", Array("isom".utf8), bigEndian(UInt32(0)))
    let deep = (0..<10_000).reduce([UInt8]()) { inner, _ in box("moov", inner) }
    let cases: [(String, [UInt8])] = [
      ("tiny boxes", ftyp + (0..<200_000).flatMap { _ in box("free") }), ("deep boxes", ftyp + deep),
      ("box of size 0 in moov", ftyp + box("moov", bigEndian(UInt32(0)) + Array("trak".utf8))),
      ("box of size 1 without the rest", ftyp + bigEndian(UInt32(1)) + Array("moov".utf8)),
      ("large size beyond 63 bits", ftyp + bigEndian(UInt32(1)) + Array("moov".utf8) + bigEndian(UInt64.max)),
      ("tracks without end", ftyp + box("moov", (0..<100_000).flatMap { _ in box("trak") })),
      ("sync words only", (0..<50_000).flatMap { _ in [0x0b, 0x77] as [UInt8] }),
      ("smallest frames", (0..<20_000).flatMap { _ in hex("0b77 0003 ff87 8000") }),
    ]
    for (what, bytes) in cases { try run(folder.write(bytes, as: "damaged"), in: folder, what) }
  }
}
