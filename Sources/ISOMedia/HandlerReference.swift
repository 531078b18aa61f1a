public import ByteParsing

/// `hdlr`: what kind of media a track holds (ISO/IEC 14496-12, 8.4.3).
public struct HandlerReference: Equatable, Sendable {
  /// `soun` for audio, `vide` for video.
  public var type: FourCC
  /// The name, for people; without the terminating zero or QuickTime's length byte.
  public var name: [UInt8]

  /// A handler from its parts.
  public init(type: FourCC, name: [UInt8]) {
    self.type = type
    self.name = name
  }

  /// Parses the payload of `hdlr`; names end at the first zero and after 1,024 bytes.
  public init(parsing cursor: inout ByteCursor) throws(ParsingError) {
    _ = try FullBoxHeader(parsing: &cursor)
    let componentType = try cursor.readFourCC()
    type = try cursor.readFourCC()
    try cursor.skip(12)
    var text = try cursor.readBytes(min(cursor.remaining, 1024))
    if componentType == "mhlr", let length = text.first, Int(length) < text.count {
      text = Array(text[1..<1 + Int(length)])
    }
    name = Array(text.prefix { $0 != 0 })
  }

  /// Appends the box.
  public func write(to boxes: inout BoxWriter) {
    boxes.fullBox("hdlr") { writer in
      writer.putZeros(4)
      writer.put(type)
      writer.putZeros(12)
      writer.put(bytes: name)
      writer.put(UInt8(0))
    }
  }
}
