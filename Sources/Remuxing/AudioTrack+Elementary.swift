import ByteParsing
import EnhancedAC3
import ISOMedia
import SystemIO

extension AudioTrack {
  /// The only track of an elementary stream whose first access unit lies at `start`.
  ///
  /// Throws where a syncframe should start and does not.
  init(elementary file: MappedFile, from start: Int, byteOrder: ByteOrder) throws(Failure) {
    let whole = SampleExtent(offset: start, byteCount: file.byteCount - start, sampleCount: 1)
    var ahead = ReadAhead([whole], of: file)
    let elementary = try parsing(file.path) { () throws(ParsingError) in
      try ElementaryIndex(walking: file.bytes, from: start, byteOrder: byteOrder) { ahead.read($0) }
    }
    let index = AccessUnitIndex(elementary)
    let unit = try Self.parseUnit(0, of: index, in: file, byteOrder)
    let rate = unit.format.sampleRate
    self.init(
      file: file, id: 1, containerFacts: nil, index: index, byteOrder: byteOrder, sampleRate: rate,
      findings: elementary.findings(byteOrder), first: .success(unit),
      edits: .success(Timeline(all: elementary.count, rate: rate)))
  }
}

extension ElementaryIndex {
  /// What is not as it should be around and in the stream.
  fileprivate func findings(_ byteOrder: ByteOrder) -> [Finding] {
    var findings: [Finding] = []
    if start > 0 {
      findings.append(
        Finding(.streamHead, .note, "\(start) bytes in front of the first sync word are passed over"))
    }
    if byteOrder == .littleEndian {
      findings.append(
        Finding(.streamSwapped, .note, "the stream's words are byte-swapped (0x770B); outputs are big-endian")
      )
    }
    switch tail {
    case .none: break
    case .torn(let count):
      findings.append(
        Finding(.streamTorn, .warning, "the last access unit is cut off; its \(count) bytes are left out"))
    case .foreign(let count):
      findings.append(
        Finding(.streamTail, .note, "\(count) bytes behind the stream are a tag or zeros; they are left out"))
    }
    if let firstChange {
      findings.append(
        Finding(.streamChanges, .warning, "the stream's format changes at access unit \(firstChange)"))
    }
    return findings
  }
}
