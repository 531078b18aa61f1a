extension [String] {
  /// The texts with a separator between them.
  ///
  /// The library's own is generic: what it looks up when it is first used takes as long as planning a clip.
  func joined(separator: String) -> String {
    var text = ""
    for (number, more) in enumerated() {
      if number > 0 { text += separator }
      text += more
    }
    return text
  }
}
