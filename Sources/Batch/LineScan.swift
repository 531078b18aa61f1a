/// What json-c lets pass and a manifest must not hold: control characters, repeated keys, single quotes, halves of surrogate
/// pairs, UTF-8 that is not the shortest, and more values than any job needs.
struct LineScan {
  /// Values in a line, at the most. json-c takes up to 800 bytes for each; a segment with all its members is six of them, so
  /// this is a join of 10,000 segments.
  static let maximumValueCount = 65_536

  /// Members of all objects in the line.
  private(set) var memberCount = 0

  /// Looks at each byte once.
  ///
  /// Throws at the first thing that must not be there.
  init(_ line: borrowing Span<UInt8>) throws(LineError) {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: copy line)
    } catch {
      throw LineError(
        column: error.byteOffsets.lowerBound + 1, "it is no valid UTF-8",
        advice: "write the manifest in UTF-8; a path that is none cannot be in it")
    }
    var isInText = false
    var valueCount = 0
    var index = 0
    while index < line.count {
      let byte = line[index]
      switch byte {
      case UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        if isInText { throw Self.control(byte, index) }
      case 0..<0x20, 0x7f:
        throw Self.control(byte, index)
      case UInt8(ascii: "\""):
        isInText.toggle()
      case UInt8(ascii: "'") where !isInText:
        throw LineError(
          column: index + 1, "it is no JSON: a text stands in single quotes",
          advice: "write texts in double quotes")
      case UInt8(ascii: "\\"):
        index += try Self.escapeLength(line, at: index)
        continue
      case UInt8(ascii: ":") where !isInText:
        memberCount += 1
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ","):
        if isInText { break }
        valueCount += 1
        guard valueCount <= Self.maximumValueCount else {
          throw LineError(column: index + 1, "it holds more than \(Self.maximumValueCount) values")
        }
      default: break
      }
      index += 1
    }
  }

  /// Bytes of an escape, of two for a surrogate pair.
  private static func escapeLength(_ line: borrowing Span<UInt8>, at index: Int) throws(LineError) -> Int {
    guard let unit = utf16Unit(line, at: index) else { return 2 }
    if unit == 0 { throw LineError(column: index + 1, "a text holds a zero") }
    guard unit & 0xf800 == 0xd800 else { return 6 }
    guard unit < 0xdc00, let low = utf16Unit(line, at: index + 6), low & 0xfc00 == 0xdc00 else {
      throw LineError(column: index + 1, "half of a surrogate pair stands alone")
    }
    return 12
  }

  /// The number in `\u1234`; nil where there is no such escape.
  private static func utf16Unit(_ line: borrowing Span<UInt8>, at index: Int) -> UInt16? {
    guard index + 6 <= line.count, line[index] == UInt8(ascii: "\\"), line[index + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt16 = 0
    for place in index + 2..<index + 6 {
      guard let digit = Character(UnicodeScalar(line[place])).hexDigitValue else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  private static func control(_ byte: UInt8, _ index: Int) -> LineError {
    LineError(
      column: index + 1, byte == 0 ? "there is a zero byte" : "there is a control character",
      advice: byte == 0
        ? "write the manifest in UTF-8" : "leave it out, or write it as \\u00 and two hexadecimal digits")
  }
}
