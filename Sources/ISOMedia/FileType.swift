public import ByteParsing

/// `ftyp`: which specifications the file follows (ISO/IEC 14496-12, 4.3).
public struct FileType: Equatable, Sendable {
  /// The brand that fits best.
  public var majorBrand: FourCC
  /// Informative version of the major brand.
  public var minorVersion: UInt32
  /// All brands that a reader may rely on.
  public var compatibleBrands: [FourCC]

  /// A file type from its parts.
  public init(majorBrand: FourCC, minorVersion: UInt32 = 0, compatibleBrands: [FourCC]) {
    self.majorBrand = majorBrand
    self.minorVersion = minorVersion
    self.compatibleBrands = compatibleBrands
  }

  /// Parses the payload of `ftyp`; brands beyond the 64th are left out.
  public init(parsing cursor: inout ByteCursor) throws(ParsingError) {
    majorBrand = try cursor.readFourCC()
    minorVersion = try cursor.read()
    compatibleBrands = []
    while cursor.remaining >= 4, compatibleBrands.count < 64 {
      compatibleBrands.append(try cursor.readFourCC())
    }
  }

  /// Appends the box.
  public func write(to boxes: inout BoxWriter) {
    boxes.box("ftyp") { writer in
      writer.put(majorBrand)
      writer.put(minorVersion)
      for brand in compatibleBrands { writer.put(brand) }
    }
  }
}
