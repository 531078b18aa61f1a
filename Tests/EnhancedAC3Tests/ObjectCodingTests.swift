import TestSupport
import Testing

@testable import EnhancedAC3

/// Which substream's `addbsi` counts for an access unit (ETSI TS 103 420, 8.2 and 8.3).
struct ObjectCodingTests {
  private func frame(_ name: String, _ additional: [UInt8] = [], blocks: Int = 6) -> [UInt8] {
    frames(name) {
      $0.additional = additional
      $0.secondCode = [1: 0, 2: 1, 3: 2][blocks] ?? 3
    }[0]
  }

  private func objects(_ frames: [UInt8]...) throws -> ObjectCoding? {
    try parseUnit(frames).objects
  }

  @Test func `the independent substream signals it where there is no other`() throws {
    let found = try objects(frame("I0", [1, 16]))
    #expect(
      found
        == ObjectCoding(
          complexity: ObjectComplexity(index: 16),
          carrier: Substream.Name(isIndependent: true, substreamID: 0)))
  }

  @Test func `a dependent may signal it`() throws {
    #expect(try objects(frame("I0"), frame("D0", [1, 12]))?.carrier.description == "D0")
    #expect(try objects(frame("I0"), frame("D0"), frame("D1", [1, 12]))?.carrier.description == "D1")
    #expect(try objects(frame("I0"), frame("D0"), frame("D1", [1, 12]))?.complexity?.index == 12)
  }

  @Test func `no substream signals it`() throws {
    #expect(try objects(frame("I0")) == nil)
    #expect(try objects(frame("I0", [0, 16]), frame("D0", [2, 16])) == nil)
  }

  @Test func `a right signal goes before an invalid one`() throws {
    #expect(
      try objects(frame("I0", [1, 0]))
        == ObjectCoding(complexity: nil, carrier: Substream.Name(isIndependent: true, substreamID: 0)))
    #expect(try objects(frame("I0", [1, 0]), frame("D0", [1, 5]))?.complexity?.index == 5)
    #expect(try objects(frame("I0", [1, 5]), frame("D0", [1, 0]))?.complexity?.index == 5)
    #expect(try objects(frame("I0", [1]))?.complexity == nil)
    #expect(try objects(frame("I0", [1]))?.carrier.description == "I0")
  }

  @Test func `only the first programme counts`() throws {
    #expect(try objects(frame("I0"), frame("I1", [1, 5])) == nil)
    #expect(try objects(frame("I0"), frame("I1"), frame("D0", [1, 5])) == nil)
    #expect(try objects(frame("I0", [1, 7]), frame("I1", [1, 5]))?.complexity?.index == 7)
  }

  @Test func `a later frame of the six blocks may signal it`() throws {
    let silent = frame("I0", blocks: 3)
    let signalling = frame("I0", [1, 5], blocks: 3)
    #expect(try objects(signalling, silent)?.complexity?.index == 5)
    #expect(try objects(silent, signalling)?.complexity?.index == 5)
  }

  @Test func `a later frame counts when there are two programmes, and then only the first`() throws {
    let silent = frame("I0", blocks: 3)
    let signalling = frame("I0", [1, 5], blocks: 3)
    let other = frame("I1", blocks: 3)
    let otherSignalling = frame("I1", [1, 9], blocks: 3)
    #expect(try objects(silent, other, signalling, other)?.complexity?.index == 5)
    #expect(try objects(silent, other, silent, otherSignalling) == nil)
    #expect(try objects(silent, otherSignalling, signalling, otherSignalling)?.complexity?.index == 5)
  }

  @Test func `AC-3 has no joint object coding`() throws {
    #expect(try objects(PlainFrame.with { $0.additional = [1, 16] }.bytes) == nil)
  }

  /// `Tests/Media/INDEX.tsv`: addbsi 01 03 in every frame.
  @Test func `every access unit of the fixture signals it`() throws {
    let bytes = try Media.bytes("joc51.ec3")
    for start in stride(from: 0, to: bytes.count, by: 320) {
      #expect(try objects(Array(bytes[start..<start + 320]))?.complexity?.index == 3)
    }
    #expect(try objects(Array(try Media.bytes("ddp51.ec3")[..<320])) == nil)
  }
}
