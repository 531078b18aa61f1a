import TestSupport
import Testing

@testable import EnhancedAC3

struct StreamFormatTests {
  private func format(_ frames: EnhancedFrame...) throws -> StreamFormat {
    try parseUnit(frames.map(\.bytes)).format
  }

  private func expectDifference(
    _ mine: StreamFormat, _ theirs: StreamFormat, _ field: String, _ value: String, _ other: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = mine.difference(to: theirs)
    #expect(found?.field == field, sourceLocation: sourceLocation)
    #expect(found?.mine == value, sourceLocation: sourceLocation)
    #expect(found?.theirs == other, sourceLocation: sourceLocation)
    let back = theirs.difference(to: mine)
    #expect(back?.field == field, sourceLocation: sourceLocation)
    #expect(back?.mine == other, sourceLocation: sourceLocation)
    #expect(mine != theirs, sourceLocation: sourceLocation)
  }

  @Test func `equal formats do not differ, whatever else does`() throws {
    let loud = try format(.with { $0.dialnorm = 1 })
    let joint = try format(
      .with {
        $0.dialnorm = 31
        $0.byteCount = 200
        $0.additional = [1, 16]
      })
    #expect(loud.difference(to: joint) == nil)
    #expect(loud == joint)
  }

  @Test func `the codec goes first`() throws {
    let plain = try parseUnit([
      PlainFrame.with {
        $0.rateCode = 2
        $0.byteCount = 480
      }.bytes
    ]).format
    expectDifference(plain, try format(EnhancedFrame()), "codec", "ac-3", "ec-3")
  }

  @Test func `then the sample rate`() throws {
    expectDifference(
      try format(EnhancedFrame()),
      try format(
        .with { $0.rateCode = 1 },
        .with {
          $0.streamType = 1
          $0.rateCode = 1
        }),
      "sample rate", "48000 Hz", "44100 Hz")
  }

  @Test func `then the substreams`() throws {
    let dependent = EnhancedFrame.with { $0.streamType = 1 }
    let second = EnhancedFrame.with { $0.substreamID = 1 }
    expectDifference(
      try format(EnhancedFrame()), try format(EnhancedFrame(), dependent), "substreams", "I0", "I0+D0")
    expectDifference(
      try format(EnhancedFrame(), second), try format(EnhancedFrame(), dependent), "substreams", "I0+I1",
      "I0+D0")
  }

  @Test func `then the first substream that differs`() throws {
    let first = EnhancedFrame()
    expectDifference(try format(first), try format(.with { $0.codingMode = 6 }), "acmod of I0", "7", "6")
    expectDifference(try format(first), try format(.with { $0.hasLFE = false }), "lfeon of I0", "1", "0")
    expectDifference(try format(first), try format(.with { $0.bitstreamID = 15 }), "bsid of I0", "16", "15")
    expectDifference(try format(first), try format(.with { $0.streamType = 2 }), "strmtyp of I0", "0", "2")
    let mapped = EnhancedFrame.with {
      $0.streamType = 1
      $0.channelMap = 0x1a00
    }
    var unmapped = mapped
    unmapped.channelMap = nil
    expectDifference(
      try format(first, mapped), try format(first, unmapped), "chanmap of D0", "0x1a00", "none")
  }

  @Test func `substreams of another codec are told`() throws {
    let dependent = frames("D0")
    let plain = try parseUnit([PlainFrame().bytes] + dependent).format
    let enhanced = try parseUnit(frames("I0") + dependent).format
    expectDifference(plain, enhanced, "codec of I0", "ac-3", "ec-3")
  }

  @Test func `a half rate and a full one of the same frequency cannot be mixed up`() throws {
    // 24 kHz as fscod 3 in E-AC-3, and as bsid 9 in AC-3
    let half = try format(
      .with {
        $0.rateCode = 3
        $0.secondCode = 0
      })
    let old = try parseUnit([PlainFrame.with { $0.bitstreamID = 9 }.bytes]).format
    #expect(half.sampleRate == 24000)
    #expect(old.sampleRate == 24000)
    expectDifference(half, old, "codec", "ec-3", "ac-3")
  }

  @Test func `the blocks of a syncframe go last`() throws {
    let parts = try parseUnit(frames("I0 I0") { $0.secondCode = 2 }).format
    expectDifference(try format(EnhancedFrame()), parts, "blocks per syncframe", "6", "3")
  }
}
