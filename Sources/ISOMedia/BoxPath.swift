public import ByteParsing

extension RawSpan {
  /// The boxes on the way from a box down to a descendant, both included; nil when there is no such descendant.
  ///
  /// Of several boxes of one type in a container the last counts, as when a movie is parsed.
  public func chain(from box: Box, to path: [FourCC]) -> [Box]? {
    guard let type = path.first else { return [box] }
    var found: Box?
    let start = box.type == "stsd" ? box.payload.lowerBound + 8 : box.payload.lowerBound
    guard start <= box.payload.upperBound else { return nil }
    try? forEachBox(in: start..<box.payload.upperBound) { (child) throws(ParsingError) in
      if child.type == type { found = child }
    }
    guard let found, let rest = chain(from: found, to: Array(path.dropFirst())) else { return nil }
    return [box] + rest
  }
}
