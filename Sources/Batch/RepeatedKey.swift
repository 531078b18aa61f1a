/// Which key of a line is given twice, once it is known that one is.
enum RepeatedKey {
  /// The error to report for a line of valid JSON that has more members than its objects have keys.
  static func error(in line: borrowing Span<UInt8>) -> LineError {
    var objects: [Set<[UInt8]>] = []
    var text: [UInt8] = []
    var isInText = false
    var index = 0
    while index < line.count {
      let byte = line[index]
      switch byte {
      case UInt8(ascii: "\"") where !isInText:
        text = []
        isInText = true
      case UInt8(ascii: "\""):
        isInText = false
      case UInt8(ascii: "\\"):
        text += [byte, line[index + 1]]
        index += 1
      case _ where isInText:
        text.append(byte)
      case UInt8(ascii: "{"):
        objects.append([])
      case UInt8(ascii: "}"):
        objects.removeLast()
      case UInt8(ascii: ":"):
        if !objects[objects.count - 1].insert(text).inserted {
          return LineError(
            key: String(decoding: text, as: UTF8.self), column: index - text.count, "it is given twice")
        }
      default: break
      }
      index += 1
    }
    // The two are written differently, one with escapes.
    return LineError("a key is given twice")
  }
}
