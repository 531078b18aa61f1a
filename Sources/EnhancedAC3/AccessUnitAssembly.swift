import ByteParsing

/// Frames of one access unit as they come in: a round is one frame of each substream.
struct AccessUnitAssembly {
  let origin: Int
  private(set) var first: SyncFrame?
  private(set) var substreams: EchoedList<Substream>
  private(set) var states: EchoedList<SubstreamState>
  private(set) var objects: ObjectCoding?
  private(set) var syncFrameCount = 0
  private var rounds = 0
  private var positionInRound = 0
  private var independents = 0

  init(origin: Int, like model: AccessUnit?) {
    self.origin = origin
    substreams = EchoedList(model?.format.substreams ?? [])
    states = EchoedList(model?.states ?? [])
  }

  /// Whether all frames of six blocks are there.
  var isComplete: Bool {
    guard let first else { return false }
    return rounds * first.outline.blocks == AccessUnit.blocks && positionInRound == substreams.count
  }

  mutating func append(_ frame: SyncFrame, at offset: Int) throws(ParsingError) {
    syncFrameCount += 1
    let substream = Substream(frame)
    let startsRound = substream.streamType.isIndependent && substream.substreamID == 0
    if let first {
      guard frame.outline.sampleRate == first.outline.sampleRate, frame.outline.blocks == first.outline.blocks
      else {
        throw .malformed("the substreams of an access unit differ in sample rate or blocks", at: offset)
      }
    } else {
      guard startsRound else {
        throw .malformed("an access unit starts with substream \(substream.name), not with I0", at: offset)
      }
      first = frame
    }
    if startsRound {
      try endRound(at: offset)
      rounds += 1
      positionInRound = 0
    }
    if rounds == 1 {
      try appendToFirstRound(substream, frame, at: offset)
    } else {
      try match(substream, frame, at: offset)
    }
    positionInRound += 1
  }

  func requireSixBlocks() throws(ParsingError) {
    guard !isComplete, let first else { return }
    let blocks = rounds * first.outline.blocks
    guard blocks == AccessUnit.blocks else {
      throw .malformed(
        "an access unit holds \(blocks) block\(blocks == 1 ? "" : "s") of its first substream, not six",
        at: origin)
    }
    throw .malformed(
      "an access unit ends before its substream \(substreams[positionInRound].name)", at: origin)
  }

  private func endRound(at offset: Int) throws(ParsingError) {
    guard rounds == 0 || positionInRound == substreams.count else {
      throw .malformed("substream \(substreams[positionInRound].name) is missing in front of I0", at: offset)
    }
  }

  private mutating func appendToFirstRound(
    _ substream: Substream, _ frame: SyncFrame, at offset: Int
  ) throws(ParsingError) {
    if positionInRound > 0 {
      let last = substreams[positionInRound - 1]
      let isInOrder =
        substream.streamType.isIndependent
        ? substream.substreamID == independents
        : substream.substreamID == (last.streamType == .dependent ? last.substreamID + 1 : 0)
      guard isInOrder else {
        throw .malformed("substream \(substream.name) follows \(last.name)", at: offset)
      }
    }
    if substream.streamType.isIndependent { independents += 1 }
    substreams.append(substream)
    states.append(
      SubstreamState(
        dialogueNormalization: frame.dialogueNormalization, bitstreamMode: frame.bitstreamMode,
        byteCount: frame.outline.byteCount))
    noteObjects(frame, of: substream)
  }

  private mutating func match(_ substream: Substream, _ frame: SyncFrame, at offset: Int) throws(ParsingError)
  {
    guard positionInRound < substreams.count, substreams[positionInRound] == substream else {
      throw .malformed(
        "substream \(substream.name) differs from its first syncframe of the access unit", at: offset)
    }
    states[positionInRound].byteCount += frame.outline.byteCount
    if states[positionInRound].bitstreamMode == nil {
      states[positionInRound].bitstreamMode = frame.bitstreamMode
    }
    noteObjects(frame, of: substream)
  }

  /// Whether no second independent substream has come in this round.
  private var isInFirstProgramme: Bool {
    !(0...positionInRound).dropFirst().contains { substreams[$0].streamType.isIndependent }
  }

  /// TS 103 420, 8.2: the last dependent carries the objects where there is one, so every substream is asked.
  private mutating func noteObjects(_ frame: SyncFrame, of substream: Substream) {
    guard isInFirstProgramme, substream.codec == .enhancedAC3, objects?.complexity == nil else { return }
    if let complexity = frame.additional.objectComplexity {
      objects = ObjectCoding(complexity: complexity, carrier: substream.name)
    } else if frame.additional.hasInvalidObjectSignalling {
      objects = ObjectCoding(complexity: nil, carrier: substream.name)
    }
  }
}
