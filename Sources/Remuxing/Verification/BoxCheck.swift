import ByteParsing
import ISOMedia
import SystemIO

/// How the boxes of a file nest, whatever they mean.
struct BoxCheck {
  /// Boxes that were looked at.
  private(set) var boxCount = 0

  /// Looks at the top level, and into everything but the media data.
  init(_ layout: FileLayout, of file: MappedFile, log: inout FindingLog) {
    var count = 0
    let tree = BoxTree(file.bytes)
    for box in layout.boxes {
      tree.walk(
        box,
        visit: { box, path in
          count += 1
          Self.checkTable(box, path, in: file, &log)
        },
        fault: { fault, path in Self.note(fault, path, &log) })
    }
    boxCount = count
    Self.checkTopLevel(layout, of: file, &log)
  }

  private static func checkTopLevel(_ layout: FileLayout, of file: MappedFile, _ log: inout FindingLog) {
    if let cutOff = layout.top.cutOff {
      log.add(
        .fileTruncated, .error, "the file is cut off: \(cutOff.message)", at: Place(offset: cutOff.offset))
    }
    if layout.top.foreignTail > 0 {
      log.add(
        .fileTail, .warning, "the last \(layout.top.foreignTail) bytes are no box",
        at: Place(offset: file.byteCount - layout.top.foreignTail))
    }
    for extra in layout.boxes.filter({ $0.type == "moov" }).dropFirst() {
      log.add(.fileSecondMovie, .error, "there is a second moov", at: Place(offset: extra.offset))
    }
    for extra in layout.boxes.filter({ $0.type == "ftyp" }).dropFirst() {
      log.add(.boxDuplicate, .error, "there is a second ftyp", at: Place(offset: extra.offset, ["ftyp"]))
    }
    if layout.top.fileType == nil { log.add(.boxMissing, .note, "there is no ftyp") }
    guard layout.top.movie == nil, layout.top.cutOff == nil else { return }
    log.add(
      .fileWithoutMovie, .error,
      layout.top.fragments.isEmpty ? "there is no moov box" : "there are fragments and no moov box")
  }

  private static func checkTable(
    _ box: Box, _ path: [FourCC], in file: MappedFile, _ log: inout FindingLog
  ) {
    guard let shape = TableShape(of: box, in: file.bytes), shape.byteCount != box.payload.count else {
      return
    }
    let place = Place(offset: box.offset, path + [box.type])
    if shape.byteCount > box.payload.count {
      log.add(
        .boxMalformed, .error,
        "\(box.type) counts \(shape.count) entries, which need \(shape.byteCount) bytes, and has \(box.payload.count)",
        at: place)
    } else {
      log.add(
        .boxSlack, .note,
        "\(box.type) has \(box.payload.count - shape.byteCount) bytes behind its \(shape.count) entries",
        at: place)
    }
  }

  private static func note(_ fault: BoxTree.Fault, _ path: [FourCC], _ log: inout FindingLog) {
    switch fault {
    case .malformed(let error):
      log.add(.boxMalformed, .error, error.message, at: Place(offset: error.offset, path))
    case .tail(let offset, let byteCount):
      log.add(
        .boxTail, .warning,
        "\(byteCount) bytes behind the last box of \(path.last?.description ?? "") are no box",
        at: Place(offset: offset, path))
    case .duplicate(let box):
      log.add(
        .boxDuplicate, .error, "\(box.type) is the second box of its kind, of which there may be one",
        at: Place(offset: box.offset, path + [box.type]))
    case .tooDeep(let box):
      log.add(.boxMalformed, .error, "boxes nest too deep", at: Place(offset: box.offset, path + [box.type]))
    }
  }
}
