import Remuxing

/// The lines of a manifest, one after the other, in memory that does not grow with it.
struct LineReader: ~Copyable {
  /// Longer lines are passed over: no job is that long.
  static let maximumLineByteCount = 1 << 20

  /// What some programs put in front of UTF-8, which is no part of the first line.
  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  /// The number of the line, from 1.
  private(set) var number: Int
  /// Whether the line is too long to be kept; it is empty then.
  private(set) var isTooLong = false
  private var source: ManifestBytes
  private var fill = [UInt8](repeating: 0, count: ManifestBytes.bufferByteCount)
  private var text: [UInt8] = []
  private var line = 0..<0
  /// Where the text behind the line starts.
  private var position = 0
  private var isFinished = false

  /// Starts in front of a first line, which has the number 1 where the manifest is read whole.
  init(_ source: consuming ManifestBytes, firstNumber: Int = 1) {
    self.source = source
    number = firstNumber - 1
  }

  /// Bytes of the file up to here: to the end of the line, or of the packed bytes that have been read.
  var bytesTaken: Int { source.isPacked ? source.bytesRead : source.bytesTaken - (text.count - position) }

  /// The line without its end.
  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { text.span.extracting(line) }
  }

  /// Goes on to the next line; false when there is none.
  ///
  /// Throws when the manifest cannot be read or decoded.
  mutating func next() throws(Failure) -> Bool {
    isTooLong = false
    var searched = position
    while true {
      if let newline = text.firstNewline(from: searched) {
        take(position..<newline)
        position = newline + 1
        return true
      }
      if isFinished {
        guard position < text.count || isTooLong else { return false }
        take(position..<text.count)
        position = text.count
        return true
      }
      if text.count - position > Self.maximumLineByteCount { isTooLong = true }
      // What lies in front of the unfinished line, or all of a line that is too long, is not needed any more.
      text.removeFirst(isTooLong ? text.count : position)
      position = 0
      searched = text.count
      try readOn()
    }
  }

  /// Passes over all lines that are left.
  mutating func skipRest() throws(Failure) {
    while try source.read(into: &fill) > 0 {}
  }

  private mutating func take(_ range: Range<Int>) {
    line = isTooLong ? range.upperBound..<range.upperBound : range
    if number == 0, text[line].starts(with: Self.byteOrderMark) {
      line = line.lowerBound + Self.byteOrderMark.count..<line.upperBound
    }
    number += 1
  }

  private mutating func readOn() throws(Failure) {
    let count = try source.read(into: &fill)
    text.append(contentsOf: fill[..<count])
    isFinished = count == 0
  }
}

extension [UInt8] {
  /// The first line feed at or behind an index.
  fileprivate func firstNewline(from start: Int) -> Int? {
    let bytes = span
    for index in start..<count where bytes[index] == UInt8(ascii: "\n") { return index }
    return nil
  }
}
