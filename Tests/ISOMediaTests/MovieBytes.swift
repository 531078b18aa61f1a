import TestSupport

/// The boxes of a sound track, each of which a test may bend: four samples of 100 bytes in two chunks.
struct TrackBytes: Sendable {
  var tkhd = fullBox("tkhd", flags: 7, words(0, 0, 1, 0, 6144), zeros(16), unityMatrix, zeros(8))
  var edts: [UInt8] = []
  var mdhd = fullBox("mdhd", words(0, 0, 48000, 6144), hex("55c4 0000"))
  var hdlr = fullBox("hdlr", zeros(4), Array("soun".utf8), zeros(12), Array("SoundHandler".utf8), [0])
  var elng: [UInt8] = []
  var smhd = fullBox("smhd", zeros(4))
  var dinf = box("dinf", fullBox("dref", words(1), fullBox("url ", flags: 1)))
  var stsd = fullBox("stsd", words(1), soundEntry(dec3))
  var stts = tableBox("stts", [[4, 1536]])
  var stsc = tableBox("stsc", [[1, 2, 1]])
  var stsz = fullBox("stsz", words(100, 4))
  var stco = tableBox("stco", [[1000], [2000]])

  var stbl: [UInt8] { box("stbl", stsd, stts, stsc, stsz, stco) }
  var minf: [UInt8] { box("minf", smhd, dinf, stbl) }
  var mdia: [UInt8] { box("mdia", mdhd, hdlr, elng, minf) }
  var trak: [UInt8] { box("trak", tkhd, edts, mdia) }

  /// A track with some of its boxes changed.
  static func with(_ change: (inout TrackBytes) -> Void) -> TrackBytes {
    var track = TrackBytes()
    change(&track)
    return track
  }
}

/// `mvhd` of version 0.
func movieHeaderBox(timescale: UInt32 = 1000) -> [UInt8] {
  fullBox(
    "mvhd", words(0, 0, timescale, 128, 0x1_0000), hex("0100"), zeros(10), unityMatrix, zeros(24), words(2))
}

/// `moov` with these tracks, and with `more` behind them.
func movieBox(_ tracks: TrackBytes..., more: [UInt8] = []) -> [UInt8] {
  box("moov", movieHeaderBox(), tracks.flatMap(\.trak), more)
}

/// The absolute offset of the first box of this type.
func offset(of type: String, in bytes: [UInt8]) -> Int? {
  let code = Array(type.utf8)
  return (4...bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual(code) }.map { $0 - 4 }
}
