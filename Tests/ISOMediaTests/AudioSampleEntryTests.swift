import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

/// The fixed part of a sound track's sample entry (ISO/IEC 14496-12, 12.2.3; QuickTime File Format).
func soundEntry(
  type: String = "ec-3", version: UInt16 = 0, channels: UInt16 = 6, rate: UInt32 = 48000, _ rest: [UInt8]...
) -> [UInt8] {
  box(
    type, zeros(6), bigEndian(1 as UInt16), bigEndian(version), zeros(6), bigEndian(channels),
    bigEndian(16 as UInt16), zeros(4), bigEndian(rate << 16), rest.flatMap { $0 })
}

/// 5.1 at 448 kbit/s (ETSI TS 102 366, F.6).
let dec3 = box("dec3", hex("0e00 200f00"))

/// What version 1 of a QuickTime entry has more: samples a packet, bytes a packet, a frame, a sample.
private let version1Fields = words(0, 0, 0, 2)

/// What version 2 has more: its size, a 64-bit floating-point rate, channels, a constant and four numbers.
private let version2Fields =
  words(72) + bigEndian(48000.0.bitPattern) + words(6, 0x7f00_0000, 16, 0, 0, 1536)

struct AudioSampleEntryTests {
  private func parse(_ bytes: [UInt8]) throws -> AudioSampleEntry {
    try AudioSampleEntry(parsing: try onlyBox(in: bytes), in: bytes.rawBytes)
  }

  private func payload(of type: FourCC, in bytes: [UInt8]) throws -> [UInt8]? {
    try parse(bytes).child(type).map { Array(bytes[$0.payload]) }
  }

  @Test func `the fixed part is read field by field`() throws {
    let entry = try parse(soundEntry(type: "ac-3", channels: 2, rate: 44100, box("dac3", hex("103cc0"))))
    #expect(entry.box.type == "ac-3")
    #expect(entry.dataReferenceIndex == 1)
    #expect(entry.layout == .version0)
    #expect(entry.channelCount == 2)
    #expect(entry.sampleSize == 16)
    #expect(entry.sampleRate == 44100 << 16)
    #expect(entry.children.map(\.type) == ["dac3"])
    #expect(entry.waveChildren.isEmpty)
  }

  @Test func `children are found whatever stands around them`() throws {
    let bytes = soundEntry(box("btrt", zeros(12)), dec3, box("kfta", [1]))
    #expect(try parse(bytes).children.map(\.type) == ["btrt", "dec3", "kfta"])
    #expect(try payload(of: "dec3", in: bytes) == hex("0e00 200f00"))
    #expect(try payload(of: "dac3", in: bytes) == nil)
  }

  @Test func `version 1 of QuickTime has sixteen bytes more`() throws {
    let wave = box("wave", box("frma", Array("ec-3".utf8)), dec3, hex("00000008 00000000"))
    let bytes = soundEntry(version: 1, version1Fields, wave, fullBox("chan", zeros(12)))
    let entry = try parse(bytes)
    #expect(entry.layout == .quickTime1)
    #expect(entry.children.map(\.type) == ["wave", "chan"])
    #expect(entry.waveChildren.map(\.type) == ["frma", "dec3", FourCC(rawValue: 0)])
    #expect(try payload(of: "dec3", in: bytes) == hex("0e00 200f00"))
  }

  @Test func `version 2 of QuickTime has 36 bytes more`() throws {
    let bytes = soundEntry(version: 2, version2Fields, box("wave", dec3))
    #expect(try parse(bytes).layout == .quickTime2)
    #expect(try payload(of: "dec3", in: bytes) == hex("0e00 200f00"))
  }

  @Test func `a direct child goes before one in wave`() throws {
    let bytes = soundEntry(version: 1, version1Fields, box("wave", box("dec3", [9])), dec3)
    #expect(try payload(of: "dec3", in: bytes) == hex("0e00 200f00"))
  }

  /// ISO/IEC 14496-12, 12.2.3: AudioSampleEntryV1 has no more fields than version 0.
  @Test(arguments: [
    // Of one, five and seven bytes, as AC-3, E-AC-3 and JOC have them
    "103cc0", "0e00200f00", "0e00200f000110",
    // Dependents and JOC together: the child ends where the boxes of QuickTime's version 1 would start
    "1200200f02020110", "1200200f0202011000", "0381200f00200400", "0381200f0020040001100000000000",
    "0381200f002004000110000000000000",
  ])
  func `version 1 of ISO has the same layout as version 0`(payload: String) throws {
    let bytes = soundEntry(version: 1, box("dec3", hex(payload)))
    let entry = try parse(bytes)
    #expect(entry.layout == .version0)
    #expect(try self.payload(of: "dec3", in: bytes) == hex(payload))
  }

  @Test func `version 1 of ISO may have more children`() throws {
    let bytes = soundEntry(version: 1, dec3, fullBox("srat", words(48000)))
    #expect(try parse(bytes).children.map(\.type) == ["dec3", "srat"])
  }

  @Test(arguments: [0 as UInt16, 1, 2, 3, UInt16.max])
  func `a version that nobody knows is read by what parses`(version: UInt16) throws {
    #expect(try payload(of: "dec3", in: soundEntry(version: version, dec3)) == hex("0e00 200f00"))
    let quickTime = soundEntry(version: version, version1Fields, box("wave", dec3))
    #expect(try payload(of: "dec3", in: quickTime) == hex("0e00 200f00"))
  }

  @Test func `an entry may have no children`() throws {
    let entry = try parse(soundEntry())
    #expect(entry.children.isEmpty)
    #expect(entry.layout == .version0)
    #expect(try parse(soundEntry(version: 1, version1Fields)).children.isEmpty)
  }

  @Test(arguments: 0..<28) func `an entry shorter than its fixed part is refused`(count: Int) {
    let error = #expect(throws: ParsingError.self) { try parse(box("ec-3", zeros(count))) }
    #expect(error?.kind == .malformed)
  }

  @Test(arguments: [
    "0000000900000000", "00000004 64656333", "00000000 64656333", "0000000d 64656333 00",
    "0000000a a9010203 0000",
  ])
  func `an entry whose children fit no layout is refused`(children: String) {
    #expect(throws: ParsingError.self) { try parse(soundEntry(hex(children))) }
  }

  @Test func `an entry of more than 256 boxes or a mebibyte is refused, for it would be copied`() throws {
    let entry = try parse(soundEntry((0..<256).flatMap { _ in box("free") }))
    #expect(entry.children.count == 256)
    for children in [
      (0..<257).flatMap { _ in box("free") }, box("free", [UInt8](repeating: 0, count: 1 << 20)),
    ] {
      let error = #expect(throws: ParsingError.self) { try parse(soundEntry(children)) }
      #expect(error?.kind == .unsupported)
    }
  }

  @Test func `an encrypted entry names the coding behind it`() throws {
    let sinf = box(
      "sinf", box("frma", Array("ec-3".utf8)), fullBox("schm", Array("cenc".utf8), words(0x1_0000)))
    let bytes = soundEntry(type: "enca", dec3, sinf)
    let entry = try parse(bytes)
    #expect(try entry.originalFormat(in: bytes.rawBytes) == "ec-3")
  }

  @Test func `an entry in the clear names none, and a cut one is refused`() throws {
    let clear = soundEntry(dec3)
    #expect(try parse(clear).originalFormat(in: clear.rawBytes) == nil)
    let empty = soundEntry(type: "enca", box("sinf"))
    #expect(try parse(empty).originalFormat(in: empty.rawBytes) == nil)
    let cut = soundEntry(type: "enca", box("sinf", box("frma", [0x65])))
    let error = #expect(throws: ParsingError.self) { try parse(cut).originalFormat(in: cut.rawBytes) }
    #expect(error?.path == ["frma"])
  }

  @Test func `an entry is written as ISO has it`() throws {
    var boxes = BoxWriter()
    AudioSampleEntry.write("ec-3", channelCount: 6, sampleRate: 48000, to: &boxes) { entry in
      entry.box("dec3") { $0.put(bytes: hex("0e00 200f00")) }
    }
    let bytes = boxes.writer.bytes
    #expect(bytes == soundEntry(dec3))
    #expect(bytes[32..<36].elementsEqual(hex("bb800000")))
  }
}
