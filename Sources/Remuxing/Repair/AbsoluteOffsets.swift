import ByteParsing
import ISOMedia
import SystemIO

/// Numbers that count bytes from the start of the file, or across `moov`, and that are not moved with the media data.
enum AbsoluteOffsets {
  /// The first of them that keeps a file from being moved; nil when there is none.
  static func obstacle(_ layout: FileLayout, _ movie: Box, in file: MappedFile) -> String? {
    if layout.boxes.contains(where: { $0.type == "sidx" && $0.offset < movie.offset }) {
      return "sidx in front of moov points to fragments"
    }
    var found: String?
    let tree = BoxTree(file.bytes)
    for box in layout.boxes where found == nil && ["moov", "moof", "meta", "udta"].contains(box.type) {
      tree.walk(
        box,
        visit: { inner, _ in
          // In a fragment saio counts from the fragment's base.
          switch inner.type {
          case "iloc": found = found ?? "iloc points to items"
          case "saio" where box.type != "moof": found = found ?? "saio points to auxiliary information"
          default: break
          }
        },
        fault: { _, _ in })
    }
    return found
  }
}
