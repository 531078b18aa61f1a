import CJSON

/// An object that json-c has parsed, or one inside it.
@safe struct JSONObject: ~Copyable {
  private let tree: OpaquePointer

  /// Takes over a reference.
  @unsafe init(owning tree: OpaquePointer) {
    unsafe self.tree = tree
  }

  deinit {
    unsafe _ = json_object_put(tree)
  }

  var count: Int { unsafe Int(json_object_object_length(tree)) }

  /// Hands out each member in order.
  func forEachMember(
    _ body: (String, borrowing JSONMember) throws(LineError) -> Void
  ) throws(LineError) {
    // Keys and values belong to the tree, which outlives the loop.
    var iterator = unsafe json_object_iter_begin(tree)
    var end = unsafe json_object_iter_end(tree)
    while unsafe json_object_iter_equal(&iterator, &end) == 0 {
      let key = unsafe String(cString: json_object_iter_peek_name(&iterator))
      let member = unsafe JSONMember(key: key, value: json_object_iter_peek_value(&iterator))
      try body(key, member)
      unsafe json_object_iter_next(&iterator)
    }
  }
}

/// A member of an object: its key, and a value that is asked for as what it must be.
@safe struct JSONMember: ~Copyable {
  let key: String
  private let value: OpaquePointer?

  /// Borrows a value; it must not outlive the object.
  @unsafe init(key: String, value: OpaquePointer?) {
    self.key = key
    unsafe self.value = value
  }

  /// A text; the one that it is likely to be, where it is that.
  func text(likely known: String? = nil) throws(LineError) -> String {
    guard unsafe json_object_is_type(value, json_type_string) != 0 else { throw expected("a text") }
    // The bytes belong to the tree and are copied; json-c has validated them.
    let bytes = unsafe UnsafeRawBufferPointer(
      start: json_object_get_string(value), count: Int(json_object_get_string_len(value)))
    if let known, unsafe bytes.elementsEqual(known.utf8) { return known }
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// A text or a number, as it is written in the line but for an exponent and the sign of a zero.
  func textOrNumber() throws(LineError) -> String {
    if unsafe json_object_is_type(value, json_type_string) != 0 { return try text() }
    let isWhole = unsafe json_object_is_type(value, json_type_int) != 0
    guard unsafe isWhole || json_object_is_type(value, json_type_double) != 0,
      let digits = unsafe json_object_get_string(value)
    else { throw expected("a text or a number") }
    // json-c keeps the digits of a number with a point or an exponent. A whole number has no other spelling, but one that
    // is too large becomes the largest.
    guard unsafe !isWhole || json_object_get_uint64(value) < .max && json_object_get_int64(value) > .min
    else { throw LineError(key: key, "the number is too large, it is no time") }
    let number = unsafe String(cString: digits)
    let unsigned = number.isNegativeZero ? String(number.dropFirst()) : number
    return unsigned.withoutExponent ?? unsigned
  }

  /// A whole number that is not negative.
  func number() throws(LineError) -> UInt32 {
    guard unsafe json_object_is_type(value, json_type_int) != 0,
      let number = unsafe UInt32(exactly: json_object_get_int64(value))
    else { throw expected("a whole number from 0 to \(UInt32.max)") }
    return number
  }

  /// A whole number that is not negative and fits.
  func size() throws(LineError) -> Int {
    guard unsafe json_object_is_type(value, json_type_int) != 0,
      let number = unsafe Int(exactly: json_object_get_int64(value)), number >= 0
    else { throw expected("a whole number") }
    return number
  }

  /// A text of hexadecimal digits.
  func hexadecimal() throws(LineError) -> UInt64 {
    guard let number = UInt64(try text(), radix: 16) else { throw expected("hexadecimal digits") }
    return number
  }

  /// An object.
  func object() throws(LineError) -> JSONObject {
    guard unsafe json_object_is_type(value, json_type_object) != 0, let value = unsafe value else {
      throw expected("an object")
    }
    // A reference of its own, which the object gives back.
    return unsafe JSONObject(owning: json_object_get(value))
  }

  /// True or false.
  func flag() throws(LineError) -> Bool {
    guard unsafe json_object_is_type(value, json_type_boolean) != 0 else { throw expected("true or false") }
    return unsafe json_object_get_boolean(value) != 0
  }

  /// Each element of an array of objects.
  func forEachObject(_ body: (borrowing JSONObject) throws(LineError) -> Void) throws(LineError) {
    guard unsafe json_object_is_type(value, json_type_array) != 0 else {
      throw expected("an array of objects")
    }
    let count = unsafe json_object_array_length(value)
    for index in 0..<count {
      guard let element = unsafe json_object_array_get_idx(value, index),
        unsafe json_object_is_type(element, json_type_object) != 0
      else { throw expected("an array of objects") }
      // A reference of its own, which the object gives back.
      try body(unsafe JSONObject(owning: json_object_get(element)))
    }
  }

  /// That the value is something else.
  func expected(_ what: String) -> LineError { LineError(key: key, "it must be \(what)") }
}
