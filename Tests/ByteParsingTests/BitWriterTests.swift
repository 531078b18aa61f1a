import ByteParsing
import TestSupport
import Testing

struct BitWriterTests {
  @Test func `fields are put together most significant bit first`() {
    var bits = BitWriter()
    bits.put(448, 13)  // data_rate
    bits.put(0, 3)
    bits.put(0b00, 2)
    bits.put(16, 5)
    bits.put(false)
    #expect(bits.bytes == hex("0e00 20"))
  }

  @Test func `the last byte is padded with zeros`() {
    var bits = BitWriter()
    bits.put(true)
    #expect(bits.bytes == [0x80])
    bits.put(0b11, 2)
    #expect(bits.bytes == [0xe0])
    bits.put(0, 5)
    #expect(bits.bytes == [0xe0])
    bits.put(0, 0)
    #expect(bits.bytes == [0xe0])
  }

  @Test func `an empty writer has no bytes`() {
    #expect(BitWriter().bytes.isEmpty)
  }

  @Test func `only the low bits of a number are taken`() {
    var bits = BitWriter()
    bits.put(-1, 4)
    bits.put(0x1_2345, 12)
    bits.put(-1, 32)
    #expect(bits.bytes == hex("f345 ffffffff"))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `random fields are read back as they were written`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fields = (0..<300).map { _ in
      let width = Int.random(in: 0...32, using: &random)
      return (value: Int.random(in: 0..<1 << width, using: &random), width: width)
    }
    var writer = BitWriter()
    for field in fields { writer.put(field.value, field.width) }
    let bytes = writer.bytes
    #expect(bytes.count == (fields.reduce(0) { $0 + $1.width } + 7) / 8)
    var reader = BitReader(bytes.rawBytes, origin: 0)
    for (index, field) in fields.enumerated() {
      let value = try reader.read(field.width)
      #expect(value == field.value, "seed \(seed), field \(index)")
    }
  }
}
