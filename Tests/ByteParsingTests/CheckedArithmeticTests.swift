import ByteParsing
import Testing

struct CheckedArithmeticTests {
  @Test(arguments: [(0, 0, 0), (Int.max - 1, 1, Int.max), (Int.min, Int.max, -1), (-5, 3, -2)])
  func `a sum that fits is the sum`(first: Int, second: Int, sum: Int) throws {
    #expect(try first.adding(second, at: 0) == sum)
  }

  @Test(arguments: [(Int.max, 1), (1, Int.max), (Int.max, Int.max), (Int.min, -1)])
  func `a sum beyond 64 bits is an error`(first: Int, second: Int) {
    let error = #expect(throws: ParsingError.self) { try first.adding(second, at: 77) }
    #expect(error?.offset == 77)
    #expect(error?.kind == .malformed)
  }

  @Test(arguments: [
    (0, Int.max, 0), (0x7fff_ffff, 0xffff_ffff, 0x7fff_fffe_8000_0001), (Int.max, 1, Int.max), (-3, 4, -12),
  ])
  func `a product that fits is the product`(first: Int, second: Int, product: Int) throws {
    #expect(try first.multiplied(by: second, at: 0) == product)
  }

  @Test(arguments: [(0xffff_ffff, 0xffff_ffff), (Int.max, 2), (Int.min, -1), (1 << 62, 2)])
  func `a product beyond 64 bits is an error`(first: Int, second: Int) {
    let error = #expect(throws: ParsingError.self) { try first.multiplied(by: second, at: 78) }
    #expect(error?.offset == 78)
  }

  @Test(arguments: [0, 1, UInt64(Int.max)]) func `a number of up to 63 bits is taken`(number: UInt64) throws {
    #expect(UInt64(try Int(checking: number, at: 0)) == number)
  }

  @Test(arguments: [UInt64(Int.max) + 1, UInt64.max])
  func `a number of 64 bits is an error that names it`(number: UInt64) {
    let error = #expect(throws: ParsingError.self) { try Int(checking: number, at: 79) }
    #expect(error == .malformed("the number \(number) exceeds 63 bits", at: 79))
  }
}
