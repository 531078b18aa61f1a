import ByteParsing
import Testing

struct FourCCTests {
  @Test(arguments: [
    ("ec-3" as FourCC, 0x6563_2d33 as UInt32, "ec-3"), ("ac-3", 0x6163_2d33, "ac-3"),
    ("ac-4", 0x6163_2d34, "ac-4"), ("url ", 0x7572_6c20, "url "), ("M4A ", 0x4d34_4120, "M4A "),
  ])
  func `a literal is its four bytes`(code: FourCC, number: UInt32, text: String) {
    #expect(code.rawValue == number)
    #expect(code == FourCC(rawValue: number))
    #expect(code.description == text)
    #expect(code.isPrintable)
  }

  @Test(arguments: [
    (0 as UInt32, "0x00000000"), (0xa96e_616d, "0xa96e616d"), (0x6e61_6d1f, "0x6e616d1f"),
    (0x7f61_6d65, "0x7f616d65"), (0x0000_0a0b, "0x00000a0b"), (0xffff_ffff, "0xffffffff"),
  ])
  func `a code with a byte that cannot be printed is shown as its number`(number: UInt32, text: String) {
    let code = FourCC(rawValue: number)
    #expect(!code.isPrintable)
    #expect(code.description == text)
  }

  @Test func `codes that differ in one byte differ`() {
    #expect(("stsz" as FourCC) != "stz2")
    #expect(Set<FourCC>(["stco", "co64", "stco"]).count == 2)
  }
}
