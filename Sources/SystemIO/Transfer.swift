import Glibc

/// Moves the pieces of one output into a file, each extent by the cheapest way that is allowed and works.
///
/// What is written from memory waits until something else interrupts it, so that a clip takes as few calls as it can:
/// one for its blocks, one for its header and first edge, one for its last edge.
struct Transfer: ~Copyable {
  /// A source from which this output cannot be moved in one way.
  private struct FileRefusal: Hashable {
    let way: KernelMethod
    let source: Int
  }

  /// Whole blocks of this size are moved; file systems with smaller ones take them, with larger ones refuse them.
  private static let blockByteCount = 4096
  /// A smaller extent is written sooner than its blocks are shared; this and the next are measured in perf/runs.
  static let smallestClone = 128 << 10
  /// A smaller extent is written sooner than a server is asked to copy it.
  static let smallestCopy = 1 << 20
  /// From here on a copy is read ahead as a sequence.
  private static let longCopy = 8 << 20
  /// Pieces that wait at the most.
  private static let maximumWaiting = 1024

  private let descriptor: Int32
  private let path: FilePath
  private let method: CopyMethod
  private let made: [UInt8]
  private let sources: [MappedFile]
  /// Where the next byte goes, behind what waits.
  private(set) var position: Int
  private var waiting: [Piece] = []
  private var waitingByteCount = 0
  private var knownTargetDevice: UInt?
  private var refusals: Set<FileRefusal> = []
  private(set) var report = TransferReport()

  init(
    to descriptor: Int32, path: FilePath, at position: Int, method: CopyMethod, made: [UInt8],
    sources: [MappedFile]
  ) {
    self.descriptor = descriptor
    self.path = path
    self.position = position
    self.method = method
    self.made = made
    self.sources = sources
  }

  /// Moves all pieces.
  ///
  /// Throws `cannotMove` when the method was asked for by name and cannot be; else when the kernel refuses a write, or
  /// when a source ends too soon.
  mutating func move(_ pieces: [Piece]) throws(SystemError) {
    // Of a piece whose middle is moved, two edges wait.
    waiting.reserveCapacity(min(pieces.count + 1, Self.maximumWaiting))
    for piece in pieces {
      if case .extent(let extent) = piece {
        try move(extent)
      } else {
        try hold(piece)
      }
    }
    try writeWaiting()
  }

  private mutating func move(_ extent: Extent) throws(SystemError) {
    var rest = extent
    if try canClone(extent) {
      rest = try moveBlocks(rest, by: .clone)
    }
    if try canCopy(rest) {
      rest = try moveBlocks(rest, by: .copy)
    }
    try hold(.extent(rest))
  }

  /// Moves an extent from its first whole block on, as far as the method goes; returns what is left.
  private mutating func moveBlocks(_ extent: Extent, by way: KernelMethod) throws(SystemError) -> Extent {
    let edge = range(of: extent).edge(blockByteCount: Self.blockByteCount) ?? 0
    let (start, rest) = extent.divided(at: edge)
    try hold(.extent(start))
    var range = range(of: rest)
    if way == .clone { range.byteCount -= range.byteCount % Self.blockByteCount }
    if way == .copy, range.byteCount >= Self.longCopy {
      SystemCalls.advise(sources[extent.source].descriptor, POSIX_FADV_SEQUENTIAL)
    }
    let moved = try move(range, of: extent.source, by: way)
    guard moved > 0 else { return rest }
    // Blocks first, then what goes in front of them: where nothing moves, one call writes it all.
    try writeWaiting()
    position += moved
    switch way {
    case .clone: report.clonedByteCount += moved
    case .copy: report.copiedByteCount += moved
    }
    return rest.divided(at: moved).rest
  }

  private mutating func move(
    _ whole: TransferRange, of number: Int, by way: KernelMethod
  ) throws(SystemError) -> Int {
    let source = sources[number]
    var range = whole
    while range.byteCount > 0 {
      do throws(Errno) {
        let count = try way.move(range, from: source.descriptor, to: descriptor)
        guard count > 0 else { break }
        range = range.dropFirst(count)
      } catch {
        guard let refusal = Refusal(error) else {
          throw SystemError(.writeTarget, path, .call(way.call, error))
        }
        guard way.method != method else {
          throw SystemError(.writeTarget, path, .cannotMove(method, "\(error.text) (\(way.call))"))
        }
        try remember(refusal, of: number, by: way)
        return range.sourceOffset - whole.sourceOffset
      }
    }
    guard range.byteCount == 0 else {
      throw SystemError(.readSource, source.path, .sourceChanged("it ends at byte \(range.sourceOffset)"))
    }
    return whole.byteCount
  }

  private func range(of extent: Extent) -> TransferRange {
    TransferRange(sourceOffset: extent.offset, targetOffset: position, byteCount: extent.byteCount)
  }
}

// What is allowed.
extension Transfer {
  private mutating func canClone(_ extent: Extent) throws(SystemError) -> Bool {
    let isLarge = extent.byteCount >= Self.smallestClone
    let edge = range(of: extent).edge(blockByteCount: Self.blockByteCount)
    switch method {
    case .gather, .copy:
      return false
    case .auto:
      guard isLarge, edge != nil, !extent.swapsPairs else { return false }
      return try !isRefused(.clone, extent.source)
    case .clone:
      // What is asked for by name is done or told; small extents are packed without regard to blocks.
      guard !isLarge || !extent.swapsPairs else {
        throw SystemError(.writeTarget, path, .cannotMove(.clone, "every two bytes are exchanged on the way"))
      }
      guard !isLarge || edge != nil else {
        throw SystemError(
          .writeTarget, path, .cannotMove(.clone, "blocks begin elsewhere in the output than in the source"))
      }
      guard let edge, !extent.swapsPairs else { return false }
      return extent.byteCount - edge >= Self.blockByteCount
    }
  }

  private mutating func canCopy(_ extent: Extent) throws(SystemError) -> Bool {
    guard !extent.swapsPairs else { return false }
    switch method {
    case .gather, .clone: return false
    case .copy: return extent.byteCount >= Self.blockByteCount
    case .auto:
      // On a disk of its own a file system copies no faster than we write; elsewhere there may be a server that does.
      guard extent.byteCount >= Self.smallestCopy, !sources[extent.source].identity.isOnBlockDevice else {
        return false
      }
      return try !isRefused(.copy, extent.source)
    }
  }

  private mutating func isRefused(_ way: KernelMethod, _ source: Int) throws(SystemError) -> Bool {
    if refusals.contains(FileRefusal(way: way, source: source)) { return true }
    let device = sources[source].identity.device
    guard way.refusals.mentions(source: device) else { return false }
    return way.refusals.contains(source: device, target: try targetDevice())
  }

  private mutating func remember(
    _ refusal: Refusal, of source: Int, by way: KernelMethod
  ) throws(SystemError) {
    refusals.insert(FileRefusal(way: way, source: source))
    guard refusal == .devices else { return }
    let device = sources[source].identity.device
    // The first refusal is only a hint: a process that makes one output need not ask for the target's device.
    let target = way.refusals.mentions(source: device) ? try targetDevice() : nil
    way.refusals.insert(source: device, target: target)
  }

  private mutating func targetDevice() throws(SystemError) -> UInt {
    if let knownTargetDevice { return knownTargetDevice }
    do throws(Errno) {
      let device = FileIdentity(try SystemCalls.status(of: descriptor)).device
      knownTargetDevice = device
      return device
    } catch {
      throw SystemError(.writeTarget, path, .call("fstat", error))
    }
  }
}

// What is written from memory.
extension Transfer {
  private mutating func hold(_ piece: Piece) throws(SystemError) {
    guard piece.byteCount > 0 else { return }
    waiting.append(piece)
    waitingByteCount += piece.byteCount
    position += piece.byteCount
    if case .extent = piece { report.gatheredByteCount += piece.byteCount }
    if waiting.count == Self.maximumWaiting { try writeWaiting() }
  }

  private mutating func writeWaiting() throws(SystemError) {
    guard !waiting.isEmpty else { return }
    var gather = Gather(to: descriptor, path: path, at: position - waitingByteCount)
    try gather.write(waiting, made: made, sources: sources)
    waiting.removeAll(keepingCapacity: true)
    waitingByteCount = 0
  }
}
