/// What somebody may have meant who wrote a name that does not exist.
enum Suggestion {
  /// "is it trim?", or nil when nothing is near.
  static func text(for word: String, among names: [String]) -> String? {
    let near = names.map { (name: $0, distance: distance(Array(word.utf8), Array($0.utf8))) }
      .filter { $0.distance <= 2 || !word.isEmpty && $0.name.hasPrefix(word) }
      .min { $0.distance < $1.distance }
    return near.map { "is it \($0.name)?" }
  }

  /// How many letters must be inserted, deleted, replaced or exchanged with their neighbour.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    // Long words are no typing errors of short names.
    guard a.count < 64 else { return a.count }
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(row[j], rows[i][j + 1]) + 1
        best = min(best, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
