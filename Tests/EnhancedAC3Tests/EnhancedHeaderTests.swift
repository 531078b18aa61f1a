import ByteParsing
import TestSupport
import Testing

@testable import EnhancedAC3

/// `addbsi` stands last in a header, so that it is only read right when every field in front of it is.
private let sentinel: [UInt8] = [0x01, 0x0c]

struct EnhancedHeaderTests {
  private func parse(_ bytes: [UInt8]) throws -> SyncFrame {
    try SyncFrame(parsing: bytes.rawBytes, origin: 0)
  }

  private func expectSentinel(
    _ frame: EnhancedFrame, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> SyncFrame {
    var marked = frame
    marked.additional = sentinel
    let parsed = try parse(marked.bytes)
    #expect(parsed.additional.byteCount == 2, comment, sourceLocation: sourceLocation)
    #expect(parsed.additional.objectComplexity?.index == 12, comment, sourceLocation: sourceLocation)
    #expect(parsed.dialogueNormalization == frame.dialnorm, comment, sourceLocation: sourceLocation)
    #expect(parsed.audioCodingMode == frame.codingMode, comment, sourceLocation: sourceLocation)
    #expect(parsed.hasLFE == frame.hasLFE, comment, sourceLocation: sourceLocation)
    return parsed
  }

  @Test func `the shortest header is nine bytes`() throws {
    // ... 10000 11011 compre 0, mixmdate 0, infomdate 0, addbsie 0
    let frame = try parse(hex("0b77 037f 3f 86 c0 00"))
    #expect(frame.dialogueNormalization == 27)
    #expect(frame.audioCodingMode == 7)
    #expect(frame.hasLFE)
    #expect(frame.channelCount == 6)
    #expect(frame.bitstreamMode == nil)
    #expect(frame.dialogueNormalization2 == nil)
    #expect(frame.channelMap == nil)
    #expect(frame.convertsFromHere == nil)
    #expect(frame.additional.byteCount == 0)
  }

  @Test(arguments: [
    (0, 2), (1, 1), (2, 2), (3, 3), (4, 3), (5, 4), (6, 4), (7, 5),
  ]) func `acmod names the channels`(mode: Int, channels: Int) throws {
    for hasLFE in [false, true] {
      let frame = try expectSentinel(
        .with {
          $0.codingMode = mode
          $0.hasLFE = hasLFE
        })
      #expect(frame.channelCount == channels + (hasLFE ? 1 : 0))
    }
  }

  @Test(arguments: 0...31) func `dialnorm has five bits from bit 45 on`(dialnorm: Int) throws {
    let frame = EnhancedFrame.with { $0.dialnorm = dialnorm }
    let bytes = frame.bytes
    #expect(Int(bytes[5] & 7) << 2 | Int(bytes[6] >> 6) == dialnorm)
    _ = try expectSentinel(frame)
  }

  @Test(arguments: [nil, 0, 0xff]) func `compr is passed over`(compr: Int?) throws {
    _ = try expectSentinel(.with { $0.compr = compr })
  }

  @Test(arguments: [nil, 0, 0xff]) func `dual mono has a second dialnorm and compr`(compr: Int?) throws {
    let frame = try expectSentinel(
      .with {
        $0.codingMode = 0
        $0.compr = compr
        $0.dialnorm2 = 9
        $0.compr2 = compr
      })
    #expect(frame.dialogueNormalization2 == 9)
  }

  @Test(arguments: [nil, 0x1a00, 0xa010, 0xffff, 0]) func `a dependent may have a channel map`(map: Int?)
    throws
  {
    let frame = try expectSentinel(
      .with {
        $0.streamType = 1
        $0.channelMap = map
      })
    #expect(frame.channelMap == map.map(UInt16.init))
    #expect(frame.convertsFromHere == nil)
  }

  @Test(arguments: [0, 1, 2]) func `an independent of fewer than six blocks says whether six start`(code: Int)
    throws
  {
    for convsync in [0, 1] {
      let frame = try expectSentinel(
        .with {
          $0.secondCode = code
          $0.convsync = convsync
        })
      #expect(frame.convertsFromHere == (convsync == 1))
    }
  }

  @Test(arguments: [0, 1, 2]) func `a dependent of fewer than six blocks does not`(code: Int) throws {
    let frame = try expectSentinel(
      .with {
        $0.streamType = 1
        $0.secondCode = code
      })
    #expect(frame.convertsFromHere == nil)
  }

  @Test(arguments: [(3, 1), (0, 0), (0, 1), (1, 0), (2, 1)])
  func `a converted frame has the AC-3 frame's size code`(code: Int, blkid: Int) throws {
    let frame = try expectSentinel(
      .with {
        $0.streamType = 2
        $0.secondCode = code
        $0.blkid = blkid
      })
    #expect(frame.outline.streamType == .converted)
    #expect(frame.convertsFromHere == nil)
  }

  @Test(arguments: 0...2) func `half rates imply six blocks and have no convsync`(code: Int) throws {
    for type in 0...2 {
      let frame = try expectSentinel(
        .with {
          $0.streamType = type
          $0.rateCode = 3
          $0.secondCode = code
        })
      #expect(frame.outline.blocks == 6)
      #expect(frame.convertsFromHere == nil)
    }
  }

  /// Table E1.2, `infomdate`.
  private func information(_ mode: Int, rateCode: Int, bsmod: Int, production: Int?, fill: Int) -> Bits {
    var bits = Bits((bsmod, 3), (fill, 1), (fill, 1))
    if mode == 2 { bits.put(fill * 0b1111, 4) }  // dsurmod, dheadphonmod
    if mode >= 6 { bits.put(fill * 0b11, 2) }  // dsurexmod
    for _ in 0..<(mode == 0 ? 2 : 1) { bits.putFlagged(production, 8) }  // mixlevel, roomtyp, adconvtyp
    if rateCode < 3 { bits.put(fill, 1) }  // sourcefscod
    return bits
  }

  @Test(arguments: 0...7) func `informational metadata is read for every acmod`(mode: Int) throws {
    for rateCode in 0...3 {
      for (bsmod, production, fill) in [(0, nil, 0), (0, nil, 1), (5, 0, 0), (7, 0xff, 1)]
        as [(Int, Int?, Int)]
      {
        let frame = try expectSentinel(
          .with {
            $0.codingMode = mode
            $0.rateCode = rateCode
            $0.secondCode = rateCode == 3 ? 1 : 3
            $0.information = information(
              mode, rateCode: rateCode, bsmod: bsmod, production: production, fill: fill)
          }, "fscod \(rateCode), fill \(fill)")
        #expect(frame.bitstreamMode == bsmod)
      }
    }
  }

  @Test func `a frame that ends inside its header is refused`() throws {
    let frame = EnhancedFrame.with { $0.additional = [UInt8](repeating: 1, count: 64) }
    let bytes = frame.bytes
    for count in 0..<frame.header.digits.count / 8 {
      #expect(throws: ParsingError.self, "\(count) bytes") { try parse(Array(bytes[..<count])) }
    }
  }

  @Test func `a header does not reach into the frame behind it`() {
    // 10 bytes, and addbsi of 64
    let frame = EnhancedFrame.with {
      $0.byteCount = 10
      $0.additional = [UInt8](repeating: 0, count: 64)
    }
    let error = #expect(throws: ParsingError.self) { try parse(frame.header.bytes(96)) }
    #expect(error?.kind == .malformed)
  }
}
