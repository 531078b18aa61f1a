import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

struct HandlerReferenceTests {
  private func hdlr(_ component: String, _ name: [UInt8], type: String = "soun") -> [UInt8] {
    let code = component.isEmpty ? zeros(4) : Array(component.utf8)
    return fullBox("hdlr", code, Array(type.utf8), zeros(12), name)
  }

  @Test func `hdlr is written and read back`() throws {
    try expectRoundTrip(
      HandlerReference(type: "soun", name: Array("SoundHandler".utf8)),
      as: hdlr("", Array("SoundHandler".utf8) + [0]),
      write: HandlerReference.write, parsing: HandlerReference.init(parsing:))
  }

  @Test func `an empty name is one zero byte`() throws {
    try expectRoundTrip(
      HandlerReference(type: "vide", name: []), as: hdlr("", [0], type: "vide"),
      write: HandlerReference.write, parsing: HandlerReference.init(parsing:))
  }

  @Test(arguments: [
    // ISO: ends at the first zero, or with the box
    ("", "616263 00 6465", "abc"), ("", "616263", "abc"), ("", "", ""), ("", "03616263 00", "\u{3}abc"),
    // QuickTime: the length comes first
    ("mhlr", "03 616263", "abc"), ("mhlr", "02 616263", "ab"), ("mhlr", "00", ""), ("mhlr", "", ""),
    ("mhlr", "00 616263", ""), ("mhlr", "05 6100626300", "a"),
    // A component type, and yet a name as ISO has it
    ("mhlr", "616263 00", "abc"), ("mhlr", "616263", "abc"),
  ])
  func `a name is read as ISO or QuickTime has it`(component: String, bytes: String, name: String) throws {
    let parsed = try parse(hdlr(component, hex(bytes)), HandlerReference.init(parsing:))
    #expect(parsed.type == "soun")
    #expect(parsed.name == Array(name.utf8))
  }

  @Test func `a name is read up to 1,024 bytes`() throws {
    let parsed = try parse(hdlr("", [UInt8](repeating: 0x61, count: 5000)), HandlerReference.init(parsing:))
    #expect(parsed.name.count == 1024)
  }

  @Test func `the longest QuickTime name has 255 bytes`() throws {
    let name = [UInt8](repeating: 0x61, count: 255)
    let parsed = try parse(hdlr("mhlr", [255] + name + [0x62]), HandlerReference.init(parsing:))
    #expect(parsed.name == name)
  }

  @Test(arguments: 0..<24) func `an hdlr without its fixed part is refused`(count: Int) {
    #expect(errorParsing(box("hdlr", zeros(count)), HandlerReference.init(parsing:)) != nil)
  }
}
