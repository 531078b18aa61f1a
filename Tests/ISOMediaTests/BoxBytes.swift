import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

/// A full box (ISO/IEC 14496-12, 4.2), written without the code under test.
func fullBox(_ type: String, version: UInt8 = 0, flags: UInt32 = 0, _ payload: [UInt8]...) -> [UInt8] {
  box(type, bigEndian(UInt32(version) << 24 | flags), payload.flatMap { $0 })
}

/// Big-endian 32-bit numbers.
func words(_ numbers: UInt32...) -> [UInt8] {
  numbers.flatMap { bigEndian($0) }
}

/// A full box that is a count of rows and the rows, each of 32-bit numbers.
func tableBox(_ type: String, _ rows: [[UInt32]], count: UInt32? = nil) -> [UInt8] {
  fullBox(type, bigEndian(count ?? UInt32(rows.count)), rows.flatMap { $0.flatMap { bigEndian($0) } })
}

/// The matrix that changes nothing.
let unityMatrix = words(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000)

/// Zero bytes.
func zeros(_ count: Int) -> [UInt8] {
  [UInt8](repeating: 0, count: count)
}

/// The boxes that fill `bytes` side by side.
func boxes(in bytes: [UInt8]) throws -> [Box] {
  var found: [Box] = []
  try bytes.rawBytes.forEachBox(in: 0..<bytes.count) { found.append($0) }
  return found
}

/// The box that fills `bytes`, or the first box inside it after a path of types.
func onlyBox(in bytes: [UInt8], inside path: FourCC...) throws -> Box {
  var found = try #require(try boxes(in: bytes).first)
  try #require(found.payload.upperBound == bytes.count)
  for type in path {
    var child: Box?
    try bytes.rawBytes.forEachBox(in: found.payload) { if $0.type == type { child = child ?? $0 } }
    found = try #require(child)
  }
  return found
}

/// What `body` makes of the payload of the one box in `bytes`.
func parse<Part>(_ bytes: [UInt8], _ body: (inout ByteCursor) throws -> Part) throws -> Part {
  let box = try onlyBox(in: bytes)
  var cursor = bytes.rawBytes.cursor(box.payload)
  return try body(&cursor)
}

/// The error that parsing the payload of the one box in `bytes` ends with.
func errorParsing<Part>(
  _ bytes: [UInt8], _ body: (inout ByteCursor) throws -> Part,
  sourceLocation: SourceLocation = #_sourceLocation
) -> ParsingError? {
  #expect(throws: ParsingError.self, sourceLocation: sourceLocation) { _ = try parse(bytes, body) }
}

/// Writes a part, compares the bytes with those that the standard asks for, and parses them back.
func expectRoundTrip<Part: Equatable>(
  _ part: Part, as expected: [UInt8], write: (Part) -> (inout BoxWriter) -> Void,
  parse body: (Box, [UInt8]) throws -> Part, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  var writer = BoxWriter()
  write(part)(&writer)
  #expect(writer.writer.bytes == expected, sourceLocation: sourceLocation)
  let parsed = try body(try onlyBox(in: expected), expected)
  #expect(parsed == part, sourceLocation: sourceLocation)
}

/// The same for a box whose payload is read with one cursor.
func expectRoundTrip<Part: Equatable>(
  _ part: Part, as expected: [UInt8], write: (Part) -> (inout BoxWriter) -> Void,
  parsing body: (inout ByteCursor) throws -> Part, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try expectRoundTrip(
    part, as: expected, write: write, parse: { _, bytes in try parse(bytes, body) },
    sourceLocation: sourceLocation)
}
