import ByteParsing
import EnhancedAC3

/// What must hold of `dec3` and `dac3` payloads.
enum ConfigurationProperties {
  /// Where in the file the payload is said to lie: errors must name a byte of it.
  private static let origin = 1000

  static func check(_ input: [UInt8]) throws(Violation) {
    try checkEnhanced(input)
    try checkPlain(input)
  }

  private static func checkEnhanced(_ input: [UInt8]) throws(Violation) {
    let box: EC3SpecificBox
    do throws(ParsingError) {
      box = try EC3SpecificBox(parsing: input.rawBytes, origin: origin)
    } catch {
      try requireInside(error, input.count)
      return
    }
    let written = box.bytes
    try requireEqual(written.count, input.count, "bytes of dec3, written and read")
    try require((1...8).contains(box.independents.count), "\(box.independents.count) independent substreams")
    try require((0...0x1fff).contains(box.dataRate), "data_rate \(box.dataRate)")
    guard let again = try? EC3SpecificBox(parsing: written.rawBytes, origin: origin) else {
      throw Violation("dec3 \(written) was written and cannot be parsed")
    }
    try requireEqual(again, box, "dec3, written and parsed again")
    try requireEqual(again.bytes, written, "dec3, written twice")
    // Only reserved bits may be lost: the first two bytes and the tail have none.
    let substreams = box.independents.reduce(2) { $0 + ($1.dependentCount > 0 ? 4 : 3) }
    try requireEqual(written[..<2], input[..<2], "data_rate and num_ind_sub")
    try requireEqual(written[substreams...], input[substreams...], "the tail of dec3")
    if let complexity = box.objectComplexity {
      try requireEqual(written[substreams...].prefix(2), [1, UInt8(complexity.index)], "the tail of JOC")
      try require(!box.hasInvalidObjectSignalling, "dec3 signals JOC both rightly and wrongly")
    }
  }

  private static func checkPlain(_ input: [UInt8]) throws(Violation) {
    let box: AC3SpecificBox
    do throws(ParsingError) {
      box = try AC3SpecificBox(parsing: input.rawBytes, origin: origin)
    } catch {
      try requireInside(error, input.count)
      return
    }
    let written = box.bytes
    try requireEqual(written, [input[0], input[1], input[2] & 0xe0], "dac3 without its reserved bits")
    try requireEqual(try? AC3SpecificBox(parsing: written.rawBytes, origin: 0), box, "dac3, parsed again")
    try require(box.dataRate.map { $0 <= 640 } ?? true, "\(box.dataRate ?? 0) kbit/s")
  }

  private static func requireInside(_ error: ParsingError, _ count: Int) throws(Violation) {
    try require(
      (origin...origin + count).contains(error.offset),
      "an error at byte \(error.offset) of \(count): \(error)")
  }
}
