import CJSON

/// A JSON value, written by json-c.
indirect enum JSONValue {
  case null
  case bool(Bool)
  case number(Int)
  case string(String)
  case array([JSONValue])
  /// Members in the order in which they are written.
  case object([(String, JSONValue)])

  static func optional(_ number: Int?) -> JSONValue { number.map { .number($0) } ?? .null }
  static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// One line, without spaces.
  var text: String {
    let root = unsafe makeObject()
    defer { unsafe _ = json_object_put(root) }
    let flags = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE
    // The text belongs to the object, which is released after the copy.
    guard let text = unsafe json_object_to_json_string_ext(root, flags) else { return "null" }
    return unsafe String(cString: text)
  }

  /// The value as an object of json-c, which the caller owns. JSON's null is a null pointer there.
  private func makeObject() -> OpaquePointer? {
    switch self {
    case .null:
      return nil
    case .bool(let value):
      return unsafe json_object_new_boolean(value ? 1 : 0)
    case .number(let value):
      return unsafe json_object_new_int64(Int64(value))
    case .string(let value):
      return unsafe json_object_new_string_len(value, Int32(clamping: value.utf8.count))
    case .array(let values):
      let array = unsafe json_object_new_array()
      // The array takes over each element.
      for value in values { unsafe _ = json_object_array_add(array, value.makeObject()) }
      return unsafe array
    case .object(let members):
      let object = unsafe json_object_new_object()
      // The object takes over each value and copies each key.
      for (key, value) in members { unsafe _ = json_object_object_add(object, key, value.makeObject()) }
      return unsafe object
    }
  }
}
