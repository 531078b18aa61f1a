import ByteParsing

/// The checksum of syncframes: x^16 + x^15 + x^2 + 1, most significant bit first, starting from 0.
///
/// Over bytes 2 ..< N of a whole frame it is 0. Source: ATSC A/52, 7.10.1.
public enum CRC16 {
  static let polynomial: UInt16 = 0x8005

  private static let lanes = 16

  /// Entry `256 * k + b` is the checksum of byte `b` followed by `k` zero bytes.
  private static let table: [UInt16] = {
    var table = (0..<256).map { plain([UInt8($0)]) }
    for entry in 256..<256 * lanes {
      let before = table[entry - 256]
      table.append(before << 8 ^ table[Int(before >> 8)])
    }
    return table
  }()

  /// The checksum of all bytes, sixteen at a time.
  public static func checksum(_ bytes: RawSpan) -> UInt16 {
    let table = table.span
    precondition(table.count == 256 * lanes)
    var register: UInt16 = 0
    var position = 0
    while position + lanes <= bytes.byteCount {
      let high = bytes.bigEndian(UInt64.self, at: position)
      let low = bytes.bigEndian(UInt64.self, at: position + 8)
      // Only the first two bytes depend on the register: the others are looked up before it is known.
      // All indices are four bits and eight.
      var rest: UInt16 = 0
      for lane in 0..<8 {
        let shift = UInt64(8 * (7 - lane))
        unsafe rest ^= table[unchecked: (7 - lane) << 8 | Int(truncatingIfNeeded: low >> shift & 0xff)]
        guard lane > 1 else { continue }
        unsafe rest ^= table[unchecked: (15 - lane) << 8 | Int(truncatingIfNeeded: high >> shift & 0xff)]
      }
      let head = register ^ UInt16(truncatingIfNeeded: high >> 48)
      register =
        unsafe rest ^ table[unchecked: 15 << 8 | Int(head >> 8)]
        ^ table[unchecked: 14 << 8 | Int(head & 0xff)]
      position += lanes
    }
    while position < bytes.byteCount {
      register = register << 8 ^ table[Int(register >> 8) ^ Int(bytes.byte(at: position))]
      position += 1
    }
    return register
  }

  /// The checksum of all bytes, bit by bit: slow, and plainly right.
  static func plain(_ bytes: [UInt8]) -> UInt16 {
    var register: UInt16 = 0
    for byte in bytes {
      register ^= UInt16(byte) << 8
      for _ in 0..<8 {
        register = register & 0x8000 == 0 ? register << 1 : register << 1 ^ polynomial
      }
    }
    return register
  }
}
