import ByteParsing
import TestSupport
import Testing

@testable import EnhancedAC3

/// Frames by name: "I0" and "D1" of E-AC-3, each as short as it can be told from the others.
func frames(_ names: String, _ change: (inout EnhancedFrame) -> Void = { _ in }) -> [[UInt8]] {
  names.split(separator: " ").map { name in
    EnhancedFrame.with {
      $0.streamType = name.hasPrefix("I") ? 0 : 1
      $0.substreamID = Int(name.dropFirst()) ?? 0
      $0.byteCount = $0.streamType == 0 ? 96 : 64
      change(&$0)
    }.bytes
  }
}

struct AccessUnitTests {
  /// numblkscod, and how many rounds of its frames make six blocks.
  /// What it is compared with is only a guess: it saves memory and never changes what is read.
  @Test(arguments: StreamFixture.all)
  func `an access unit is the same whatever it is like`(fixture: StreamFixture) throws {
    let bytes = try fixture.firstUnit()
    let alone = try AccessUnit(parsing: bytes.rawBytes, origin: 0)
    for other in StreamFixture.all {
      let model = try parseUnit([try other.firstUnit()])
      #expect(try AccessUnit(parsing: bytes.rawBytes, origin: 0, like: model) == alone, "\(other.name)")
    }
  }

  @Test(arguments: [(0, 6, 1), (1, 3, 2), (2, 2, 3), (3, 1, 6)])
  func `six blocks make an access unit`(code: Int, rounds: Int, blocks: Int) throws {
    for names in ["I0", "I0 D0", "I0 D0 D1", "I0 I1", "I0 D0 I1 D0 D1", "I0 I1 I2 I3 I4 I5 I6 I7"] {
      let round = frames(names) { $0.secondCode = code }
      let unit = try parseUnit((0..<rounds).flatMap { _ in round })
      #expect(unit.format.substreams.map(\.name.description).joined(separator: " ") == names)
      #expect(unit.format.blocksPerSyncFrame == blocks)
      #expect(unit.format.sampleRate == 48000)
      #expect(unit.syncFrameCount == rounds * round.count)
      #expect(unit.substreamByteCounts == round.map { rounds * $0.count })
      #expect(unit.dialogueNormalizations == round.map { _ in 27 })
      #expect(unit.paddingByteCount == 0)
      #expect(unit.startsConversion == (code == 3 ? nil : true))
      #expect(unit.ac3SizeCode == nil)
    }
  }

  @Test func `dependents belong to the independent in front of them`() throws {
    let unit = try parseUnit(frames("I0 D0 D1 I1 I2 D0"))
    let programmes = unit.format.programmes
    #expect(programmes.map(\.independent.name.description) == ["I0", "I1", "I2"])
    #expect(programmes.map { $0.dependents.map(\.name.description) } == [["D0", "D1"], [], ["D0"]])
    #expect(unit.format.main == programmes[0])
    #expect(unit.format.codec == .enhancedAC3)
  }

  @Test func `an AC-3 frame is an access unit`() throws {
    let unit = try parseUnit([PlainFrame.with { $0.bsmod = 2 }.bytes])
    #expect(unit.format.codec == .ac3)
    #expect(unit.ac3SizeCode == 10)
    #expect(unit.bitstreamModes == [2])
    #expect(unit.format.main.independent.codec == .ac3)
    #expect(unit.startsConversion == nil)
    #expect(unit.objects == nil)
  }

  @Test func `an AC-3 frame may have E-AC-3 dependents`() throws {
    let unit = try parseUnit([PlainFrame().bytes] + frames("D0") { $0.channelMap = 0x1a00 })
    #expect(unit.format.substreams.map(\.name.description) == ["I0", "D0"])
    #expect(unit.format.codec == .enhancedAC3)
    #expect(unit.substreamByteCounts == [320, 64])
  }

  @Test func `a frame converted from AC-3 may start it`() throws {
    let unit = try parseUnit(frames("I0") { $0.streamType = 2 })
    #expect(unit.format.main.independent.streamType == .converted)
    #expect(unit.format.main.independent.name.description == "I0")
  }

  @Test func `each substream has its own dialnorm and bsmod`() throws {
    let first = EnhancedFrame.with { $0.dialnorm = 31 }
    let dependent = EnhancedFrame.with {
      $0.streamType = 1
      $0.dialnorm = 1
    }
    let second = EnhancedFrame.with {
      $0.substreamID = 1
      $0.dialnorm = 20
      $0.codingMode = 1
      $0.hasLFE = false
      $0.information = Bits((5, 3), (0, 2), (0, 1), (0, 1))
    }
    let unit = try parseUnit([first.bytes, dependent.bytes, second.bytes])
    #expect(unit.dialogueNormalizations == [31, 1, 20])
    #expect(unit.bitstreamModes == [nil, nil, 5])
  }

  @Test func `a bsmod that only a later frame states counts`() throws {
    let silent = EnhancedFrame.with { $0.secondCode = 2 }
    var stating = silent
    stating.information = Bits((3, 3), (0, 2), (0, 2), (0, 1), (0, 1))
    #expect(try parseUnit([silent.bytes, stating.bytes]).bitstreamModes == [3])
    #expect(try parseUnit([stating.bytes, silent.bytes]).bitstreamModes == [3])
  }

  @Test(arguments: [0, 1]) func `the first frame says whether six blocks start`(convsync: Int) throws {
    let first = EnhancedFrame.with {
      $0.secondCode = 2
      $0.convsync = convsync
    }
    let unit = try parseUnit([first.bytes] + frames("I0") { $0.secondCode = 2 })
    #expect(unit.startsConversion == (convsync == 1))
  }

  @Test(arguments: [1, 2, 5, 6, 100]) func `zeros behind the last frame are padding`(count: Int) throws {
    let unit = try parseUnit(frames("I0 D0") + [[UInt8](repeating: 0, count: count)])
    #expect(unit.paddingByteCount == count)
    #expect(unit.syncFrameCount == 2)
  }

  @Test func `the first unit of every fixture has the codec and rate of the index`() throws {
    for stream in StreamFixture.all {
      let unit = try parseUnit([try stream.firstUnit()])
      #expect(unit.format.sampleRate == stream.sampleRate)
      #expect(unit.format.codec == (stream.name.hasSuffix(".ac3") ? .ac3 : .enhancedAC3))
      #expect(unit.paddingByteCount == 0)
    }
  }

  /// `Tests/Media/INDEX.tsv`, purpose and notes.
  @Test(
    arguments: [
      ("ddp51.ec3", "I0", [320], [27], 1), ("ddp71.ec3", "I0 D0", [320, 256], nil, 1),
      ("ddp2ind.ec3", "I0 I1", [320, 128], nil, 1), ("ddp-3blk.ec3", "I0", [512], nil, 2),
      ("ddp-1blk.ec3", "I0", [768], nil, 6), ("ddp20-24k.ec3", "I0", [256], nil, 1),
    ] as [(String, String, [Int], [Int]?, Int)])
  func `fixtures have these substreams`(
    name: String, substreams: String, bytes: [Int], dialnorm: [Int]?, frames: Int
  ) throws {
    let stream = try #require(StreamFixture.all.first { $0.name == name })
    let unit = try parseUnit([try stream.firstUnit()])
    #expect(unit.format.substreams.map(\.name.description).joined(separator: " ") == substreams)
    #expect(unit.substreamByteCounts == bytes)
    #expect(unit.syncFrameCount == frames * bytes.count)
    if let dialnorm { #expect(unit.dialogueNormalizations == dialnorm) }
    if frames > 1 { #expect(unit.startsConversion == true) }
  }
}
