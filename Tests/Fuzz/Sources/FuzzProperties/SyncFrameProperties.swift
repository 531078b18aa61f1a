import ByteParsing
import EnhancedAC3

/// What must hold of syncframes, access units and the walk over a stream of them.
enum SyncFrameProperties {
  static func check(_ input: [UInt8]) throws(Violation) {
    try checkFrame(input)
    try checkUnit(input, 0..<input.count)
    try checkChecksum(input)
    try checkSwapping(input)
    for byteOrder in [ByteOrder.bigEndian, .littleEndian] { try checkWalk(input, byteOrder) }
  }

  private static func checkFrame(_ input: [UInt8]) throws(Violation) {
    let frame: SyncFrame
    do throws(ParsingError) {
      frame = try SyncFrame(parsing: input.rawBytes, origin: 0)
    } catch {
      try requireInside(error, input.count)
      return
    }
    let outline = frame.outline
    try require((6...4096).contains(outline.byteCount), "a syncframe of \(outline.byteCount) bytes")
    try require(outline.byteCount % 2 == 0, "a syncframe of \(outline.byteCount) bytes")
    try require([1, 2, 3, 6].contains(outline.blocks), "\(outline.blocks) blocks")
    try require((8000...48000).contains(outline.sampleRate), "\(outline.sampleRate) Hz")
    try require((1...6).contains(frame.channelCount), "\(frame.channelCount) channels")
    try require((0...31).contains(frame.dialogueNormalization), "dialnorm \(frame.dialogueNormalization)")
    // What lies behind the frame is no part of it.
    let alone = Array(input.prefix(outline.byteCount))
    try requireEqual(try? SyncFrame(parsing: alone.rawBytes, origin: 0), frame, "a frame alone")
    try requireEqual(
      try? SyncFrameOutline(parsing: Array(input.prefix(6)).rawBytes, origin: 0), outline, "a frame's outline"
    )
  }

  /// Parses a range of the input as one access unit; returns it where it is one.
  @discardableResult
  private static func checkUnit(_ input: [UInt8], _ range: Range<Int>) throws(Violation) -> AccessUnit? {
    let bytes = input.rawBytes.extracting(range)
    let unit: AccessUnit
    do throws(ParsingError) {
      unit = try AccessUnit(parsing: bytes, origin: range.lowerBound)
    } catch {
      try requireInside(error, range)
      return nil
    }
    let total = unit.substreamByteCounts.reduce(unit.paddingByteCount, +)
    try requireEqual(total, range.count, "bytes of an access unit's substreams, and its own")
    try require(unit.paddingByteCount >= 0, "\(unit.paddingByteCount) bytes of padding")
    let count = unit.format.substreams.count
    try requireEqual(unit.substreamByteCounts.count, count, "substreams")
    try requireEqual(unit.dialogueNormalizations.count, count, "dialnorms and substreams")
    try requireEqual(unit.bitstreamModes.count, count, "bsmods and substreams")
    try requireEqual(
      unit.syncFrameCount * unit.format.blocksPerSyncFrame, AccessUnit.blocks * count, "blocks of all frames")
    try requireEqual(unit.format.main.independent.name.description, "I0", "the first substream")
    try checkConfiguration(of: unit, range.count)
    let bad: Int?
    do throws(ParsingError) {
      bad = try AccessUnit.firstBadChecksum(in: bytes, origin: range.lowerBound)
    } catch {
      throw Violation("an access unit parses and is no chain of frames: \(error)")
    }
    try require(bad.map(range.contains) ?? true, "a wrong checksum at byte \(bad ?? 0) of \(range)")
    return unit
  }

  /// A box that is made from a unit says what the unit does.
  private static func checkConfiguration(of unit: AccessUnit, _ byteCount: Int) throws(Violation) {
    let layout = ChannelLayout(unit.format.main)
    try require((1...22).contains(layout.channelCount), "\(layout.channelCount) channels: \(layout.name)")
    let box = EC3SpecificBox(describing: unit, dataRate: byteCount, complexity: unit.objects?.complexity)
    guard let parsed = try? EC3SpecificBox(parsing: box.bytes.rawBytes, origin: 0) else {
      throw Violation("the dec3 made for a unit cannot be parsed: \(box.bytes)")
    }
    try requireEqual(parsed, box, "the dec3 made for a unit")
    try requireEqual(parsed.objectComplexity, unit.objects?.complexity, "complexity in dec3 and unit")
    try requireEqual(parsed.independents.count, unit.format.programmes.count, "programmes in dec3 and unit")
    let plain = AC3SpecificBox(describing: unit)
    try requireEqual(
      try? AC3SpecificBox(parsing: plain.bytes.rawBytes, origin: 0), plain, "the dac3 made for a unit")
  }

  private static func checkWalk(_ input: [UInt8], _ byteOrder: ByteOrder) throws(Violation) {
    var walker = AccessUnitWalker(input.rawBytes, from: 0, byteOrder: byteOrder)
    var end = 0
    while true {
      let unit: AccessUnitWalker.Unit?
      do throws(ParsingError) {
        unit = try walker.next()
      } catch {
        try requireInside(error, input.count)
        break
      }
      guard let unit else { break }
      try requireEqual(unit.offset, end, "where an access unit starts, and where the one in front ends")
      try require(unit.byteCount > 6, "an access unit of \(unit.byteCount) bytes")
      end += unit.byteCount
      try requireEqual(walker.position, end, "the walker's position and the end of its unit")
      try require(end <= input.count, "an access unit ends at byte \(end) of \(input.count)")
      guard byteOrder == .bigEndian else {
        try require(unit.byteCount % 2 == 0, "an access unit of \(unit.byteCount) bytes in swapped words")
        continue
      }
      if let parsed = try checkUnit(input, unit.offset..<end) {
        try requireEqual(parsed.syncFrameCount, unit.syncFrameCount, "syncframes, walked and parsed")
      }
    }
    try require(walker.position <= input.count, "the walker stands at byte \(walker.position)")
  }

  private static func checkChecksum(_ input: [UInt8]) throws(Violation) {
    var register: UInt16 = 0
    for byte in input {
      register ^= UInt16(byte) << 8
      for _ in 0..<8 { register = register << 1 ^ (register & 0x8000 == 0 ? 0 : 0x8005) }
    }
    try requireEqual(CRC16.checksum(input.rawBytes), register, "the checksum, fast and plain")
    let whole = input + [UInt8(register >> 8), UInt8(register & 0xff)]
    try requireEqual(CRC16.checksum(whole.rawBytes), 0, "the checksum with itself behind")
  }

  private static func checkSwapping(_ input: [UInt8]) throws(Violation) {
    let swapped = input.rawBytes.swappingPairs()
    try requireEqual(swapped.rawBytes.swappingPairs(), input, "the bytes swapped twice")
  }

  private static func requireInside(_ error: ParsingError, _ count: Int) throws(Violation) {
    try requireInside(error, 0..<count)
  }

  private static func requireInside(_ error: ParsingError, _ range: Range<Int>) throws(Violation) {
    try require(
      (range.lowerBound...range.upperBound).contains(error.offset),
      "an error at byte \(error.offset) of \(range): \(error.message)")
  }
}
