import ByteParsing

/// When something was made and last changed, in seconds since 1904-01-01 UTC.
public struct MovieTimes: Equatable, Sendable {
  /// Creation time.
  public var creation: UInt64
  /// Modification time.
  public var modification: UInt64

  /// Two times.
  public init(creation: UInt64 = 0, modification: UInt64 = 0) {
    self.creation = creation
    self.modification = modification
  }

  init(parsing cursor: inout ByteCursor, version: UInt8) throws(ParsingError) {
    creation = try cursor.readVersioned(version)
    modification = try cursor.readVersioned(version)
  }

  func write(to writer: inout ByteWriter, version: UInt8) {
    writer.putVersioned(creation, version)
    writer.putVersioned(modification, version)
  }

  var largest: UInt64 { max(creation, modification) }
}

/// The version of a header box that can hold these numbers: 1 has 64-bit fields, 0 has 32-bit fields.
func headerVersion(holding numbers: UInt64...) -> UInt8 {
  numbers.allSatisfy { $0 < UInt64(UInt32.max) } ? 0 : 1
}

extension ByteCursor {
  /// A number that is 64 bits wide in version 1 and 32 in version 0.
  @_lifetime(self: copy self)
  mutating func readVersioned(_ version: UInt8) throws(ParsingError) -> UInt64 {
    version == 1 ? try read() : UInt64(try read(UInt32.self))
  }

  /// A duration; all ones, which mean "unknown", become nil.
  @_lifetime(self: copy self)
  mutating func readDuration(_ version: UInt8) throws(ParsingError) -> UInt64? {
    let value = try readVersioned(version)
    return value == (version == 1 ? UInt64.max : UInt64(UInt32.max)) ? nil : value
  }
}

extension ByteWriter {
  mutating func putVersioned(_ value: UInt64, _ version: UInt8) {
    if version == 1 { put(value) } else { put(UInt32(truncatingIfNeeded: value)) }
  }

  mutating func putDuration(_ value: UInt64?, _ version: UInt8) {
    putVersioned(value ?? .max, version)
  }

  /// The transformation that changes nothing (ISO/IEC 14496-12, 8.2.2.2).
  mutating func putUnityMatrix() {
    put(UInt32(0x1_0000))
    putZeros(12)
    put(UInt32(0x1_0000))
    putZeros(12)
    put(UInt32(0x4000_0000))
  }
}
