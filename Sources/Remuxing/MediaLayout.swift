import ByteParsing
import ISOMedia
import SystemIO

/// A run of access units that is contiguous in its source.
struct PayloadExtent {
  var extent: Extent
  var accessUnits: Int
  /// Which run of a source it belongs to: chunks do not reach across.
  var segment: Int
}

/// Where the payload goes in an ISO file: media data boxes, the free boxes in front of them, and chunks.
///
/// It depends on the extents alone, never on the file system or the copy method; see DESIGN.md, 5.5.
struct MediaLayout {
  /// An `mdat` and the `free` in front of it.
  struct Box {
    let extents: Range<Int>
    let payloadByteCount: Int
    /// Bytes of `free`, 0 or at least 8.
    fileprivate(set) var freeByteCount = 0
    /// Absolute offset of the payload.
    fileprivate(set) var payloadOffset = 0

    /// 8, or 16 with a 64-bit size.
    var headerByteCount: Int { payloadByteCount + 8 > Int(UInt32.max) ? 16 : 8 }
  }

  /// A contiguous extent of this size or more gets an `mdat` of its own and keeps its phase.
  static let alignedExtentByteCount = 128 << 10
  /// Blocks that can be cloned whole: offsets in source and target agree modulo this.
  static let phase = 4096
  /// Chunks of a segment, at the most.
  static let maximumChunks = 1024

  private(set) var boxes: [Box] = []

  /// Large extents alone, smaller neighbours together.
  init(_ extents: [PayloadExtent]) {
    var start = 0
    for (index, payload) in extents.enumerated() where payload.extent.byteCount >= Self.alignedExtentByteCount
    {
      append(start..<index, of: extents)
      append(index..<index + 1, of: extents)
      start = index + 1
    }
    append(start..<extents.count, of: extents)
  }

  private mutating func append(_ range: Range<Int>, of extents: [PayloadExtent]) {
    guard !range.isEmpty else { return }
    let byteCount = extents[range].reduce(0) { $0 + $1.extent.byteCount }
    boxes.append(Box(extents: range, payloadByteCount: byteCount))
  }

  /// Puts the boxes behind a header.
  mutating func place(_ extents: [PayloadExtent], behind headerByteCount: Int) {
    var position = headerByteCount
    for index in boxes.indices {
      let header = boxes[index].headerByteCount
      let first = extents[boxes[index].extents.lowerBound].extent
      var free = 0
      if first.byteCount >= Self.alignedExtentByteCount {
        free = (first.offset - position - header) % Self.phase
        if free < 0 { free += Self.phase }
        // A box has at least its header.
        if free > 0, free < 8 { free += Self.phase }
      }
      boxes[index].freeByteCount = free
      boxes[index].payloadOffset = position + free + header
      position = boxes[index].payloadOffset + boxes[index].payloadByteCount
    }
  }

  /// Where the last chunk starts in the file, from its offset in the whole payload.
  func fileOffset(ofLast offset: Int) -> Int {
    guard let last = boxes.last else { return offset }
    return last.payloadOffset + offset - boxes.dropLast().reduce(0) { $0 + $1.payloadByteCount }
  }

  /// Turns offsets in the whole payload, in ascending order, into offsets in the file.
  func place(_ offsets: inout [Int]) {
    var chunk = 0
    var end = 0
    for box in boxes {
      let distance = box.payloadOffset - end
      end += box.payloadByteCount
      while chunk < offsets.count, offsets[chunk] < end {
        offsets[chunk] += distance
        chunk += 1
      }
    }
  }
}

/// How many access units each chunk holds, and where it starts in the payload.
struct ChunkPlan {
  private(set) var runs: [SampleToChunk.Run] = []
  /// The chunks' offsets in the payload, as if nothing lay between its parts.
  private(set) var offsets: [Int] = []

  /// Chunks of about one second, at most 1,024 a segment, none across a border of boxes or segments.
  init(_ extents: [PayloadExtent], in layout: MediaLayout, sampleRate: Int, sizes: UnitSizes) {
    let second = max(1, (sampleRate + 768) / 1536)
    let units = extents.reduce(0) { $0 + $1.accessUnits }
    offsets.reserveCapacity(min(units / second, MediaLayout.maximumChunks * extents.count) + extents.count)
    // Chunks of one length, and one of the rest.
    runs.reserveCapacity(2 * extents.count)
    var perChunk = second
    var segment = -1
    var unit = 0
    var byteOffset = 0
    for box in layout.boxes {
      var index = box.extents.lowerBound
      while index < box.extents.upperBound {
        if extents[index].segment != segment {
          segment = extents[index].segment
          let units = extents[index...].prefix { $0.segment == segment }.reduce(0) { $0 + $1.accessUnits }
          perChunk = max(second, (units + MediaLayout.maximumChunks - 1) / MediaLayout.maximumChunks)
        }
        var rest = 0
        while index < box.extents.upperBound, extents[index].segment == segment {
          rest += extents[index].accessUnits
          index += 1
        }
        while rest > 0 {
          let count = min(perChunk, rest)
          let chunks = rest / count
          if runs.last?.samplesPerChunk != count {
            runs.append(SampleToChunk.Run(firstChunk: offsets.count, samplesPerChunk: count))
          }
          offsets.append(addingCapacity: chunks) { offsets in
            for _ in 0..<chunks {
              offsets.append(byteOffset)
              byteOffset += sizes.byteCount(of: unit..<unit + count)
              unit += count
            }
          }
          rest -= chunks * count
        }
      }
    }
  }
}

/// The sizes of all access units of an output, as `stsz` will hold them.
enum UnitSizes {
  case constant(Int)
  /// Big-endian 32-bit numbers.
  case table([UInt8])

  func byteCount(of units: Range<Int>) -> Int {
    switch self {
    case .constant(let size): return size * units.count
    case .table(let bytes):
      let table = bytes.rawBytes
      var sum = 0
      for unit in units { sum += Int(table.bigEndian(UInt32.self, at: unit * 4)) }
      return sum
    }
  }
}
