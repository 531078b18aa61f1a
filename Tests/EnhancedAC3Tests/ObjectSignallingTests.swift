import ByteParsing
import TestSupport
import Testing

@testable import EnhancedAC3

/// Joint object coding in `addbsi` (ETSI TS 103 420, 8.3).
struct ObjectSignallingTests {
  private func additional(_ bytes: [UInt8]) throws -> AdditionalInformation {
    let frame = EnhancedFrame.with { $0.additional = bytes }.bytes
    return try SyncFrame(parsing: frame.rawBytes, origin: 0).additional
  }

  @Test(arguments: 1...16) func `a complexity of 1 to 16 is joint object coding`(complexity: Int) throws {
    let found = try additional([0x01, UInt8(complexity)])
    #expect(found.objectComplexity?.index == complexity)
    #expect(!found.hasInvalidObjectSignalling)
    #expect(found.byteCount == 2)
  }

  @Test(arguments: ["01 10 00", "01 10 ff ff ff ff"]) func `longer addbsi is accepted`(bytes: String) throws {
    let found = try additional(hex(bytes))
    #expect(found.objectComplexity?.index == 16)
    #expect(found.byteCount == hex(bytes).count)
  }

  @Test(arguments: ["01", "01 00", "01 11", "01 ff", "01 00 10"])
  func `the flag without an index in range is invalid signalling`(bytes: String) throws {
    let found = try additional(hex(bytes))
    #expect(found.objectComplexity == nil)
    #expect(found.hasInvalidObjectSignalling)
  }

  @Test(arguments: ["00", "00 10", "03 10", "81 10", "02 10", "80", "ff ff", "10 01"])
  func `reserved bits or no flag are no joint object coding`(bytes: String) throws {
    let found = try additional(hex(bytes))
    #expect(found.objectComplexity == nil)
    #expect(!found.hasInvalidObjectSignalling)
    #expect(found.byteCount == hex(bytes).count)
  }

  @Test(arguments: [1, 2, 3, 63, 64]) func `addbsi is 1 to 64 bytes`(count: Int) throws {
    var bytes = [UInt8](repeating: 0xff, count: count)
    #expect(try additional(bytes).byteCount == count)
    bytes[0] = 1
    #expect(try additional(bytes).hasInvalidObjectSignalling)
    guard count > 1 else { return }
    bytes[1] = 16
    #expect(try additional(bytes).objectComplexity?.index == 16)
  }

  @Test func `no addbsi says nothing`() throws {
    let found = try additional([])
    #expect(found.byteCount == 0)
    #expect(found.objectComplexity == nil)
    #expect(!found.hasInvalidObjectSignalling)
  }

  @Test(arguments: [-1, 0, 17, 255, Int.max]) func `there is no complexity out of range`(index: Int) {
    #expect(ObjectComplexity(index: index) == nil)
  }
}
