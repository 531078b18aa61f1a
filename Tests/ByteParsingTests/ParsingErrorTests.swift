import ByteParsing
import Testing

struct ParsingErrorTests {
  @Test func `malformed and unsupported are told apart`() {
    let malformed = ParsingError.malformed("m", at: 1)
    let unsupported = ParsingError.unsupported("m", at: 1)
    #expect(malformed.kind == .malformed)
    #expect(unsupported.kind == .unsupported)
    #expect(malformed != unsupported)
    #expect(malformed.message == "m")
    #expect(malformed.offset == 1)
  }

  @Test func `the boxes around an error are listed from the outside in`() {
    let error = ParsingError.malformed("m", at: 9).inside("stsz").inside("stbl").inside("minf")
    #expect(error.path == ["minf", "stbl", "stsz"])
    #expect(error.offset == 9)
    #expect(error.message == "m")
  }

  @Test func `an error without boxes has an empty path`() {
    #expect(ParsingError.unsupported("m", at: 0).path.isEmpty)
  }

  @Test func `errors with different boxes differ`() {
    let error = ParsingError.malformed("m", at: 9)
    #expect(error.inside("moov") != error)
    #expect(error.inside("moov") == error.inside("moov"))
  }
}
