import Foundation
import TestSupport
import Testing

/// An MP4 file of any length with JOC in it, each access unit different from all others and with a right checksum.
struct LongSource {
  static let unitByteCount = 320
  let path: String

  /// Writes the file into a folder; 3,000 units are a megabyte.
  init(units: Int, in folder: TemporaryFolder, as name: String = "long.mp4") throws {
    let stream = folder.file(name + ".ec3")
    let fixture = try Media.bytes("joc51.ec3")
    var bytes: [UInt8] = []
    bytes.reserveCapacity(units * Self.unitByteCount)
    for unit in 0..<units {
      let start = unit * Self.unitByteCount % fixture.count
      var copy = Array(fixture[start..<start + Self.unitByteCount])
      // Behind all that is looked at, and often enough that every block holds one.
      for place in [200, 300] {
        copy.replaceSubrange(place..<place + 8, with: bigEndian(UInt64(unit * 977 + place)))
      }
      Self.seal(&copy)
      bytes += copy
    }
    try Data(bytes).write(to: URL(fileURLWithPath: stream))
    path = folder.file(name)
    try kerfless(["mux", stream, "-o", path])
    try FileManager.default.removeItem(atPath: stream)
  }

  /// Sets crc2, the last two bytes: the remainder of all others but the sync word (ETSI TS 102 366, 6.1.7).
  private static func seal(_ unit: inout [UInt8]) {
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
