import ByteParsing
import TestSupport
import Testing

struct RawSpanDifferenceTests {
  private func difference(_ mine: [UInt8], _ theirs: [UInt8]) -> Int? {
    mine.rawBytes.firstDifference(to: theirs.rawBytes)
  }

  @Test(arguments: [0, 1, 7, 8, 31, 32, 33, 63, 64, 65, 200])
  func `equal bytes have no difference`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    #expect(difference(bytes, bytes) == nil)
  }

  @Test(arguments: [1, 8, 31, 32, 33, 64, 100])
  func `the first of two differences is found wherever it is`(count: Int) {
    let bytes = [UInt8](repeating: 0x5a, count: count)
    for place in 0..<count {
      var other = bytes
      other[place] ^= 0x80
      other[count - 1] ^= 1
      #expect(difference(bytes, other) == place)
    }
  }

  @Test func `where one run ends is a difference`() {
    #expect(difference(hex("010203"), hex("0102")) == 2)
    #expect(difference([], hex("01")) == 0)
    #expect(difference(hex("0103"), hex("010203")) == 1)
  }
}
