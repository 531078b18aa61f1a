import ByteParsing
import TestSupport
import Testing

@testable import EnhancedAC3

/// Access units whose frames do not make one: each with the offset that its error names.
struct MalformedAccessUnitTests {
  private func error(_ frames: [[UInt8]], sourceLocation: SourceLocation = #_sourceLocation) -> ParsingError?
  {
    let error = #expect(throws: ParsingError.self, sourceLocation: sourceLocation) {
      try parseUnit(frames, origin: 1000)
    }
    #expect(error?.kind == .malformed, sourceLocation: sourceLocation)
    return error
  }

  /// Independents of six blocks are 96 bytes, dependents 64.
  @Test(arguments: [
    ("D0", 1000), ("D0 I0", 1000), ("I1", 1000), ("I1 I0", 1000), ("I0 I2", 1096), ("I0 D1", 1096),
    ("I0 D0 D0", 1160), ("I0 D0 D2", 1160), ("I0 I1 I1", 1192), ("I0 I1 D1", 1192), ("I0 D0 I1 D1", 1256),
    ("I0 D0 I2", 1160), ("I0 I1 I3", 1192),
  ])
  func `substreams that are missing or out of order are refused`(names: String, offset: Int) {
    #expect(error(frames(names))?.offset == offset)
  }

  @Test(arguments: [("I0 I0", 12), ("I0 D0 I0 D0", 12), ("I0 I0 I0", 18)])
  func `more than six blocks are refused`(names: String, blocks: Int) {
    #expect(error(frames(names))?.message.contains("\(blocks) blocks") == true)
  }

  /// numblkscod, rounds of one frame.
  @Test(arguments: [(0, 1), (0, 5), (0, 7), (0, 12), (1, 1), (1, 2), (1, 4), (2, 1), (2, 3), (2, 4)])
  func `fewer or more blocks than six are refused`(code: Int, rounds: Int) {
    let found = error((0..<rounds).flatMap { _ in frames("I0") { $0.secondCode = code } })
    #expect(found?.offset == 1000)
    #expect(found?.message.contains("not six") == true)
  }

  @Test(arguments: [
    // The end, in front of the second round's dependents
    ("I0 D0 I0", 1000), ("I0 D0 D1 I0 D0", 1000), ("I0 I1 I0", 1000), ("I0 D0 I1 I0 D0", 1000),
    // A dependent of the first round is missing in the second, or the other way round
    ("I0 D0 D1 I0 D0 I0", 1384), ("I0 I0 D0", 1192), ("I0 I0 I1", 1192), ("I0 D0 I0 D1", 1256),
    ("I0 I1 I0 D0", 1288), ("I0 D0 I0 I1", 1256),
  ])
  func `rounds of different substreams are refused`(names: String, offset: Int) {
    #expect(error(frames(names) { $0.secondCode = 2 })?.offset == offset)
  }

  @Test func `a substream that changes between its frames is refused`() {
    let first = EnhancedFrame.with { $0.secondCode = 2 }
    let changes: [(inout EnhancedFrame) -> Void] = [
      { $0.codingMode = 6 }, { $0.hasLFE = false }, { $0.bitstreamID = 15 }, { $0.streamType = 2 },
    ]
    for change in changes {
      var second = first
      change(&second)
      #expect(error([first.bytes, second.bytes])?.offset == 1096)
    }
  }

  @Test func `substreams of different sample rates or blocks are refused`() {
    #expect(error(frames("I0") + frames("D0") { $0.rateCode = 1 })?.offset == 1096)
    #expect(error(frames("I0") + frames("I1") { $0.secondCode = 2 })?.offset == 1096)
    #expect(error(frames("I0") { $0.secondCode = 2 } + frames("I0") { $0.secondCode = 1 })?.offset == 1096)
  }

  @Test func `two AC-3 frames are refused`() {
    #expect(error([PlainFrame().bytes, PlainFrame().bytes])?.message.contains("12 blocks") == true)
  }

  @Test func `bytes that are no frame are refused where they start`() {
    #expect(error([])?.offset == 1000)
    #expect(error([[0, 0, 0, 0, 0, 0, 0]])?.offset == 1000)
    #expect(error(frames("I0") + [[1]])?.offset == 1096)
    #expect(error(frames("I0") + [[0, 0, 0, 1]])?.offset == 1096)
    #expect(error(frames("I0") + [[UInt8](repeating: 0xff, count: 64)])?.offset == 1096)
    // Padding between frames, where frames are still to come
    #expect(
      error(frames("I0") { $0.secondCode = 2 } + [[0, 0]] + frames("I0") { $0.secondCode = 2 })?.offset
        == 1096)
    #expect(error(frames("I0") + [[0, 0]] + frames("D0"))?.offset == 1096)
  }

  @Test func `a unit that is cut off anywhere is refused`() {
    let bytes = frames("I0 D0").flatMap { $0 }
    for count in 0..<bytes.count where count != 96 {
      // The frame, or a byte of its header that is missing
      let start = count < 96 ? 1000 : 1096
      let offset = error([Array(bytes[..<count])])?.offset
      #expect(offset.map { (start..<start + 7).contains($0) } == true, "\(count) bytes")
    }
    // What is left at 96 is a unit of its own.
    #expect(throws: Never.self) { try parseUnit([Array(bytes[..<96])]) }
  }

  @Test func `a frame that states more bytes than there are is refused`() {
    let long = EnhancedFrame.with { $0.byteCount = 4096 }.bytes
    let found = error([Array(long[..<100])])
    #expect(found?.message.contains("a syncframe of 4096 bytes does not fit into the 100 left") == true)
  }

  @Test func `a frame of an unknown bsid is unsupported`() {
    let unknown = frames("I0") { $0.bitstreamID = 17 }
    let found = #expect(throws: ParsingError.self) { try parseUnit(unknown) }
    #expect(found?.kind == .unsupported)
  }
}
