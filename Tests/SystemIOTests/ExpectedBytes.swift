import SystemIO

extension [Piece] {
  /// What the pieces of one source must come to, put together byte by byte.
  func bytes(of source: [UInt8], made: [UInt8] = []) -> [UInt8] {
    flatMap { piece -> [UInt8] in
      switch piece {
      case .made(let range): return [UInt8](made[range])
      case .extent(let extent):
        var part = [UInt8](source[extent.offset..<extent.offset + extent.byteCount])
        guard extent.swapsPairs else { return part }
        for index in stride(from: 0, to: part.count - 1, by: 2) { part.swapAt(index, index + 1) }
        return part
      }
    }
  }
}
