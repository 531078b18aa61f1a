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
    /// Bytes of `free`, 0 or at least 8.
    let freeByteCount: Int
    /// 8, or 16 with a 64-bit size.
    let headerByteCount: Int
    /// Absolute offset of the payload.
    let payloadOffset: Int
    let payloadByteCount: Int
    let extents: Range<Int>
  }

  /// A contiguous extent of this size or more gets an `mdat` of its own and keeps its phase.
  static let alignedExtentByteCount = 128 << 10
  /// Blocks that can be cloned whole: offsets in source and target agree modulo this.
  static let phase = 4096
  /// Chunks of a segment, at the most.
  static let maximumChunks = 1024

  let boxes: [Box]
  let chunkRuns: [SampleToChunk.Run]
  let chunkOffsets: [Int]

  /// Groups extents: large ones alone, smaller neighbours together.
  static func groups(_ extents: [PayloadExtent]) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    var start = 0
    for (index, payload) in extents.enumerated() where payload.extent.byteCount >= alignedExtentByteCount {
      if start < index { groups.append(start..<index) }
      groups.append(index..<index + 1)
      start = index + 1
    }
    if start < extents.count { groups.append(start..<extents.count) }
    return groups
  }

  /// Lays the payload out behind a header.
  init(_ extents: [PayloadExtent], groups: [Range<Int>], chunks: ChunkPlan, headerByteCount: Int) {
    var boxes: [Box] = []
    var offsets: [Int] = []
    var position = headerByteCount
    for (group, groupChunks) in zip(groups, chunks.groups) {
      let byteCount = extents[group].reduce(0) { $0 + $1.extent.byteCount }
      let header = byteCount + 8 > Int(UInt32.max) ? 16 : 8
      let first = extents[group.lowerBound].extent
      var free = 0
      if first.byteCount >= Self.alignedExtentByteCount {
        free = (first.offset - position - header) % Self.phase
        if free < 0 { free += Self.phase }
        // A box has at least its header.
        if free > 0, free < 8 { free += Self.phase }
      }
      let payload = position + free + header
      boxes.append(
        Box(
          freeByteCount: free, headerByteCount: header, payloadOffset: payload, payloadByteCount: byteCount,
          extents: group))
      offsets.append(contentsOf: groupChunks.map { payload + $0 })
      position = payload + byteCount
    }
    self.boxes = boxes
    chunkRuns = chunks.runs
    chunkOffsets = offsets
  }
}

/// How many access units each chunk holds, and where it starts in its media data box.
struct ChunkPlan {
  private(set) var runs: [SampleToChunk.Run] = []
  /// For each media data box, the chunks' offsets in its payload.
  private(set) var groups: [[Int]] = []
  private(set) var count = 0

  /// Chunks of about one second, at most 1,024 a segment, none across a border of boxes or segments.
  init(_ extents: [PayloadExtent], groups: [Range<Int>], sampleRate: Int, sizes: UnitSizes) {
    let units = extents.reduce(into: [Int: Int]()) { $0[$1.segment, default: 0] += $1.accessUnits }
    let second = max(1, (sampleRate + 768) / 1536)
    var unit = 0
    for group in groups {
      var offsets: [Int] = []
      var byteOffset = 0
      var index = group.lowerBound
      while index < group.upperBound {
        let segment = extents[index].segment
        var rest = 0
        while index < group.upperBound, extents[index].segment == segment {
          rest += extents[index].accessUnits
          index += 1
        }
        let limit = MediaLayout.maximumChunks
        let perChunk = max(second, ((units[segment] ?? 0) + limit - 1) / limit)
        while rest > 0 {
          let count = min(perChunk, rest)
          append(chunkOf: count)
          offsets.append(byteOffset)
          byteOffset += sizes.byteCount(of: unit..<unit + count)
          unit += count
          rest -= count
        }
      }
      self.groups.append(offsets)
    }
  }

  private mutating func append(chunkOf units: Int) {
    if runs.last?.samplesPerChunk != units {
      runs.append(SampleToChunk.Run(firstChunk: count, samplesPerChunk: units))
    }
    count += 1
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
