import Glibc

extension MappedFile {
  /// Puts an output together in memory, to be read before it is written anywhere.
  ///
  /// Whole pages of a source that lie at the same distance from a page's start there and here are mapped, and cost no
  /// memory; everything else is copied. There must be at least one byte, and no extent that exchanges pairs.
  /// Throws `SystemError` when there is no room for it in memory.
  public convenience init(
    assembling pieces: [Piece], made: [UInt8], sources: [MappedFile], path: FilePath
  ) throws(SystemError) {
    do throws(Errno) {
      let region = unsafe try SystemCalls.reserve(byteCount: pieces.reduce(0) { $0 + $1.byteCount })
      // From here on the file unmaps the region.
      unsafe self.init(path: path, assembled: UnsafeRawBufferPointer(region))
      let stretches = Stretch.all(of: pieces)
      for stretch in stretches where !stretch.pages.isEmpty {
        // The pages lie inside the region and, that distance away, inside the source.
        unsafe try SystemCalls.map(
          sources[stretch.source].descriptor, from: stretch.pages.lowerBound - stretch.distance,
          over: UnsafeMutableRawBufferPointer(rebasing: region[stretch.pages]))
      }
      var next = 0
      var current = stretches[...]
      for piece in pieces {
        let range = next..<next + piece.byteCount
        next = range.upperBound
        switch piece {
        case .made(let bytes):
          unsafe UnsafeMutableRawBufferPointer(rebasing: region[range]).copyBytes(from: made[bytes])
        case .extent(let extent):
          while let first = current.first, first.range.upperBound < range.upperBound {
            current = current.dropFirst()
          }
          for part in range.around(current.first?.pages ?? range.lowerBound..<range.lowerBound) {
            let start = extent.offset + part.lowerBound - range.lowerBound
            unsafe UnsafeMutableRawBufferPointer(rebasing: region[part]).copyMemory(
              from: sources[extent.source].unsafeBytes(in: start..<start + part.count))
          }
        }
      }
    } catch {
      throw SystemError(.openSource, path, .call("mmap", error))
    }
  }
}

/// A part of an output in which all that is borrowed lies as it does in one source. What is made in between replaces
/// as many bytes of it.
private struct Stretch {
  let source: Int
  /// How much further behind than in the source.
  let distance: Int
  var range: Range<Int>

  /// Its whole pages, where pages start at the same bytes here and there.
  var pages: Range<Int> {
    let size = Int(sysconf(Int32(_SC_PAGESIZE)))
    let start = (range.lowerBound + size - 1) / size * size
    let end = range.upperBound / size * size
    return distance % size == 0 && start < end ? start..<end : range.lowerBound..<range.lowerBound
  }

  static func all(of pieces: [Piece]) -> [Stretch] {
    var stretches: [Stretch] = []
    var next = 0
    for piece in pieces {
      let range = next..<next + piece.byteCount
      next = range.upperBound
      guard case .extent(let extent) = piece else { continue }
      let distance = range.lowerBound - extent.offset
      if let last = stretches.last, last.source == extent.source, last.distance == distance {
        stretches[stretches.count - 1].range = last.range.lowerBound..<range.upperBound
      } else {
        stretches.append(Stretch(source: extent.source, distance: distance, range: range))
      }
    }
    return stretches
  }
}

extension Range<Int> {
  /// The parts in front of another range and behind it.
  fileprivate func around(_ other: Range<Int>) -> [Range<Int>] {
    let front = Swift.min(Swift.max(other.lowerBound, lowerBound), upperBound)
    let back = Swift.min(Swift.max(other.upperBound, front), upperBound)
    return [lowerBound..<front, back..<upperBound].filter { !$0.isEmpty }
  }
}
