import ByteParsing
import ISOMedia
import SystemIO

/// Chunk offsets of all tracks, moved with the media data behind `moov`.
struct ChunkRelocation {
  private struct Table {
    let track: Track
    /// From `moov` to `stco` or `co64`.
    let chain: [Box]
    var isWidened = false

    var offsets: ChunkOffsets { track.sampleTable.chunkOffsets }
  }

  private let file: MappedFile
  /// Offsets from here on move.
  private let border: Int
  private var tables: [Table] = []

  /// Throws where a track's table of offsets cannot be found again.
  init(_ movie: Movie, in box: Box, of file: MappedFile) throws(Failure) {
    self.file = file
    border = box.payload.upperBound
    for track in movie.tracks {
      let type = track.sampleTable.chunkOffsets.width.boxType
      guard let chain = file.bytes.chain(from: track.box, to: ["mdia", "minf", "stbl", type]) else {
        throw Failure(
          .inputMalformed, "\(type) is not where it was", path: file.path, offset: track.box.offset)
      }
      tables.append(Table(track: track, chain: [box] + chain))
    }
  }

  /// Bytes by which widened tables make `moov` longer.
  var growth: Int {
    tables.reduce(0) { $0 + ($1.isWidened ? $1.offsets.table.count * 4 + slack($1) : 0) }
  }

  /// Makes 64-bit tables of those that need it for a shift; returns whether any was not one before.
  mutating func widen(for shift: Int) throws(Failure) -> Bool {
    var hasChanged = false
    for index in tables.indices where !tables[index].isWidened && tables[index].offsets.width == .bits32 {
      var needs = false
      for chunk in 0..<tables[index].offsets.table.count {
        if moved(try offset(chunk, tables[index]), by: shift) > Int(UInt32.max) { needs = true }
      }
      guard needs else { continue }
      tables[index].isWidened = true
      hasChanged = true
    }
    return hasChanged
  }

  /// Amends every table that is widened, or has an offset that moves.
  ///
  /// Widened tables are written also where nothing moves: `growth` counts them.
  func apply(_ shift: Int, to amendments: inout Amendments) throws(Failure) {
    for table in tables where shift != 0 || table.isWidened {
      let count = table.offsets.table.count
      let width: ChunkOffsets.Width = table.isWidened ? .bits64 : table.offsets.width
      var offsets: [Int] = []
      offsets.reserveCapacity(count)
      var moves = false
      for chunk in 0..<count {
        let offset = try offset(chunk, table)
        offsets.append(moved(offset, by: shift))
        moves = moves || offsets[chunk] != offset
      }
      guard moves || table.isWidened, let box = table.chain.last else { continue }
      var writer = BoxWriter()
      ChunkOffsets.write(offsets, width: width, to: &writer)
      if table.isWidened {
        amendments.replace(
          box.offset..<box.payload.upperBound, with: writer.writer.bytes,
          inside: Array(table.chain.dropLast()))
      } else {
        let start = table.offsets.table.offset
        amendments.replace(
          start..<start + count * width.rawValue,
          with: Array(writer.writer.bytes.suffix(count * width.rawValue)))
      }
    }
  }

  /// Track ids whose offsets become 64 bits wide.
  var widenedTracks: [UInt32] { tables.filter(\.isWidened).map(\.track.header.trackID) }

  /// Headers of 16 bytes and bytes behind the table are not written again.
  private func slack(_ table: Table) -> Int {
    guard let box = table.chain.last else { return 0 }
    return 16 + table.offsets.table.count * 4 - (box.payload.upperBound - box.offset)
  }

  /// Offsets behind the file's end, which chunks without bytes may have, are nobody's and stay.
  private func moved(_ offset: Int, by shift: Int) -> Int {
    (border...max(border, file.byteCount)).contains(offset) ? offset + shift : offset
  }

  private func offset(_ chunk: Int, _ table: Table) throws(Failure) -> Int {
    try parsing(file.path) { () throws(ParsingError) in
      try table.offsets.offset(ofChunk: chunk, in: file.bytes)
    }
  }
}
