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
      var next = 0
      for piece in pieces {
        // The parts follow each other and fill the region exactly.
        let part = unsafe UnsafeMutableRawBufferPointer(rebasing: region[next..<next + piece.byteCount])
        next += piece.byteCount
        switch piece {
        case .made(let range):
          unsafe part.copyBytes(from: made[range])
        case .extent(let extent):
          unsafe try Self.fill(part, from: sources[extent.source], at: extent.offset)
        }
      }
    } catch {
      throw SystemError(.openSource, path, .call("mmap", error))
    }
  }

  /// Fills a part of a region with what a source holds from an offset on.
  @unsafe private static func fill(
    _ part: UnsafeMutableRawBufferPointer, from source: MappedFile, at offset: Int
  ) throws(Errno) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let inPage = Int(bitPattern: part.baseAddress) % page
    let head = (page - inPage) % page
    let whole = max(0, part.count - head) / page * page
    guard inPage == offset % page, whole > 0, source.descriptor >= 0 else {
      return unsafe copy(source, offset, to: part[...])
    }
    unsafe copy(source, offset, to: part[..<head])
    unsafe try SystemCalls.map(
      source.descriptor, from: offset + head,
      over: UnsafeMutableRawBufferPointer(rebasing: part[head..<head + whole]))
    unsafe copy(source, offset + head + whole, to: part[(head + whole)...])
  }

  @unsafe private static func copy(
    _ source: MappedFile, _ offset: Int, to part: Slice<UnsafeMutableRawBufferPointer>
  ) {
    // The source is alive, and the part's memory is the caller's own.
    unsafe UnsafeMutableRawBufferPointer(rebasing: part).copyMemory(
      from: source.unsafeBytes(in: offset..<offset + part.count))
  }
}
