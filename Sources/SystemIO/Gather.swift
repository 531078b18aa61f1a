import Glibc

/// Writes pieces in order with pwritev, or to a stream with writev, straight from the sources' mappings.
///
/// A call takes at most 1,024 vectors (IOV_MAX) and 2 MiB; a short write resumes inside a vector.
struct Gather: ~Copyable {
  private static let maximumVectors = 1024
  /// The kernel would take 2 GiB, but a signal is handled only between calls, and ext4 spends more time to find room
  /// in one piece for more than this than it saves.
  private static let maximumBytes = 2 << 20
  /// What is prepared at once; the next step is read from the disk meanwhile.
  private static let stepBytes = 8 << 20
  /// A smaller extent is read without ado.
  private static let announcedByteCount = 32 << 10
  /// From here on it pays to prepare an extent with calls of its own.
  private static let runByteCount = 1 << 20
  private static let swapBufferBytes = 1 << 18

  private let descriptor: Int32
  private let path: FilePath
  /// Where the next byte goes; nil for a stream, which has no offsets.
  private var offset: Int?

  init(to descriptor: Int32, path: FilePath, at offset: Int? = nil) {
    self.descriptor = descriptor
    self.path = path
    self.offset = offset
  }

  /// Writes all pieces.
  ///
  /// Throws when the kernel refuses, or when a source can no longer be read (EFAULT).
  mutating func write(_ pieces: [Piece], made: [UInt8], sources: [MappedFile]) throws(SystemError) {
    var failure: SystemError?
    // The vectors point into `made` and the mappings, both alive until the closures return.
    unsafe made.withUnsafeBytes { own in
      unsafe withUnsafeTemporaryAllocation(
        of: iovec.self, capacity: min(Self.maximumVectors, pieces.count + 1)
      ) {
        vectors in
        do throws(SystemError) {
          try unsafe write(pieces, own, sources, vectors)
        } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
  }

  private mutating func write(
    _ pieces: [Piece], _ own: UnsafeRawBufferPointer, _ sources: [MappedFile],
    _ vectors: UnsafeMutableBufferPointer<iovec>
  ) throws(SystemError) {
    var count = 0
    var byteCount = 0
    for piece in pieces where piece.byteCount > 0 {
      var rest: UnsafeRawBufferPointer
      var source: MappedFile?
      switch piece {
      case .made(let range):
        unsafe rest = UnsafeRawBufferPointer(rebasing: own[range])
      case .extent(let extent) where extent.swapsPairs:
        unsafe try flush(vectors, count)
        (count, byteCount) = (0, 0)
        try writeSwapped(extent, sources[extent.source])
        continue
      case .extent(let extent):
        let range = extent.offset..<extent.offset + extent.byteCount
        let file = sources[extent.source]
        unsafe rest =
          extent.byteCount < Self.runByteCount ? file.unsafeBytes(in: range) : file.unsafeRun(in: range)
        unsafe announce(rest, of: file)
        source = file
      }
      var prepared = source == nil ? rest.count : 0
      while unsafe !rest.isEmpty {
        if prepared == 0, let source { unsafe prepared = prepare(rest, of: source) }
        if count == vectors.count || byteCount == Self.maximumBytes {
          unsafe try flush(vectors, count)
          (count, byteCount) = (0, 0)
        }
        let part = unsafe UnsafeRawBufferPointer(
          rebasing: rest.prefix(min(Self.maximumBytes - byteCount, prepared)))
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
        prepared -= part.count
        // writev only reads what the vector points to.
        unsafe vectors[count] = iovec(
          iov_base: UnsafeMutableRawPointer(mutating: part.baseAddress), iov_len: part.count)
        count += 1
        byteCount += part.count
      }
    }
    unsafe try flush(vectors, count)
  }

  /// Prepares the first step of what is left of an extent, and returns its bytes: the step behind it is read meanwhile,
  /// and a large one is mapped at once instead of by a fault every few pages. Advice that the kernel does not know does
  /// no harm.
  private func prepare(_ rest: UnsafeRawBufferPointer, of source: MappedFile) -> Int {
    let step = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(Self.stepBytes))
    unsafe announce(UnsafeRawBufferPointer(rebasing: rest.dropFirst(step.count)), of: source)
    if step.count >= Self.runByteCount { unsafe source.advise(step, MADV_POPULATE_READ) }
    return step.count
  }

  /// Lets the kernel read the first step of an extent ahead.
  private func announce(_ bytes: UnsafeRawBufferPointer, of source: MappedFile) {
    guard bytes.count >= Self.announcedByteCount else { return }
    unsafe source.advise(UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.stepBytes)), MADV_WILLNEED)
  }

  private mutating func flush(_ vectors: UnsafeMutableBufferPointer<iovec>, _ count: Int) throws(SystemError)
  {
    var first = 0
    while first < count {
      var written = try unsafe writeSome(UnsafeBufferPointer(rebasing: vectors[first..<count]))
      while first < count, unsafe written >= vectors[first].iov_len {
        unsafe written -= vectors[first].iov_len
        first += 1
      }
      if written > 0 {
        unsafe vectors[first].iov_base += written
        unsafe vectors[first].iov_len -= written
      }
    }
  }

  /// At least one byte; waits where the descriptor does not block.
  private mutating func writeSome(_ vectors: UnsafeBufferPointer<iovec>) throws(SystemError) -> Int {
    do throws(Errno) {
      while true {
        do throws(Errno) {
          let written =
            if let offset {
              try unsafe SystemCalls.write(descriptor, vectors, at: offset)
            } else {
              try unsafe SystemCalls.write(descriptor, vectors)
            }
          guard written > 0 else { throw Errno(code: EIO) }
          if let offset { self.offset = offset + written }
          return written
        } catch let error where error.code == EAGAIN {
          try SystemCalls.waitUntilWritable(descriptor)
        } catch {
          throw error
        }
      }
    } catch {
      throw SystemError(.writeTarget, path, .call(offset == nil ? "writev" : "pwritev", error))
    }
  }

  /// Reads with pread, not through the mapping: a source that was truncated must not end the process.
  private mutating func writeSwapped(_ extent: Extent, _ source: MappedFile) throws(SystemError) {
    var position = extent.offset
    let end = extent.offset + extent.byteCount
    while position < end {
      // An even number of bytes, except perhaps the last time.
      let wanted = min(Self.swapBufferBytes, end - position)
      var buffer = try source.read(at: position, count: wanted)
      guard buffer.count == wanted else {
        throw SystemError(
          .readSource, source.path, .sourceChanged("it ends at byte \(position + buffer.count)"))
      }
      var index = 1
      while index < buffer.count {
        buffer.swapAt(index - 1, index)
        index += 2
      }
      try writeAll(buffer)
      position += wanted
    }
  }

  private mutating func writeAll(_ buffer: [UInt8]) throws(SystemError) {
    var failure: SystemError?
    // The vector points into the buffer, alive until the closure returns; writev only reads it.
    unsafe buffer.withUnsafeBytes { bytes in
      unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: 1) { vector in
        unsafe vector[0] = iovec(
          iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        do throws(SystemError) { try unsafe flush(vector, 1) } catch { failure = error }
      }
    }
    if let failure { throw failure }
  }
}
