extension Int {
  /// The sum, or an error at `offset` where it leaves 64 bits.
  @inlinable
  public func adding(_ other: Int, at offset: Int) throws(ParsingError) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    guard !overflow else { throw .malformed("a sum of sizes or counts exceeds 64 bits", at: offset) }
    return sum
  }

  /// The product, or an error at `offset` where it leaves 64 bits.
  @inlinable
  public func multiplied(by other: Int, at offset: Int) throws(ParsingError) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    guard !overflow else { throw .malformed("a product of sizes or counts exceeds 64 bits", at: offset) }
    return product
  }

  /// A 64-bit number from a file as an `Int`, or an error where it does not fit.
  @inlinable
  public init(checking value: UInt64, at offset: Int) throws(ParsingError) {
    guard let number = Int(exactly: value) else {
      throw .malformed("the number \(value) exceeds 63 bits", at: offset)
    }
    self = number
  }
}
