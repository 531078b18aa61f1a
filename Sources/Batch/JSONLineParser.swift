import CJSON

/// Parses lines of JSON with json-c, strictly, one after the other.
@safe final class JSONLineParser {
  /// Objects in objects in objects are no jobs.
  static let maximumDepth: Int32 = 8

  private let tokener: UnsafeMutablePointer<json_tokener>

  /// Nil when there is no memory for it.
  init?() {
    guard let tokener = unsafe json_tokener_new_ex(Self.maximumDepth) else { return nil }
    unsafe json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8)
    unsafe self.tokener = tokener
  }

  deinit {
    unsafe json_tokener_free(tokener)
  }

  /// Parses one line that must hold one object and nothing else.
  func object(_ line: borrowing Span<UInt8>) throws(LineError) -> JSONObject {
    unsafe json_tokener_reset(tokener)
    // json-c reads at most the count that it is given. The tree it returns is owned by the result.
    let tree = unsafe line.withUnsafeBufferPointer { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) {
        unsafe json_tokener_parse_ex(tokener, $0.baseAddress, Int32(clamping: $0.count))
      }
    }
    let error = unsafe json_tokener_get_error(tokener)
    let end = unsafe json_tokener_get_parse_end(tokener)
    guard error == json_tokener_success else {
      unsafe _ = json_object_put(tree)
      throw JSONFault(code: error, offset: min(end, line.count)).error(in: line)
    }
    guard let tree = unsafe tree, unsafe json_object_is_type(tree, json_type_object) != 0 else {
      unsafe _ = json_object_put(tree)
      throw LineError("it is no JSON object", advice: JSONFault.oneObject)
    }
    return unsafe JSONObject(owning: tree)
  }
}
