import ByteParsing
import ISOMedia
import SystemIO

/// All boxes of a file's top level, and where media data may lie.
struct FileLayout {
  /// In file order.
  let boxes: [Box]
  let top: TopLevelBoxes
  /// The payloads of the `mdat` boxes, in file order.
  let mediaData: [Range<Int>]

  /// A file with more boxes than these at its top level is refused: a list of them would be out of proportion.
  private static let maximumBoxes = 1 << 20

  /// Throws when a header is malformed in front of `moov`, or when there are too many boxes.
  init(of file: MappedFile, head: [UInt8]) throws(Failure) {
    var boxes: [Box] = []
    top = try TopLevelBoxes(of: file, head: head) { (box) throws(Failure) in
      guard boxes.count < Self.maximumBoxes else {
        throw Failure(
          .unsupported, "there are more than \(Self.maximumBoxes) boxes at the top level", path: file.path,
          offset: box.offset)
      }
      boxes.append(box)
    }
    self.boxes = boxes
    mediaData = boxes.filter { $0.type == "mdat" }.map(\.payload)
  }

  /// Whether a range lies wholly inside one `mdat`.
  func holdsMedia(_ range: Range<Int>) -> Bool {
    var low = 0
    var high = mediaData.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if mediaData[middle].lowerBound <= range.lowerBound { low = middle } else { high = middle }
    }
    guard low < mediaData.count else { return false }
    return mediaData[low].lowerBound <= range.lowerBound && range.upperBound <= mediaData[low].upperBound
  }
}
