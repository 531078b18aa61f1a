import Remuxing
import SystemIO

/// The text of a manifest, whatever it is packed in: plain, or LZ4 frames, told by the first four bytes.
struct ManifestBytes: ~Copyable {
  let input: InputFile
  /// Bytes read of the file, packed or not.
  private(set) var bytesRead: Int
  private let end: Int?
  /// Whether they are LZ4 frames.
  var isPacked: Bool { decoder != nil }
  /// Bytes that have been handed out, of plain text.
  var bytesTaken: Int { bytesRead - packedRange.count }
  /// What an index says of the frames that are still to be read; nil where there is none.
  private var frames: ArraySlice<PackIndex.Frame>?
  /// Of the frame that is being read.
  private var lineCount = 0
  private var endsWithLine = false
  private var packed: [UInt8]
  private var packedRange: Range<Int>
  /// Nil for plain text.
  private var decoder: LZ4Decoder?

  /// Reads all of an input, or only some frames of a file, which must be as its index says.
  ///
  /// Throws when it cannot be read.
  init(_ input: InputFile, frames: ArraySlice<PackIndex.Frame>? = nil) throws(Failure) {
    self.input = input
    self.frames = frames
    bytesRead = frames?.first?.bytes.lowerBound ?? 0
    end = frames.map { $0.last?.bytes.upperBound ?? 0 }
    packed = [UInt8](repeating: 0, count: Self.bufferByteCount)
    packedRange = 0..<0
    var head: [UInt8] = []
    while head.count < 4, try refill() {
      head += packed[packedRange]
      packedRange = 0..<0
    }
    packed.replaceSubrange(0..<head.count, with: head)
    packedRange = 0..<head.count
    let magic = Array(head.prefix(4))
    if LZ4Magic.isFrame(magic) {
      guard let decoder = LZ4Decoder() else {
        throw Failure(.resources, "there is no memory to decode LZ4", path: input.path)
      }
      self.decoder = decoder
    } else if LZ4Magic.isLegacy(magic) {
      throw Failure(
        .unsupported, "the manifest is in the legacy LZ4 format", path: input.path,
        advice: "pack it without lz4 -l")
    } else if let first = frames?.first {
      throw PackIndex.wrong(input, first.bytes.lowerBound, "its index says that a frame begins here")
    }
  }

  /// Throws when nothing has been read yet but the start of what is no manifest.
  func requireText() throws(Failure) {
    guard !isPacked else { return }
    try ManifestHead.require(packed[packedRange], of: input.path)
  }

  /// Puts the next bytes of text into a buffer.
  ///
  /// Returns how many; 0 at the end. Throws when the manifest cannot be read or decoded.
  mutating func read(into text: inout [UInt8]) throws(Failure) -> Int {
    guard let decoder else { return try readPlain(into: &text) }
    return try readFrames(decoder, into: &text)
  }

  private mutating func readPlain(into text: inout [UInt8]) throws(Failure) -> Int {
    if packedRange.isEmpty { _ = try refill() }
    let count = min(packedRange.count, text.count)
    let taken = packedRange.lowerBound..<packedRange.lowerBound + count
    text.replaceSubrange(0..<count, with: packed[taken])
    packedRange = taken.upperBound..<packedRange.upperBound
    return count
  }

  private mutating func readFrames(
    _ decoder: LZ4Decoder, into text: inout [UInt8]
  ) throws(Failure) -> Int {
    while true {
      let isAtEnd = packedRange.isEmpty ? try !refill() : false
      let step = try decode(decoder, into: &text)
      packedRange = packedRange.lowerBound + step.taken..<packedRange.upperBound
      if frames != nil { countLines(text.span.extracting(first: step.made)) }
      if decoder.isBetweenFrames, step.taken > 0 { try endFrame() }
      if step.made > 0 { return step.made }
      guard isAtEnd else { continue }
      guard decoder.isBetweenFrames, frames?.isEmpty ?? true else {
        throw failure("it ends inside a frame")
      }
      return 0
    }
  }

  private mutating func countLines(_ text: Span<UInt8>) {
    for index in 0..<text.count where text[index] == UInt8(ascii: "\n") { lineCount += 1 }
    if let last = text.indices.last { endsWithLine = text[last] == UInt8(ascii: "\n") }
  }

  /// Compares a frame that has been read with what the index says of it.
  private mutating func endFrame() throws(Failure) {
    guard let frame = frames?.popFirst() else { return }
    guard bytesRead - packedRange.count == frame.bytes.upperBound else {
      throw PackIndex.wrong(
        input, bytesRead - packedRange.count,
        "a frame ends here, and its index says at byte \(frame.bytes.upperBound)")
    }
    guard lineCount == frame.jobs.count, endsWithLine else {
      throw PackIndex.wrong(
        input, frame.bytes.lowerBound,
        "the frame's lines are \(lineCount), and its index says \(frame.jobs.count)")
    }
    lineCount = 0
  }

  private func decode(_ decoder: LZ4Decoder, into text: inout [UInt8]) throws(Failure) -> LZ4Decoder.Step {
    do throws(LZ4Decoder.Fault) {
      return try decoder.decode(packed.span.extracting(packedRange), into: &text)
    } catch {
      throw failure("its LZ4 frames are damaged (\(error.text))")
    }
  }

  /// Reads on; false at the end.
  private mutating func refill() throws(Failure) -> Bool {
    let count: Int
    do throws(SystemError) {
      if let end {
        count = min(try input.read(into: &packed, at: bytesRead), end - bytesRead)
      } else {
        count = try input.read(into: &packed)
      }
    } catch {
      throw Failure(error)
    }
    bytesRead += count
    packedRange = 0..<count
    return count > 0
  }

  private func failure(_ message: String) -> Failure {
    Failure(
      .manifestMalformed, message, path: input.path, offset: bytesRead - packedRange.count,
      advice: "get an undamaged copy of the manifest")
  }

  /// Bytes that are read and decoded at once.
  static let bufferByteCount = 64 << 10
}

/// The first four bytes of what LZ4 writes, little-endian.
enum LZ4Magic {
  private static let frame: [UInt8] = [0x04, 0x22, 0x4d, 0x18]
  private static let legacy: [UInt8] = [0x02, 0x21, 0x4c, 0x18]

  /// A frame, or one of the sixteen kinds of skippable frames.
  static func isFrame(_ head: [UInt8]) -> Bool {
    head == frame || head.count == 4 && head[0] & 0xf0 == 0x50 && head[1...] == [0x2a, 0x4d, 0x18]
  }

  static func isLegacy(_ head: [UInt8]) -> Bool { head == legacy }
}
