import ByteParsing
import ISOMedia
import SystemIO

/// The boxes of a file's top level that matter here, found by reading headers alone.
///
/// Headers are read with pread, at most to the end of their page: a walk through a mapping would fault payload into
/// the page cache.
struct TopLevelBoxes {
  private(set) var fileType: Box?
  private(set) var movie: Box?
  /// `moof` boxes, in order.
  private(set) var fragments: [Box] = []
  /// Set where the last box states more bytes than the file has.
  private(set) var cutOff: ParsingError?
  /// Bytes behind the last box that are no box.
  private(set) var foreignTail = 0

  /// Bytes to read of a file's start.
  static let headByteCount = 4096
  private static let pageBytes = 4096

  /// Walks over the file, whose first bytes have been read already, and shows each whole box.
  init(
    of file: MappedFile, head: [UInt8],
    each: (Box) throws(Failure) -> Void = { (_) throws(Failure) in }
  ) throws(Failure) {
    var window = head
    var windowStart = 0
    var next = 0
    while next + 8 <= file.byteCount {
      let needed = BoxHeader.byteCount(startingAt: next - windowStart, in: window.rawBytes)
      if next < windowStart || next + needed > windowStart + window.count {
        windowStart = next
        let toPageEnd = Self.pageBytes - next % Self.pageBytes
        window = try operating { () throws(SystemError) in
          try file.read(at: next, count: max(toPageEnd, BoxHeader.maximumByteCount))
        }
      }
      let offset = next - windowStart
      let header: BoxHeader
      do throws(ParsingError) {
        var cursor = ByteCursor(window.rawBytes.extracting(offset..<window.count), origin: next)
        header = try BoxHeader(parsing: &cursor)
      } catch {
        // What follows a whole movie does no harm.
        guard movie != nil else { throw Failure(error, in: file.path) }
        foreignTail = file.byteCount - next
        return
      }
      guard let box = fitting(header, into: file) else { return }
      note(box)
      try each(box)
      next = box.payload.upperBound
    }
    guard next < file.byteCount else { return }
    // Fewer bytes than a header; zeros are padding.
    let rest = try operating { () throws(SystemError) in
      try file.read(at: next, count: file.byteCount - next)
    }
    if rest.contains(where: { $0 != 0 }) { foreignTail = rest.count }
  }

  /// The box as far as the file goes: the last one may be cut off, and its front still be good.
  private mutating func fitting(_ header: BoxHeader, into file: MappedFile) -> Box? {
    do throws(ParsingError) {
      return try header.box(endingBefore: file.byteCount)
    } catch {
      cutOff = error
      return nil
    }
  }

  private mutating func note(_ box: Box) {
    switch box.type {
    case "ftyp": fileType = fileType ?? box
    case "moov": movie = movie ?? box
    case "moof": fragments.append(box)
    default: break
    }
  }
}
