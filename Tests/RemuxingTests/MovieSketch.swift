import TestSupport

/// A movie with one audio track whose every number can be chosen, written without the code under test.
struct MovieSketch {
  /// An edit of the edit list.
  struct Edit {
    var duration: UInt64
    var mediaTime: Int64
    var rate: UInt32 = 0x1_0000
  }

  /// The access units, in order.
  var units: [[UInt8]]
  var movieTimescale: UInt32 = 48000
  var mediaTimescale: UInt32 = 48000
  /// Runs of `stts`; nil for 1536 each.
  var times: [(count: Int, delta: Int)]?
  /// The edit list; nil for none at all.
  var edits: [Edit]?
  /// The sample entry's type.
  var entryType = "ec-3"
  var entryRate: UInt32 = 48000
  var channelCount: UInt16 = 6
  /// The sample entry's children, whole boxes.
  var children: [[UInt8]] = []
  /// Boxes in `mdia` behind `hdlr`.
  var mediaChildren: [[UInt8]] = []
  /// Access units in each chunk.
  var unitsPerChunk = Int.max
  /// Bytes that belong to no access unit in front of each chunk.
  var gap = 0
  /// Bytes in front of everything, in a `free` box, at least 8 where there are any.
  var leadingFree = 0

  /// A movie of frames that need `dec3`.
  init(_ units: [[UInt8]], dec3: [UInt8]) {
    self.units = units
    children = [box("dec3", dec3)]
  }

  /// A movie of equal frames with the `dec3` that describes them.
  init(_ count: Int, of frame: FrameSketch = FrameSketch()) {
    self.init(frame.repeated(count), dec3: frame.dec3)
    let rate = UInt32(frame.sampleRate)
    (movieTimescale, mediaTimescale, entryRate) = (rate, rate, rate)
  }

  init(_ units: [[UInt8]], children: [[UInt8]]) {
    self.units = units
    self.children = children
  }

  /// The whole file: an optional `free`, `ftyp`, `moov`, `mdat`.
  var bytes: [UInt8] {
    let free = leadingFree > 0 ? box("free", zeros(leadingFree - 8)) : []
    let front = free + box("ftyp", Array("mp42".utf8), zeros(4), Array("mp42isom".utf8))
    let start = front.count + moov(at: 0).count + 8
    let payload = chunks.flatMap { [UInt8](repeating: 0xaa, count: gap) + $0.flatMap { $0 } }
    return front + moov(at: start) + box("mdat", payload)
  }

  private var chunks: [ArraySlice<[UInt8]>] {
    stride(from: 0, to: units.count, by: min(unitsPerChunk, max(1, units.count))).map {
      units[$0..<min(units.count, $0 + min(unitsPerChunk, units.count))]
    }
  }

  private func moov(at payload: Int) -> [UInt8] {
    let mediaLength = UInt32(units.count * 1536)
    let mvhd = full(
      "mvhd", zeros(8), number(movieTimescale), number(mediaLength), number(0x1_0000), zeros(76), number(2))
    let tkhd = full("tkhd", flags: 7, zeros(8), number(1), zeros(4), number(mediaLength), zeros(60))
    let mdhd = full("mdhd", zeros(8), number(mediaTimescale), number(mediaLength), hex("55c4 0000"))
    let hdlr = full("hdlr", zeros(4), Array("soun".utf8), zeros(13))
    let dinf = box("dinf", full("dref", number(1), full("url ", flags: 1)))
    let stbl = box("stbl", stsd, stts, stsc, stsz, stco(at: payload))
    let minf = box("minf", full("smhd", zeros(4)), dinf, stbl)
    return box(
      "moov", mvhd, box("trak", tkhd, edts, box("mdia", mdhd, hdlr, mediaChildren.flatMap { $0 }, minf)))
  }

  private var edts: [UInt8] {
    guard let edits else { return [] }
    let rows = edits.flatMap { bigEndian($0.duration) + bigEndian($0.mediaTime) + number($0.rate) }
    return box("edts", full("elst", version: 1, number(UInt32(edits.count)), rows))
  }

  private var stsd: [UInt8] {
    let fixed = zeros(6) + hex("0001") + zeros(8) + bigEndian(channelCount) + hex("0010 0000 0000")
    return full(
      "stsd", number(1), box(entryType, fixed, number(entryRate << 16), children.flatMap { $0 }))
  }

  private var stts: [UInt8] {
    let runs = times ?? [(units.count, 1536)]
    return full(
      "stts", number(UInt32(runs.count)), runs.flatMap { number(UInt32($0.count)) + number(UInt32($0.delta)) }
    )
  }

  private var stsc: [UInt8] {
    var rows: [[UInt8]] = []
    for (index, chunk) in chunks.enumerated() where index == 0 || chunk.count != chunks[index - 1].count {
      rows.append(number(UInt32(index + 1)) + number(UInt32(chunk.count)) + number(1))
    }
    return full("stsc", number(UInt32(rows.count)), rows.flatMap { $0 })
  }

  private var stsz: [UInt8] {
    let sizes = units.map { UInt32($0.count) }
    if let first = sizes.first, sizes.allSatisfy({ $0 == first }) {
      return full("stsz", number(first), number(UInt32(sizes.count)))
    }
    return full("stsz", number(0), number(UInt32(sizes.count)), sizes.flatMap { number($0) })
  }

  private func stco(at payload: Int) -> [UInt8] {
    var offset = payload
    var offsets: [UInt8] = []
    for chunk in chunks {
      offset += gap
      offsets += number(UInt32(offset))
      offset += chunk.reduce(0) { $0 + $1.count }
    }
    return full("stco", number(UInt32(chunks.count)), offsets)
  }

  private func full(_ type: String, version: UInt8 = 0, flags: UInt8 = 0, _ payload: [UInt8]...) -> [UInt8] {
    box(type, [version, 0, 0, flags] + payload.flatMap { $0 })
  }

  private func number(_ value: UInt32) -> [UInt8] { bigEndian(value) }

  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
