import Foundation

/// Access units of Dolby Digital Plus with JOC, each different from all others and with a right checksum.
///
/// They are those of a fixture, with their number in bytes that nothing looks at.
enum AccessUnits {
  /// Writes an elementary stream.
  static func write(_ count: Int, to path: String) throws {
    let fixturePath = Programs.root + "/Tests/Media/joc51.ec3"
    guard let fixture = FileManager.default.contents(atPath: fixturePath) else {
      throw BenchError("\(fixturePath) cannot be read", advice: "run it from the repository's own build")
    }
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw BenchError("\(path) cannot be made") }
    let source = [UInt8](fixture)
    let size = SourceMedia.unitByteCount
    for first in stride(from: 0, to: count, by: 4096) {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(4096 * size)
      for unit in first..<min(first + 4096, count) {
        let start = unit * size % source.count
        bytes += number(Array(source[start..<start + size]), unit)
      }
      try file.write(contentsOf: Data(bytes))
    }
    try file.close()
  }

  /// The unit with its number in two places, so that every block of a disk holds one.
  private static func number(_ unit: [UInt8], _ number: Int) -> [UInt8] {
    var unit = unit
    for place in [200, 300] {
      for byte in 0..<8 {
        unit[place + byte] = UInt8(truncatingIfNeeded: (number * 977 + place) >> (8 * byte))
      }
    }
    seal(&unit)
    return unit
  }

  /// Sets crc2, the last two bytes: the remainder of all others but the sync word (ETSI TS 102 366, 6.1.7).
  private static func seal(_ unit: inout [UInt8]) {
    // Of hundreds of thousands, also in debug builds.
    unit.withUnsafeMutableBufferPointer { unit in
      var register: UInt16 = 0
      for index in 2..<unit.count - 2 {
        register = register << 8 ^ remainders[Int(register >> 8) ^ Int(unit[index])]
      }
      unit[unit.count - 2] = UInt8(register >> 8)
      unit[unit.count - 1] = UInt8(register & 0xff)
    }
  }

  /// Of one byte in front of sixteen zero bits, divided by x^16 + x^15 + x^2 + 1.
  private static let remainders: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte) << 8) { value, _ in value & 0x8000 != 0 ? value << 1 ^ 0x8005 : value << 1 }
  }
}
