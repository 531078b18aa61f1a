import EnhancedAC3

/// Programs that are known to write a configuration wrongly in a way of their own.
///
/// Told from files that they wrote of streams with known contents.
struct KnownWriter {
  /// What the sample entry says.
  let own: EC3SpecificBox
  /// What the bitstream says.
  let stream: EC3SpecificBox
  /// An access unit of the bitstream.
  let unit: AccessUnit

  /// Who writes a configuration with this fault; nil where nobody is known to, or several are.
  func name(for code: Finding.Code) -> String? {
    switch code {
    case .dec3ObjectsMissing:
      // FFmpeg looks at the first frame of an access unit only, Bento4 too.
      unit.objects?.carrier.isIndependent ?? true ? "FFmpeg before 8" : "FFmpeg or Bento4"
    case .dec3ChannelLocations: channelLocations
    case .dec3DataRate: dataRate
    case .dec3Substreams: substreams
    default: nil
    }
  }

  private var channelLocations: String? {
    let programmes = unit.format.programmes
    guard programmes.count == own.independents.count, programmes.count == stream.independents.count else {
      return nil
    }
    var name: String?
    for (index, programme) in programmes.enumerated() {
      let (bits, right) = (
        own.independents[index].channelLocations, stream.independents[index].channelLocations
      )
      guard bits != right else { continue }
      let map = programme.dependents.reduce(UInt16(0)) { $0 | ($1.channelMap ?? 0) }
      // FFmpeg takes bits 5 to 9 of the map as they are, the others the nine bits in the wrong order.
      if bits.bits == Int(map >> 5) & 0x1f {
        name = "FFmpeg"
      } else if bits.bits == Self.reversed(right.bits) {
        name = "L-SMASH or GPAC 0.4"
      } else {
        return nil
      }
    }
    return name
  }

  private var dataRate: String? {
    let rounds = AccessUnit.blocks / unit.format.blocksPerSyncFrame
    let total = unit.substreamByteCounts.reduce(0, +) * rounds
    let first = CodecConfiguration.dataRate(
      unitByteCount: unit.substreamByteCounts[0] * rounds, sampleRate: unit.format.sampleRate)
    if unit.substreamByteCounts.count > 1, abs(own.dataRate - first) <= 1 { return "FFmpeg" }
    // The size of an access unit over four is the rate at 48 kHz only.
    return unit.format.sampleRate != 48000 && own.dataRate == total / 4 ? "Bento4" : nil
  }

  private var substreams: String? {
    if own.independents.count > stream.independents.count, unit.format.blocksPerSyncFrame < AccessUnit.blocks
    {
      return "GPAC"
    }
    return own.independents.count == 1 && stream.independents.count > 1 ? "L-SMASH" : nil
  }

  private static func reversed(_ bits: Int) -> Int {
    (0..<9).reduce(0) { $0 | (bits >> $1 & 1) << (8 - $1) }
  }
}
