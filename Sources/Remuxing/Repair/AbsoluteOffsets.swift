import ByteParsing
import ISOMedia
import SystemIO

/// Numbers that count bytes from the start of the file and that are not moved with the media data.
enum AbsoluteOffsets {
  /// The first of them that keeps a file from being moved; nil when there is none.
  static func obstacle(_ layout: FileLayout, _ movie: Box, in file: MappedFile) -> String? {
    if layout.boxes.contains(where: { $0.type == "mfra" }) { return "mfra points to fragments" }
    if layout.boxes.contains(where: { $0.type == "sidx" && $0.offset < movie.offset }) {
      return "sidx in front of moov points to fragments"
    }
    var found: String?
    let tree = BoxTree(file.bytes)
    for box in layout.boxes where found == nil && ["moov", "moof", "meta", "udta"].contains(box.type) {
      tree.walk(
        box,
        visit: { inner, _ in
          switch inner.type {
          case "iloc": found = found ?? "iloc points to items"
          case "saio": found = found ?? "saio points to auxiliary information"
          case "tfhd" where hasBase(inner, in: file): found = found ?? "tfhd has an absolute base_data_offset"
          default: break
          }
        },
        fault: { _, _ in })
    }
    return found
  }

  private static func hasBase(_ box: Box, in file: MappedFile) -> Bool {
    var cursor = file.bytes.cursor(box.payload)
    return (try? TrackFragmentHeader(parsing: &cursor).baseDataOffset) ?? nil != nil
  }
}
