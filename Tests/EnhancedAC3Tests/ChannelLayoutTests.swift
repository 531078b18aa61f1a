import TestSupport
import Testing

@testable import EnhancedAC3

struct ChannelLayoutTests {
  /// The layout of one programme: I0, and a dependent for each channel map.
  private func layout(mode: Int, lfe: Bool, _ maps: [Int?] = [], dependentMode: Int = 2) throws
    -> ChannelLayout
  {
    let main = EnhancedFrame.with {
      $0.codingMode = mode
      $0.hasLFE = lfe
    }
    let dependents = maps.enumerated().map { index, map in
      EnhancedFrame.with {
        $0.streamType = 1
        $0.substreamID = index
        $0.codingMode = dependentMode
        $0.hasLFE = false
        $0.channelMap = map
      }.bytes
    }
    return ChannelLayout(try parseUnit([main.bytes] + dependents).format.main)
  }

  /// ATSC A/52, Table 5.8.
  @Test(arguments: [
    (0, false, "1+1", "Ch1 Ch2"), (0, true, "1+1.1", "Ch1 Ch2 LFE"), (1, false, "1.0", "C"),
    (1, true, "1.1", "C LFE"),
    (2, false, "2.0", "L R"), (2, true, "2.1", "L R LFE"), (3, false, "3.0", "L R C"),
    (4, false, "3.0", "L R Cs"),
    (5, false, "4.0", "L R C Cs"), (6, false, "4.0", "L R Ls Rs"), (7, false, "5.0", "L R C Ls Rs"),
    (7, true, "5.1", "L R C LFE Ls Rs"),
  ])
  func `acmod and lfeon name a layout`(mode: Int, lfe: Bool, name: String, channels: String) throws {
    let layout = try layout(mode: mode, lfe: lfe)
    #expect(layout.name == name)
    #expect(layout.channelNames.joined(separator: " ") == channels)
    #expect(layout.channelCount == channels.split(separator: " ").count)
    #expect(layout.isDualMono == (mode == 0))
  }

  /// ETSI TS 102 366, E.1.3.1.8: what each bit adds to mono.
  @Test(arguments: [
    (0x8000, ["L"]), (0x2000, ["R"]), (0x1000, ["Ls"]), (0x0800, ["Rs"]), (0x0400, ["Lc", "Rc"]),
    (0x0200, ["Lrs", "Rrs"]), (0x0100, ["Cs"]), (0x0080, ["Ts"]), (0x0040, ["Lsd", "Rsd"]),
    (0x0020, ["Lw", "Rw"]),
    (0x0010, ["Lvh", "Rvh"]), (0x0008, ["Cvh"]), (0x0004, ["Lts", "Rts"]), (0x0002, ["LFE2"]),
    (0x0001, ["LFE"]),
  ]) func `a bit of chanmap adds its channels`(map: Int, added: [String]) throws {
    let layout = try layout(mode: 1, lfe: false, [map])
    #expect(Set(layout.channelNames) == Set(added + ["C"]))
    #expect(layout.channelCount == added.count + 1)
  }

  @Test(
    arguments: [
      // Ls and Rs of the dependent replace those of I0
      ([0x1a00], "7.1", 8, "L R C LFE Ls Rs Lrs Rrs"), ([0x0200], "7.1", 8, "L R C LFE Ls Rs Lrs Rrs"),
      ([0xa010], "5.1.2", 8, "L R C LFE Ls Rs Lvh Rvh"), ([0x0100], "6.1", 7, "L R C LFE Ls Rs Cs"),
      ([0x0200, 0x0010, 0x0004], "7.1.4", 12, "L R C LFE Ls Rs Lrs Rrs Lvh Rvh Lts Rts"),
      ([0x0002], "5.2", 7, "L R C LFE Ls Rs LFE2"), ([0x0060], "9.1", 10, "L R C LFE Ls Rs Lsd Rsd Lw Rw"),
      ([0xffff], "14.2.6", 22, "L R C LFE Ls Rs Cs Lrs Rrs Lc Rc Lsd Rsd Lw Rw LFE2 Lvh Rvh Cvh Ts Lts Rts"),
    ] as [([Int], String, Int, String)])
  func `dependents add channels to 5.1`(maps: [Int], name: String, count: Int, channels: String) throws {
    let layout = try layout(mode: 7, lfe: true, maps)
    #expect(layout.name == name)
    #expect(layout.channelNames.joined(separator: " ") == channels)
    #expect(layout.channelCount == count)
  }

  @Test func `a dependent without a map has the channels of its acmod`() throws {
    let layout = try layout(mode: 2, lfe: true, [nil], dependentMode: 6)
    #expect(layout.channelNames == ["L", "R", "LFE", "Ls", "Rs"])
  }

  @Test func `only the programme's own dependents count`() throws {
    let other = EnhancedFrame.with {
      $0.substreamID = 1
      $0.codingMode = 2
    }
    let height = EnhancedFrame.with {
      $0.streamType = 1
      $0.channelMap = 0x0010
    }
    let format = try parseUnit([EnhancedFrame().bytes, other.bytes, height.bytes]).format
    #expect(format.programmes.map { ChannelLayout($0).name } == ["5.1", "2.1.2"])
  }

  @Test(arguments: [
    ("ddp71.ec3", "7.1"), ("joc51.ec3", "5.1"), ("ddp20-44k1.ec3", "2.0"), ("ac3-51.ac3", "5.1"),
  ])
  func `fixtures have their layouts`(name: String, layout: String) throws {
    let stream = try #require(StreamFixture.all.first { $0.name == name })
    let unit = try parseUnit([try stream.firstUnit()])
    #expect(ChannelLayout(unit.format.main).name == layout)
  }
}

struct ChannelLocationsTests {
  private func locations(_ maps: Int?...) throws -> ChannelLocations {
    let dependents = maps.enumerated().map { index, map in
      EnhancedFrame.with {
        $0.streamType = 1
        $0.substreamID = index
        $0.channelMap = map
      }.bytes
    }
    return ChannelLocations(try parseUnit([EnhancedFrame().bytes] + dependents).format.main.dependents)
  }

  /// ETSI TS 102 366, Table F.6.1.
  @Test(arguments: [
    (0x0400, 0x001), (0x0200, 0x002), (0x0100, 0x004), (0x0080, 0x008), (0x0040, 0x010), (0x0020, 0x020),
    (0x0010, 0x040), (0x0008, 0x080), (0x0002, 0x100),
  ]) func `a bit of chanmap has its bit of chan_loc`(map: Int, bits: Int) throws {
    #expect(try locations(map).bits == bits)
  }

  @Test(arguments: [0x8000, 0x4000, 0x2000, 0x1000, 0x0800, 0x0004, 0x0001])
  func `the others cannot be said`(map: Int) throws {
    #expect(try locations(map).bits == 0)
  }

  @Test func `all dependents are put together`() throws {
    #expect(try locations(0x1a00).bits == 0x002)
    #expect(try locations(0xa010).bits == 0x040)
    #expect(try locations(0x1a00, 0x0010, 0x0002).bits == 0x142)
    #expect(try locations(0xffff).bits == 0x1ff)
    #expect(try locations().bits == 0)
    #expect(try locations(nil).bits == 0)
  }
}
