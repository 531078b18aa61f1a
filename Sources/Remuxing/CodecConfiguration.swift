import ByteParsing
import EnhancedAC3
import ISOMedia
import SystemIO

/// The configuration box of an output: the source's bytes where they agree with the bitstream, else made from it.
///
/// See DESIGN.md, 5.3.
struct CodecConfiguration: Sendable {
  /// `dec3` or `dac3`.
  let type: FourCC
  /// Its payload.
  let bytes: [UInt8]
  /// What was wrong with the source's box.
  let findings: [Finding]

  /// What was wrong with the source's box, as something that the output has right.
  var corrections: [Finding] {
    findings.map { Finding($0.code, .warning, "\($0.message); the output has \(type) \(bytes.hex)") }
  }

  /// kbit/s of access units of this size, to the nearest.
  static func dataRate(unitByteCount: Int, sampleRate: Int) -> Int {
    let unitSamples = 1000 * AccessUnit.samples
    return (2 * 8 * unitByteCount * sampleRate + unitSamples) / (2 * unitSamples)
  }

  /// The configuration for a range of a track.
  ///
  /// The entry is the one that the range uses; nil for an elementary stream. `largestSize` is that of the range's largest
  /// access unit, where it is known: it takes a look at all of them.
  init(
    _ units: Range<Int>, of track: AudioTrack, _ entry: AudioSampleEntry?, as range: RangeFormat,
    largestSize: Int? = nil
  ) {
    switch range.format.codec {
    case .enhancedAC3: self.init(enhanced: track, entry, units, range, largestSize)
    case .ac3: self.init(ac3: track, entry, range)
    }
  }

  private init(
    enhanced track: AudioTrack, _ entry: AudioSampleEntry?, _ units: Range<Int>, _ range: RangeFormat,
    _ largestSize: Int?
  ) {
    type = "dec3"
    let constant = track.constantSize
    let largest = constant ?? largestSize ?? track.index.largestSize(of: units, in: track.file.bytes)
    let rate = Self.dataRate(unitByteCount: largest, sampleRate: range.format.sampleRate)
    var made = EC3SpecificBox(describing: range.first, dataRate: rate, complexity: range.complexity)
    guard let entry else {
      (bytes, findings) = (made.bytes, [])
      return
    }
    guard let box = entry.child("dec3") else {
      bytes = made.bytes
      findings = [Finding(.dec3Missing, .error, "the sample entry has no dec3")]
      return
    }
    let payload = track.file.bytes.extracting(box.payload)
    guard let own = try? EC3SpecificBox(parsing: payload, origin: box.payload.lowerBound) else {
      bytes = made.bytes
      findings = [Finding(.dec3Malformed, .error, "dec3 cannot be parsed")]
      return
    }
    findings = own.disagreements(with: made, comparingDataRate: constant != nil)
    // The maximum of a varying rate is the whole stream's; a range can only show that it is too low.
    if constant == nil { made.dataRate = max(made.dataRate, own.dataRate) }
    bytes = findings.isEmpty ? payload.copied() : own.corrected(by: made).bytes
  }

  private init(ac3 track: AudioTrack, _ entry: AudioSampleEntry?, _ range: RangeFormat) {
    type = "dac3"
    let made = AC3SpecificBox(describing: range.first)
    guard let entry else {
      (bytes, findings) = (made.bytes, [])
      return
    }
    guard let box = entry.child("dac3") else {
      bytes = made.bytes
      findings = [Finding(.dac3Missing, .error, "the sample entry has no dac3")]
      return
    }
    let payload = track.file.bytes.extracting(box.payload)
    guard let own = try? AC3SpecificBox(parsing: payload, origin: box.payload.lowerBound) else {
      bytes = made.bytes
      findings = [Finding(.dac3Malformed, .error, "dac3 cannot be parsed")]
      return
    }
    findings =
      own.agrees(with: made)
      ? []
      : [
        Finding(
          .dac3Fields, .error, "dac3 \(own.bytes.hex) does not describe the bitstream: \(made.bytes.hex)")
      ]
    bytes = findings.isEmpty ? payload.copied() : made.bytes
  }
}

extension EC3SpecificBox {
  /// How the box contradicts what the bitstream says.
  fileprivate func disagreements(with stream: EC3SpecificBox, comparingDataRate: Bool) -> [Finding] {
    var findings: [Finding] = []
    func differ(_ code: Finding.Code, _ field: String, _ own: String, _ right: String) {
      findings.append(Finding(code, .error, "dec3 says \(field) \(own), the bitstream \(right)"))
    }
    if !independents.elementsEqual(stream.independents, by: { $0.dependentCount == $1.dependentCount }) {
      differ(.dec3Substreams, "independent and dependent substreams", countText, stream.countText)
    } else {
      for (index, (own, right)) in zip(independents, stream.independents).enumerated() {
        if own.channelLocations != right.channelLocations {
          differ(
            .dec3ChannelLocations, "chan_loc of I\(index)", own.channelLocations.text,
            right.channelLocations.text)
        }
        if !own.hasSameFields(as: right) {
          differ(.dec3Fields, "I\(index)", own.text, right.text)
        }
      }
    }
    if comparingDataRate, abs(dataRate - stream.dataRate) > 1 {
      differ(.dec3DataRate, "data_rate", "\(dataRate)", "\(stream.dataRate)")
    }
    switch (objectComplexity, stream.objectComplexity) {
    case (nil, let right?):
      findings.append(
        Finding(
          .dec3ObjectsMissing, .error,
          "dec3 does not signal joint object coding, the bitstream has complexity \(right.index)"))
    case (nil, nil) where hasInvalidObjectSignalling, (_?, nil):
      findings.append(
        Finding(.dec3ObjectsFalse, .error, "dec3 signals joint object coding, the bitstream has none"))
    case (let own?, let right?) where own != right:
      differ(.dec3ObjectsComplexity, "complexity", "\(own.index)", "\(right.index)")
    default: break
    }
    return findings
  }

  /// How many independent substreams there are, and how many depend on each.
  private var countText: String {
    let dependents = independents.map { "\($0.dependentCount)" }.joined(separator: "+")
    return "\(independents.count) and \(dependents)"
  }

  /// What the bitstream says, with everything kept that it does not contradict: `asvc`, which no bitstream tells,
  /// `bsmod`, which may change from frame to frame, a rate off by one, and a tail that signals the same.
  fileprivate func corrected(by stream: EC3SpecificBox) -> EC3SpecificBox {
    var box = stream
    if abs(dataRate - stream.dataRate) <= 1 { box.dataRate = dataRate }
    if objectComplexity == stream.objectComplexity, !hasInvalidObjectSignalling { box.tail = tail }
    guard independents.count == stream.independents.count else { return box }
    for (index, own) in independents.enumerated() {
      box.independents[index].isAssociatedService = own.isAssociatedService
      box.independents[index].bitstreamMode = own.bitstreamMode
      if own.hasSameFields(as: stream.independents[index]) {
        box.independents[index].sampleRateCode = own.sampleRateCode
      }
    }
    return box
  }
}

extension EC3SpecificBox.IndependentSubstream {
  /// At half rates some writers put the family's code where the bitstream has 3; both are accepted.
  fileprivate func hasSameFields(as stream: Self) -> Bool {
    bitstreamID == stream.bitstreamID && audioCodingMode == stream.audioCodingMode && hasLFE == stream.hasLFE
      && (sampleRateCode == stream.sampleRateCode || stream.sampleRateCode == 3)
  }

  fileprivate var text: String {
    "fscod \(sampleRateCode) bsid \(bitstreamID) acmod \(audioCodingMode) lfeon \(hasLFE ? 1 : 0)"
  }
}

extension ChannelLocations {
  /// The nine bits as three hexadecimal digits.
  var text: String {
    let digits = String(bits, radix: 16)
    return "0x" + String(repeating: "0", count: 3 - digits.count) + digits
  }
}

extension AC3SpecificBox {
  /// `bsmod` may change from frame to frame and is not compared.
  fileprivate func agrees(with stream: AC3SpecificBox) -> Bool {
    var other = stream
    other.bitstreamMode = bitstreamMode
    return self == other
  }
}

extension [UInt8] {
  /// The bytes as hexadecimal digits.
  public var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
