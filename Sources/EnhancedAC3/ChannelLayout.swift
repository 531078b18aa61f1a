/// Where the channels of a programme are played, as the 16 bits of `chanmap`.
///
/// Source: ETSI TS 102 366, E.1.3.1.8; ATSC A/52, Table 5.8 for `acmod`.
public struct ChannelLayout: Equatable, Sendable {
  /// One bit of `chanmap`: a channel or a pair.
  private struct Location {
    let bit: UInt16
    let names: [String]
    let isHeight: Bool

    init(_ bit: UInt16, _ names: String..., isHeight: Bool = false) {
      self.bit = bit
      self.names = names
      self.isHeight = isHeight
    }
  }

  /// All locations in the order in which they are printed.
  private static let locations = [
    Location(0x8000, "L"), Location(0x2000, "R"), Location(0x4000, "C"), Location(0x0001, "LFE"),
    Location(0x1000, "Ls"), Location(0x0800, "Rs"), Location(0x0100, "Cs"), Location(0x0200, "Lrs", "Rrs"),
    Location(0x0400, "Lc", "Rc"), Location(0x0040, "Lsd", "Rsd"), Location(0x0020, "Lw", "Rw"),
    Location(0x0002, "LFE2"), Location(0x0010, "Lvh", "Rvh", isHeight: true),
    Location(0x0008, "Cvh", isHeight: true), Location(0x0080, "Ts", isHeight: true),
    Location(0x0004, "Lts", "Rts", isHeight: true),
  ]

  private static let lfeBits: UInt16 = 0x0003

  /// The locations of `acmod` without the LFE; both channels of dual mono (0) count as L and R.
  private static let codingModeBits: [UInt16] = [
    0xa000, 0x4000, 0xa000, 0xe000, 0xa100, 0xe100, 0xb800, 0xf800,
  ]

  /// The locations as `chanmap` bits.
  public let bits: UInt16
  /// Two mono programmes instead of left and right.
  public let isDualMono: Bool

  /// The layout of one independent substream and all its dependents.
  ///
  /// A dependent's channels replace those of the same location and add the others (ATSC A/52, E3.8).
  public init(_ programme: Programme) {
    let dependents = programme.dependents.reduce(UInt16(0)) { $0 | Self.bits(of: $1) }
    bits = Self.bits(of: programme.independent) | dependents
    isDualMono = programme.independent.audioCodingMode == 0
  }

  static func bits(of substream: Substream) -> UInt16 {
    if let map = substream.channelMap { return map }
    return codingModeBits[substream.audioCodingMode] | (substream.hasLFE ? 1 : 0)
  }

  /// The channels' names in the order L R C LFE Ls Rs, then the others.
  public var channelNames: [String] {
    if isDualMono { return ["Ch1", "Ch2"] + Self.names(bits & ~0xa000) }
    return Self.names(bits)
  }

  /// Channels, the LFE included.
  public var channelCount: Int { channelNames.count }

  /// Ear-level channels, LFEs and, if there are any, heights: "5.1", "7.1.4"; "1+1" for dual mono.
  public var name: String {
    let heights = Self.count(bits) { $0.isHeight }
    let lfes = Self.count(bits & Self.lfeBits) { _ in true }
    let ears = Self.count(bits & ~Self.lfeBits) { !$0.isHeight }
    if isDualMono { return lfes == 0 ? "1+1" : "1+1.\(lfes)" }
    return "\(ears).\(lfes)" + (heights > 0 ? ".\(heights)" : "")
  }

  private static func names(_ bits: UInt16) -> [String] {
    locations.filter { bits & $0.bit != 0 }.flatMap(\.names)
  }

  private static func count(_ bits: UInt16, where isCounted: (Location) -> Bool) -> Int {
    locations.filter { bits & $0.bit != 0 && isCounted($0) }.reduce(0) { $0 + $1.names.count }
  }
}

/// `chan_loc` of `dec3`: what all dependents of one independent substream add, in nine bits.
///
/// L, C, R, Ls, Rs, LFE and Lts/Rts cannot be said in it. Source: ETSI TS 102 366, Table F.6.1.
public struct ChannelLocations: Equatable, Sendable {
  /// Bit 0 is Lc/Rc, bit 8 is LFE2.
  public let bits: Int

  /// From the nine bits of a box.
  public init(bits: Int) {
    self.bits = bits
  }

  /// What these dependents add.
  public init(_ dependents: [Substream]) {
    let map = dependents.reduce(UInt16(0)) { $0 | ($1.channelMap ?? 0) }
    // chan_loc bits 0...7 are chanmap bits 10...3; bit 8 is chanmap bit 1.
    let low = (0...7).reduce(0) { $0 | Int(map >> UInt16(10 - $1) & 1) << $1 }
    bits = low | Int(map >> 1 & 1) << 8
  }
}
