import Foundation
import TestSupport
import Testing

@testable import SystemIO

@Suite struct DevicePairsTests {
  @Test func `nothing is remembered at first`() {
    let pairs = DevicePairs()
    #expect(!pairs.mentions(source: 1))
    #expect(!pairs.contains(source: 1, target: 2))
  }

  @Test func `a pair is a pair, in this order`() {
    let pairs = DevicePairs()
    pairs.insert(source: 1, target: 2)
    #expect(pairs.contains(source: 1, target: 2))
    #expect(!pairs.contains(source: 2, target: 1))
    #expect(!pairs.contains(source: 1, target: 1))
    #expect(pairs.mentions(source: 1))
    #expect(!pairs.mentions(source: 2))
  }

  @Test func `a source alone is a hint and no pair`() {
    let pairs = DevicePairs()
    pairs.insert(source: 7, target: nil)
    #expect(pairs.mentions(source: 7))
    #expect(!pairs.contains(source: 7, target: 7))
  }

  @Test func `numbers of more than 32 bits are not remembered`() {
    let pairs = DevicePairs()
    pairs.insert(source: 1 << 32 | 5, target: 5)
    pairs.insert(source: 5, target: 1 << 32 | 5)
    #expect(!pairs.mentions(source: 5))
    #expect(!pairs.contains(source: 1 << 32 | 5, target: 5))
  }

  @Test func `a full table keeps what it has and forgets the rest`() {
    let pairs = DevicePairs()
    for device in 1...200 { pairs.insert(source: UInt(device), target: UInt(device + 1)) }
    #expect((1...200).filter { pairs.contains(source: UInt($0), target: UInt($0 + 1)) } == Array(1...64))
    pairs.insert(source: 3, target: 4)
    #expect(pairs.contains(source: 64, target: 65))
  }

  @Test func `threads may add at once`() {
    let pairs = DevicePairs()
    DispatchQueue.concurrentPerform(iterations: 400) { index in
      pairs.insert(source: UInt(1 + index % 40), target: 9)
    }
    #expect((1...40).allSatisfy { pairs.contains(source: UInt($0), target: 9) })
    for device in 100 as UInt..<124 { pairs.insert(source: device, target: 9) }
    #expect(
      (100 as UInt..<124).allSatisfy { pairs.contains(source: $0, target: 9) }, "a pair took two places")
  }
}
