import ByteParsing
import ISOMedia

/// The room that a movie box has, and where it finds more.
struct MovieSpace {
  /// What happens around `moov` when it changes its size.
  struct Adjustment: Equatable {
    /// How far everything behind `moov` moves.
    let shift: Int
    /// The `free` box that becomes smaller or larger; nil where there is none.
    let free: Box?
    /// Its new size with the header, or that of a new one behind `moov`; 0 for none.
    let freeByteCount: Int
  }

  let movie: Box
  private let before: Box?
  private let behind: Box?
  private let rest: Range<Int>

  /// Payload behind `moov` from this size on keeps its phase: whole blocks of it can be cloned; see DESIGN.md, 5.5.
  private static let alignedByteCount = MediaLayout.alignedExtentByteCount

  /// Nil when the movie box is not one of the top level's.
  init?(_ movie: Box, in layout: FileLayout, fileByteCount: Int) {
    guard let position = layout.boxes.firstIndex(of: movie) else { return nil }
    func free(_ index: Int) -> Box? {
      guard layout.boxes.indices.contains(index), ["free", "skip", "wide"].contains(layout.boxes[index].type)
      else {
        return nil
      }
      return layout.boxes[index]
    }
    self.movie = movie
    before = free(position - 1)
    behind = free(position + 1)
    rest = movie.payload.upperBound..<max(movie.payload.upperBound, fileByteCount)
  }

  /// Where room comes from when `moov` becomes longer by `growth` bytes, or shorter.
  func adjustment(for growth: Int) -> Adjustment {
    if growth == 0 || rest.isEmpty { return Adjustment(shift: 0, free: nil, freeByteCount: 0) }
    for free in [behind, before].compactMap(\.self) {
      let byteCount = free.payload.upperBound - free.offset - growth
      if byteCount == 0 || byteCount >= 8 {
        return Adjustment(shift: 0, free: free, freeByteCount: byteCount)
      }
    }
    if growth <= -8 { return Adjustment(shift: 0, free: nil, freeByteCount: -growth) }
    guard rest.count >= Self.alignedByteCount else {
      return Adjustment(shift: growth, free: nil, freeByteCount: 0)
    }
    // The next whole block that leaves nothing, or room for a box, behind moov.
    var shift = growth <= 0 ? 0 : (growth + MediaLayout.phase - 1) / MediaLayout.phase * MediaLayout.phase
    while shift != growth, shift - growth < 8 { shift += MediaLayout.phase }
    return Adjustment(shift: shift, free: nil, freeByteCount: shift - growth)
  }

  /// Amends the `free` box, or makes one.
  func apply(_ adjustment: Adjustment, to amendments: inout Amendments) {
    let header = Self.header(adjustment.freeByteCount)
    guard let free = adjustment.free else {
      guard adjustment.freeByteCount > 0 else { return }
      amendments.replace(
        rest.lowerBound..<rest.lowerBound,
        with: header + [UInt8](repeating: 0, count: adjustment.freeByteCount - header.count))
      return
    }
    // Its last bytes stay, so that what follows is not touched.
    let kept = max(0, min(adjustment.freeByteCount - header.count, free.payload.count))
    let zeros = max(0, adjustment.freeByteCount - header.count - kept)
    amendments.replace(
      free.offset..<free.payload.upperBound - kept, with: header + [UInt8](repeating: 0, count: zeros))
  }

  /// Where amendments may lie.
  func range(_ adjustment: Adjustment) -> [Range<Int>] {
    [movie.offset..<movie.payload.upperBound]
      + (adjustment.free.map { [$0.offset..<$0.payload.upperBound] } ?? [])
  }

  private static func header(_ byteCount: Int) -> [UInt8] {
    guard byteCount > 0 else { return [] }
    var boxes = BoxWriter()
    boxes.header("free", boxByteCount: byteCount, is64Bit: byteCount > Int(UInt32.max))
    return boxes.writer.bytes
  }
}
