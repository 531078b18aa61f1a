import ByteParsing
import ISOMedia
import SystemIO

/// Boxes of an audio track that players look at before they come to its access units.
struct TrackBoxCheck {
  let track: AudioTrack
  let boxes: Track

  /// Looks at the handler, the media header and the data references.
  func report(to log: inout FindingLog) {
    if boxes.handler.type != "soun" {
      log.add(
        .handlerType, .error, "the handler of an audio track is \(boxes.handler.type), not soun",
        at: place(["mdia", "hdlr"]))
    }
    if track.file.bytes.chain(from: boxes.box, to: ["mdia", "minf", "smhd"]) == nil {
      log.add(.boxMissing, .warning, "minf has no smhd", at: place(["mdia", "minf"]))
    }
    guard let references = boxes.dataReference else {
      log.add(.boxMissing, .warning, "minf has no dinf with a dref", at: place(["mdia", "minf"]))
      return
    }
    for entry in track.containerFacts?.entries ?? [] {
      guard let entry, !(1...max(1, references.count)).contains(Int(entry.dataReferenceIndex)) else {
        continue
      }
      log.add(
        .dataReferenceIndex, .error,
        "a sample entry names data reference \(entry.dataReferenceIndex), dref has \(references.count)",
        at: Place(
          trackID: track.id, offset: entry.box.offset,
          ["moov", "trak", "mdia", "minf", "stbl", "stsd", entry.box.type]))
    }
  }

  private func place(_ path: [FourCC]) -> Place {
    let offset = track.file.bytes.chain(from: boxes.box, to: path)?.last?.offset
    return Place(trackID: track.id, offset: offset ?? boxes.box.offset, ["moov", "trak"] + path)
  }
}
