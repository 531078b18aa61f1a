import ByteParsing
import TestSupport
import Testing

struct ByteWriterTests {
  @Test func `numbers of every width are written big-endian`() {
    var writer = ByteWriter()
    writer.put(UInt8(0x01))
    writer.put(UInt16(0x0203))
    writer.put(UInt32(0x0405_0607))
    writer.put(UInt64(0x0809_0a0b_0c0d_0e0f))
    writer.put(Int8(-1))
    writer.put(Int16(-2))
    writer.put(Int32(-3))
    writer.put(Int64(-4))
    #expect(
      writer.bytes == hex("01 0203 04050607 08090a0b0c0d0e0f ff fffe fffffffd fffffffffffffffc"))
    #expect(writer.count == 30)
  }

  @Test func `codes, bytes and zeros are written as they are`() {
    let span = hex("aabb")
    var writer = ByteWriter()
    writer.reserve(100)
    writer.put("dec3" as FourCC)
    writer.put(bytes: [1, 2])
    writer.put(bytes: span.rawBytes)
    writer.putZeros(3)
    writer.putZeros(0)
    #expect(writer.bytes == hex("64656333 0102 aabb 000000"))
  }

  @Test func `a number that was written is overwritten in place`() {
    var writer = ByteWriter()
    writer.putZeros(4)
    writer.put("moov" as FourCC)
    writer.patch(UInt32(0x0102_0304), at: 0)
    writer.patch(UInt8(0xff), at: 7)
    writer.patch(Int16(-2), at: 4)
    #expect(writer.bytes == hex("01020304 fffe 6fff"))
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `random numbers are read back as they were written`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let numbers = (0..<100).map { _ in random.next() }
    var writer = ByteWriter()
    for (index, number) in numbers.enumerated() {
      switch index % 4 {
      case 0: writer.put(UInt8(truncatingIfNeeded: number))
      case 1: writer.put(UInt16(truncatingIfNeeded: number))
      case 2: writer.put(UInt32(truncatingIfNeeded: number))
      default: writer.put(number)
      }
    }
    let bytes = writer.bytes
    var cursor = ByteCursor(bytes.rawBytes, origin: 0)
    for (index, number) in numbers.enumerated() {
      let (read, written): (UInt64, UInt64) =
        switch index % 4 {
        case 0: (UInt64(try cursor.read(UInt8.self)), number & 0xff)
        case 1: (UInt64(try cursor.read(UInt16.self)), number & 0xffff)
        case 2: (UInt64(try cursor.read(UInt32.self)), number & 0xffff_ffff)
        default: (try cursor.read(), number)
        }
      #expect(read == written, "seed \(seed), number \(index)")
    }
    let left = cursor.remaining
    #expect(left == 0)
  }
}
