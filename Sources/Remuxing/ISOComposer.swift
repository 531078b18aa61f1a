import ByteParsing
import EnhancedAC3
import ISOMedia
import SystemIO

/// Composes an ISO file around the payload; see DESIGN.md, 5.5.
struct ISOComposer {
  let segments: [Segment]
  /// What is presented; nil for all of the media.
  let edit: OutputEdit?
  let isM4A: Bool

  /// The whole file; there must be at least one segment.
  func plan(_ payload: Payload) -> Plan {
    let sizes = payload.sizes
    let rate = segments[0].format.format.sampleRate
    let extents = payload.extents
    var layout = MediaLayout(extents)
    var movie = movie(
      sizes, ChunkPlan(extents, in: layout, sampleRate: rate, sizes: sizes), sampleRate: rate)

    // The header's length does not depend on the offsets in it, only on their width.
    var boxes = header(movie, boxCount: layout.boxes.count)
    layout.place(extents, behind: boxes.writer.count)
    if let last = movie.chunkOffsets.last, layout.fileOffset(ofLast: last) > Int(UInt32.max) {
      movie.offsetWidth = .bits64
      boxes = header(movie, boxCount: layout.boxes.count)
      layout.place(extents, behind: boxes.writer.count)
    }
    layout.place(&movie.chunkOffsets)
    movie.patchChunkOffsets(in: &boxes)

    var builder = PlanBuilder(consume boxes, pieceCount: layout.boxes.count + extents.count)
    for box in layout.boxes {
      builder.make { Self.writeMediaDataHeader(box, to: &$0) }
      for payload in extents[box.extents] { builder.borrow(payload.extent) }
    }
    return builder.plan(payload.sources)
  }

  /// Everything in front of the first media data box; chunk offsets are those in the payload.
  private func header(_ movie: AudioMovie, boxCount: Int) -> BoxWriter {
    // A movie of one track and its boxes takes some 600 bytes without its tables, a media data box and the free box in
    // front of it up to one block.
    var boxes = BoxWriter(reserving: 1024 + movie.tableByteCount + boxCount * (MediaLayout.phase + 24))
    let brands: [FourCC] = ["mp42", "isom", "iso2", "dby1"]
    FileType(majorBrand: "mp42", compatibleBrands: brands + (isM4A ? ["M4A "] : [])).write(to: &boxes)
    movie.write(to: &boxes) { writeSampleEntry(to: &$0) }
    return boxes
  }

  private func movie(_ sizes: UnitSizes, _ chunks: ChunkPlan, sampleRate: Int) -> AudioMovie {
    AudioMovie(
      provenance: segments[0].track.provenance, sampleRate: UInt32(sampleRate),
      sampleCount: UInt32(segments.accessUnitCount), sampleDelta: UInt32(AccessUnit.samples),
      sizes: sizes.forSampleTable, chunkRuns: chunks.runs, chunkOffsets: chunks.offsets, offsetWidth: .bits32,
      edits: edits)
  }

  private var edits: [EditList.Entry] {
    guard let edit else { return [] }
    let silence = EditList.Entry(segmentDuration: UInt64(edit.silence), mediaTime: -1)
    let shown = EditList.Entry(segmentDuration: UInt64(edit.duration), mediaTime: Int64(edit.mediaTime))
    return edit.silence > 0 ? [silence, shown] : [shown]
  }

  /// The first track's sample entry as an ISO one, with the right configuration and all its other children.
  private func writeSampleEntry(to boxes: inout BoxWriter) {
    let file = segments[0].track.file
    let configuration = segments[fastest].configuration
    let layout = segments[0].entry?.layout
    AudioSampleEntry.write(
      FourCC(segments[0].format.format.codec), channelCount: segments[0].entry?.channelCount ?? 2,
      sampleRate: UInt32(segments[0].format.format.sampleRate), to: &boxes
    ) { boxes in
      var isWritten = false
      let faulty = segments[0].faultyChildren
      for child in segments[0].entry?.children ?? [] where child.type == "wave" || !faulty.contains(child) {
        switch child.type {
        case "dec3", "dac3", "wave":
          if !isWritten { configuration.write(to: &boxes) }
          isWritten = true
        case "chan" where layout != .version0:
          // QuickTime's own way to tell the layout has no place in an ISO entry.
          break
        default:
          boxes.writer.put(bytes: file.bytes.extracting(child.offset..<child.payload.upperBound))
        }
      }
      if !isWritten { configuration.write(to: &boxes) }
    }
  }

  /// The segment whose configuration is written: all agree but for the data rate of variable streams, of which the largest
  /// counts.
  private var fastest: Int {
    segments.indices.dropFirst().reduce(0) {
      segments[$1].declaredRate > segments[$0].declaredRate ? $1 : $0
    }
  }

  private static func writeMediaDataHeader(_ box: MediaLayout.Box, to boxes: inout BoxWriter) {
    if box.freeByteCount > 0 {
      boxes.header("free", boxByteCount: box.freeByteCount, is64Bit: false)
      boxes.writer.putZeros(box.freeByteCount - 8)
    }
    boxes.header(
      "mdat", boxByteCount: box.headerByteCount + box.payloadByteCount, is64Bit: box.headerByteCount == 16)
  }
}

extension CodecConfiguration {
  fileprivate func write(to boxes: inout BoxWriter) {
    boxes.box(type) { $0.put(bytes: bytes) }
  }
}

extension UnitSizes {
  fileprivate var forSampleTable: AudioMovie.Sizes {
    switch self {
    case .constant(let size): .constant(UInt32(size))
    case .table(let bytes): .table(bytes)
    }
  }
}

extension FourCC {
  fileprivate init(_ codec: Codec) {
    switch codec {
    case .ac3: self = "ac-3"
    case .enhancedAC3: self = "ec-3"
    }
  }
}
