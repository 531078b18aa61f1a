import TestSupport
import Testing

@testable import ISOMedia

struct LanguageTests {
  /// Three letters in five bits each, `a` being 1 (ISO/IEC 14496-12, 8.4.2.3).
  @Test(arguments: [
    (0x55c4 as UInt16, "und"), (0x15c7, "eng"), (0x10b5, "deu"), (0x1a41, "fra"), (0x2a0e, "jpn"),
    (0x690f, "zho"),
  ])
  func `three letters are packed into fifteen bits`(packed: UInt16, code: String) {
    #expect(Language(packed: packed).code == code)
    #expect(Language(packed: packed).packed == packed)
    #expect(code.utf8.reduce(UInt16(0)) { $0 << 5 | UInt16($1 - 0x60) } == packed)
  }

  /// QuickTime File Format, "Language Code Values", with the letters of ISO 639-2/T.
  @Test(arguments: [
    (0 as UInt16, "eng"), (1, "fra"), (2, "deu"), (3, "ita"), (4, "nld"), (5, "swe"), (6, "spa"), (7, "dan"),
    (8, "por"), (9, "nor"), (10, "heb"), (11, "jpn"), (12, "ara"), (13, "fin"), (14, "ell"), (15, "isl"),
    (16, "mlt"), (17, "tur"), (18, "hrv"), (19, "zho"), (20, "urd"), (21, "hin"), (22, "tha"), (23, "kor"),
    (24, "lit"), (25, "pol"), (26, "hun"), (27, "est"), (28, "lav"), (30, "fao"), (31, "fas"), (32, "rus"),
    (33, "zho"),
  ])
  func `a Macintosh code becomes its letters`(code: UInt16, letters: String) {
    let language = Language(packed: code)
    #expect(language.code == letters)
    #expect(language.packed == letters.utf8.reduce(UInt16(0)) { $0 << 5 | UInt16($1 - 0x60) })
  }

  @Test(arguments: [0x7fff as UInt16, 0x3ff, 139])
  func `Macintosh codes without letters are undetermined`(packed: UInt16) {
    #expect(Language(packed: packed) == .undetermined)
  }

  @Test(arguments: [0x0400 as UInt16, 0x7c00, 0x7fe0, 0x6c00, 0x57ff])
  func `bits that are no letters are shown as undetermined`(packed: UInt16) {
    #expect(Language(packed: packed).code == "und")
  }

  @Test func `the padding bit is no part of the language`() {
    #expect(Language(packed: 0x8000 | 0x15c7) == Language(packed: 0x15c7))
  }

  @Test func `undetermined is packed as 55C4`() {
    #expect(Language.undetermined.packed == 0x55c4)
  }

  @Test func `no 16 bits are more than a language can hold`() {
    for packed in 0...UInt16.max {
      let language = Language(packed: packed)
      #expect(language.packed < 0x8000)
      #expect(language.code.utf8.count == 3)
    }
  }
}
