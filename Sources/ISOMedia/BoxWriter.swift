public import ByteParsing

/// Writes boxes whose sizes are filled in when they end.
public struct BoxWriter {
  /// The bytes so far.
  public var writer = ByteWriter()

  /// An empty writer.
  public init() {}

  /// An empty writer with room for some bytes.
  public init(reserving count: Int) {
    writer.reserve(count)
  }

  /// Appends a box around what `body` writes.
  public mutating func box(_ type: FourCC, _ body: (inout ByteWriter) -> Void) {
    let start = begin(type)
    body(&writer)
    end(start)
  }

  /// Appends a full box around what `body` writes (ISO/IEC 14496-12, 4.2).
  public mutating func fullBox(
    _ type: FourCC, version: UInt8 = 0, flags: UInt32 = 0, _ body: (inout ByteWriter) -> Void
  ) {
    box(type) { writer in
      writer.put(UInt32(version) << 24 | flags)
      body(&writer)
    }
  }

  /// Appends a box around other boxes.
  public mutating func container(_ type: FourCC, _ body: (inout BoxWriter) -> Void) {
    let start = begin(type)
    body(&self)
    end(start)
  }

  /// Appends the header of a box whose content is written elsewhere: 16 bytes with a 64-bit size, or 8.
  public mutating func header(_ type: FourCC, boxByteCount: Int, is64Bit: Bool) {
    writer.put(is64Bit ? 1 : UInt32(boxByteCount))
    writer.put(type)
    if is64Bit { writer.put(UInt64(boxByteCount)) }
  }

  private mutating func begin(_ type: FourCC) -> Int {
    let start = writer.count
    // A size of 0, which `end` fills in, and the type.
    writer.put(UInt64(type.rawValue))
    return start
  }

  private mutating func end(_ start: Int) {
    writer.patch(UInt32(writer.count - start), at: start)
  }
}
