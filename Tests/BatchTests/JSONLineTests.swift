import TestSupport
import Testing

@testable import Batch

struct JSONLineTests {
  @Test func `what is written is JSON`() throws {
    var json = JSONLine()
    let text = "quote \" backslash \\ line\n tab\t nul\0 del\u{7f} é 😀 \u{2028}"
    json.line { json in
      json.member("text", text)
      json.member("smallest", Int.min)
      json.member("largest", Int.max)
      json.member("zero", 0)
      json.member("hex", hex: 0xab)
      json.object("empty") { _ in }
      json.object("inner") { $0.member("a", 1) }
      json.array("none", [Int]()) { _, _ in }
      json.array("some", [1, 2]) { json, number in json.member("n", number) }
      json.member("last", "")
    }
    json.line { $0.member("second", 2) }
    let lines = String(decoding: json.bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2)
    let first = try JSON(parsing: String(lines[0]))
    #expect(first["text"].description == text)
    #expect(first["smallest"].int == Int.min)
    #expect(first["largest"].int == Int.max)
    #expect(first["zero"].int == 0)
    #expect(first["hex"].description == "00000000000000ab")
    #expect(first["empty"].keys.isEmpty)
    #expect(first["inner"]["a"].int == 1)
    #expect(first["none"].array.isEmpty)
    #expect(first["some"].array.map { $0["n"].int } == [1, 2])
    #expect(first["last"].description.isEmpty)
    #expect(try JSON(parsing: String(lines[1]))["second"].int == 2)
  }
}
