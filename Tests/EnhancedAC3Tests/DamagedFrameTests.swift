import ByteParsing
import TestSupport
import Testing

@testable import EnhancedAC3

/// Reads bytes in every way there is, so that a wrong answer's trap is met; errors are fine.
private func interrogate(_ bytes: [UInt8]) {
  let span = bytes.rawBytes
  _ = try? SyncFrame(parsing: span, origin: 0).channelCount
  if let unit = try? AccessUnit(parsing: span, origin: 0) {
    _ = EC3SpecificBox(describing: unit, dataRate: 448, complexity: unit.objects?.complexity).bytes
    _ = AC3SpecificBox(describing: unit).dataRate
    _ = unit.format.programmes.map { ChannelLayout($0).name }
    _ = unit.format.difference(to: unit.format)
  }
  _ = try? AccessUnit.firstBadChecksum(in: span, origin: 0)
  _ = try? walk(bytes)
  _ = try? walk(bytes, .littleEndian)
  if let box = try? EC3SpecificBox(parsing: span, origin: 0) { _ = box.bytes }
  if let box = try? AC3SpecificBox(parsing: span, origin: 0) { _ = box.bytes }
}

struct DamagedFrameTests {
  @Test(arguments: StreamFixture.all) func `every prefix of an access unit ends in a result or an error`(
    stream: StreamFixture
  ) throws {
    let unit = try stream.firstUnit()
    // The bytes end where the array does, so that a read behind it would trap.
    for count in 0...unit.count { interrogate(Array(unit[..<count])) }
  }

  @Test(arguments: StreamFixture.all) func `random damage to a header ends in a result or an error`(
    stream: StreamFixture
  ) throws {
    let unit = try stream.firstUnit()
    for seed in 0..<400 {
      // A seed a round, so that one that traps can be run alone.
      var random = SeededGenerator(seed: UInt64(seed))
      var bytes = unit
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        // Headers of the first frame, where most bits have a meaning
        let place = Int.random(in: 2..<30, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      interrogate(bytes)
    }
  }

  @Test(arguments: 0..<40) func `a sync word and then anything ends in a result or an error`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<50 {
      let count = Int.random(in: 0...90, using: &random)
      let bytes = [0x0b, 0x77] + (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      interrogate(bytes)
      // The same with a legal bsid and a size that the bytes hold
      guard bytes.count > 8 else { continue }
      var legal = bytes
      legal[2] &= 0xf8
      legal[3] = UInt8(bytes.count / 2 - 1)
      legal[5] = 0x80 | bytes[5] & 7
      interrogate(legal)
    }
  }

  @Test(arguments: 0..<40) func `any payload of dec3 ends in a result or an error`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for count in 0...60 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      guard let box = try? EC3SpecificBox(parsing: bytes.rawBytes, origin: 0) else { continue }
      // What is read is written as bytes that are read the same.
      let again = try EC3SpecificBox(parsing: box.bytes.rawBytes, origin: 0)
      #expect(again == box, "seed \(seed), \(count) bytes")
    }
  }
}
