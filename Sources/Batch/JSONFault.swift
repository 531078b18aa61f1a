import CJSON

/// Why json-c did not take a line, in words for whoever wrote it.
struct JSONFault {
  /// What json-c calls it.
  let code: json_tokener_error
  /// The byte at which json-c stopped.
  let offset: Int

  /// What to report for the line.
  func error(in line: borrowing Span<UInt8>) -> LineError {
    let start = firstOffset(in: line)
    guard start < line.count, line[start] == UInt8(ascii: "{") else {
      return LineError(column: start + 1, "it is no JSON object", advice: Self.oneObject)
    }
    return switch code {
    case json_tokener_continue, json_tokener_error_parse_eof:
      error(
        "the line ends too soon", "write all of a job in one line, and close its quotes and brackets")
    case json_tokener_error_depth:
      error(
        "there are more than \(JSONLineParser.maximumDepth) objects and arrays in each other",
        "a job has \"segments\" and the objects in it")
    case json_tokener_error_parse_null, json_tokener_error_parse_boolean,
      json_tokener_error_parse_utf8_string:
      word(in: line)
    case json_tokener_error_parse_number: number(in: line)
    case json_tokener_error_parse_array:
      error("a comma or a ] is missing", "write commas between values, and ] behind the last one")
    case json_tokener_error_parse_object_key_name:
      error("a key in double quotes is missing", "write keys as \"id\", with one comma between two members")
    case json_tokener_error_parse_object_key_sep:
      error("a colon is missing behind a key", "write members as \"id\":\"ep1-0001\"")
    case json_tokener_error_parse_object_value_sep:
      error(
        "a comma or a } is missing", "write commas between members, and a double quote inside a text as \\\"")
    case json_tokener_error_parse_string:
      error("there is no such escape", "write a backslash inside a text as \\\\")
    case json_tokener_error_parse_unexpected: unexpected(in: line)
    default: unreadable
    }
  }

  private var unreadable: LineError {
    error("it cannot be read from here on", "write one object as RFC 8259 has it a line")
  }

  /// A byte that no value starts with, or one behind the object, which the byte in front tells.
  private func unexpected(in line: borrowing Span<UInt8>) -> LineError {
    guard offset < line.count else { return unreadable }
    var index = offset - 1
    while index >= 0, line[index] == UInt8(ascii: " ") || line[index] == UInt8(ascii: "\t") { index -= 1 }
    guard index >= 0, ":,[".utf8.contains(line[index]) else {
      return error("something stands behind the object", "write one job a line, and nothing else")
    }
    switch line[offset] {
    case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","):
      return error("a value is missing", "leave out the comma or colon in front, or write what belongs there")
    case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"): return number(in: line)
    default: return word(in: line)
    }
  }

  static let oneObject = "write jobs as {\"id\":\"…\",\"source\":\"…\",\"output\":\"…\"}, one a line"

  private func word(in line: borrowing Span<UInt8>) -> LineError {
    error(
      "'\(token(in: line))' is no value",
      "write texts in double quotes, and true, false and null in small letters",
      at: tokenStart(in: line))
  }

  private func number(in line: borrowing Span<UInt8>) -> LineError {
    error(
      "'\(token(in: line))' is no number", "write it as 12.5, or in double quotes as \"02:03.5\"",
      at: tokenStart(in: line))
  }

  private func error(_ message: String, _ advice: String?, at place: Int? = nil) -> LineError {
    LineError(column: (place ?? offset) + 1, "it is no JSON: \(message)", advice: advice)
  }

  /// What stands around the byte up to what may stand between two values, shortened; a time may have colons in it.
  private func token(in line: borrowing Span<UInt8>) -> String {
    let start = tokenStart(in: line)
    var end = start
    while end < line.count, line[end] == UInt8(ascii: ":") || !Self.endsToken(line[end]) { end += 1 }
    var bytes: [UInt8] = []
    for index in start..<end { bytes.append(line[index]) }
    return String(String(decoding: bytes, as: UTF8.self).prefix(Self.shownCharacterCount))
  }

  private func firstOffset(in line: borrowing Span<UInt8>) -> Int {
    var start = 0
    while start < line.count, " \t\r".utf8.contains(line[start]) { start += 1 }
    return start
  }

  private func tokenStart(in line: borrowing Span<UInt8>) -> Int {
    var start = min(offset, line.count)
    while start > 0, !Self.endsToken(line[start - 1]) { start -= 1 }
    return start
  }

  private static let shownCharacterCount = 64

  private static func endsToken(_ byte: UInt8) -> Bool { " \t\r,:[]{}\"".utf8.contains(byte) }
}
