import ByteParsing
import EnhancedAC3
import Remuxing
import SystemIO

/// A planned output, put together byte by byte without writing it.
struct Output {
  /// The whole file.
  let bytes: [UInt8]
  /// The access units alone.
  let payload: [UInt8]

  /// Throws where a plan reaches outside its sources, or leaves bytes that were made unused.
  init(_ plan: Plan) throws(Violation) {
    var bytes: [UInt8] = []
    var payload: [UInt8] = []
    var made = 0
    for piece in plan.pieces {
      switch piece {
      case .made(let range):
        try requireEqual(range.lowerBound, made, "where made bytes are taken from")
        try require(range.upperBound <= plan.made.count, "made bytes \(range) of \(plan.made.count)")
        made = range.upperBound
        bytes += plan.made[range]
      case .extent(let extent):
        let part = try Self.part(extent, of: plan)
        bytes += part
        payload += part
      }
    }
    try requireEqual(made, plan.made.count, "bytes that are made, and used")
    try requireEqual(plan.byteCount, bytes.count, "bytes of a plan, and of its pieces")
    try requireEqual(plan.payloadByteCount, payload.count, "payload of a plan, and of its extents")
    self.bytes = bytes
    self.payload = payload
  }

  private static func part(_ extent: Extent, of plan: Plan) throws(Violation) -> [UInt8] {
    try require(plan.sources.indices.contains(extent.source), "there is no source \(extent.source)")
    let file = plan.sources[extent.source]
    try require(extent.byteCount > 0 && extent.offset >= 0, "an extent of nothing: \(extent)")
    try require(extent.offset + extent.byteCount <= file.byteCount, "\(extent) of \(file.byteCount) bytes")
    let part = file.bytes.extracting(extent.offset..<extent.offset + extent.byteCount)
    return extent.swapsPairs ? part.swappingPairs() : part.copied()
  }
}
