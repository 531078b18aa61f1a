import Foundation

/// Just enough of ISO/IEC 14496-12 to rearrange a file of our own.
enum MovieBoxes {
  /// A box: its type and all its bytes.
  struct Place {
    let type: String
    let range: Range<Int>
  }

  /// The boxes in a range, 64-bit sizes among them.
  static func list(_ bytes: Data, _ range: Range<Int>) -> [Place] {
    var places: [Place] = []
    var at = range.lowerBound
    while at + 8 <= range.upperBound {
      var size = number(bytes, at, 4)
      if size == 1 { size = number(bytes, at + 8, 8) }
      guard size >= 8 else { break }
      places.append(
        Place(type: String(decoding: bytes[at + 4..<at + 8], as: UTF8.self), range: at..<at + size))
      at += size
    }
    return places
  }

  /// A box with some of those inside it replaced, at any depth.
  static func replacing(_ bytes: Data, _ range: Range<Int>, with replacement: (String) -> Data?) -> Data {
    let containers: Set = ["moov", "trak", "mdia", "minf", "stbl"]
    let type = String(decoding: bytes[range.lowerBound + 4..<range.lowerBound + 8], as: UTF8.self)
    if let replaced = replacement(type) { return replaced }
    guard containers.contains(type) else { return bytes[range] }
    var content = Data()
    for place in list(bytes, range.lowerBound + 8..<range.upperBound) {
      content += replacing(bytes, place.range, with: replacement)
    }
    return box(type, content)
  }

  static func box(_ type: String, _ content: Data) -> Data {
    words(8 + content.count) + Data(type.utf8) + content
  }

  /// Numbers of 32 bits.
  static func words(_ values: Int...) -> Data {
    Data(values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } })
  }

  /// A number of 64 bits.
  static func wide(_ value: Int) -> Data {
    Data((0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) })
  }

  private static func number(_ bytes: Data, _ at: Int, _ count: Int) -> Int {
    bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
  }
}

/// A new file.
struct OutputHandle {
  private let handle: FileHandle

  init(_ path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let handle = FileHandle(forWritingAtPath: path)
    else { throw BenchError("\(path) cannot be made") }
    self.handle = handle
  }

  func write(_ bytes: Data) throws {
    try handle.write(contentsOf: bytes)
  }
}
