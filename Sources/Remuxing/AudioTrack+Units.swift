import ByteParsing
public import EnhancedAC3
import ISOMedia
import SystemIO

extension AudioTrack {
  /// The size that all access units have; nil when they differ.
  public var constantSize: Int? { index.constantSize(in: file.bytes) }

  /// Where a range of access units lies, neighbours merged.
  ///
  /// Throws when a part lies outside the file, or when they claim more bytes than the file has.
  func extents(of units: Range<Int>) throws(Failure) -> [SampleExtent] {
    var extents: [SampleExtent] = []
    try forEachExtent(of: units) { extents.append($0) }
    return extents
  }

  /// Hands out where a range of access units lies, neighbours merged.
  ///
  /// Throws when a part lies outside the file, or, in the end, when they claim more bytes than the file has.
  func forEachExtent(of units: Range<Int>, _ body: (SampleExtent) -> Void) throws(Failure) {
    var claimed = 0
    try parsing(file.path) { () throws(ParsingError) in
      try index.forEachExtent(of: units, in: file.bytes) { extent in
        claimed = claimed.addingReportingOverflow(extent.byteCount).partialValue
        body(extent)
      }
    }
    guard (0...file.byteCount).contains(claimed) else {
      throw Failure(
        .inputMalformed,
        "access units \(units.lowerBound) ..< \(units.upperBound) overlap: they claim \(claimed) bytes of a file of \(file.byteCount)",
        path: file.path, advice: "get an undamaged copy of the file")
    }
  }

  /// Parses each access unit of a range in order.
  func forEachUnit(
    of units: Range<Int>, _ body: (Int, AccessUnit) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachPlace(of: units) { (unit, range) throws(Failure) in
      try body(unit, try Self.parse(range, unit, in: file, byteOrder, like: try? first.get()))
    }
  }

  /// Where each access unit of a range lies, in order; they lie inside the file.
  func forEachPlace(
    of units: Range<Int>, _ body: (Int, Range<Int>) throws(Failure) -> Void
  ) throws(Failure) {
    var unit = units.lowerBound
    let extents = try extents(of: units)
    var ahead = ReadAhead(extents, of: file)
    for extent in extents {
      var offset = extent.offset
      for _ in 0..<extent.sampleCount {
        let size = index.size(of: unit, in: file.bytes)
        ahead.read(size)
        try body(unit, offset..<offset + size)
        offset += size
        unit += 1
      }
    }
  }

  /// Parses one access unit, whatever byte order it is stored in.
  ///
  /// Throws when it is outside the file or is no whole access unit.
  public func accessUnit(_ unit: Int) throws(Failure) -> AccessUnit {
    try Self.parseUnit(unit, of: index, in: file, byteOrder, like: try? first.get())
  }

  /// Whether the checksum of every syncframe of an access unit is right; the offset of the first that is not.
  public func firstBadChecksum(in unit: Int) throws(Failure) -> Int? {
    let range = try Self.place(of: unit, in: index, of: file)
    return try Self.read(range, unit, in: file, byteOrder) { (bytes) throws(ParsingError) in
      try AccessUnit.firstBadChecksum(in: bytes, origin: range.lowerBound)
    }
  }

  static func parseUnit(
    _ unit: Int, of index: AccessUnitIndex, in file: MappedFile, _ byteOrder: ByteOrder,
    like model: AccessUnit? = nil
  ) throws(Failure) -> AccessUnit {
    try parse(try place(of: unit, in: index, of: file), unit, in: file, byteOrder, like: model)
  }

  private static func place(
    of unit: Int, in index: AccessUnitIndex, of file: MappedFile
  ) throws(Failure) -> Range<Int> {
    guard unit < index.count else {
      throw Failure(.inputMalformed, "the track has no access units", path: file.path)
    }
    var place = 0..<0
    try parsing(file.path) { () throws(ParsingError) in
      try index.forEachExtent(of: unit..<unit + 1, in: file.bytes) {
        place = $0.offset..<$0.offset + $0.byteCount
      }
    }
    return place
  }

  private static func parse(
    _ range: Range<Int>, _ unit: Int, in file: MappedFile, _ byteOrder: ByteOrder, like model: AccessUnit?
  ) throws(Failure) -> AccessUnit {
    try read(range, unit, in: file, byteOrder) { (bytes) throws(ParsingError) in
      try AccessUnit(parsing: bytes, origin: range.lowerBound, like: model)
    }
  }

  /// Shows the bytes of an access unit as the standard has them.
  static func read<R>(
    _ range: Range<Int>, _ unit: Int, in file: MappedFile, _ byteOrder: ByteOrder,
    _ body: (RawSpan) throws(ParsingError) -> R
  ) throws(Failure) -> R {
    let bytes = file.bytes.extracting(range)
    do throws(ParsingError) {
      switch byteOrder {
      case .bigEndian: return try body(bytes)
      case .littleEndian: return try body(bytes.swappingPairs().rawBytes)
      }
    } catch {
      var failure = Failure(error, in: file.path)
      failure.boxPath = failure.boxPath ?? "access unit \(unit)"
      if isShortSyncFrame(bytes) { failure.advice = joiningAdvice }
      throw failure
    }
  }

  /// Whether it is one whole syncframe of fewer than six blocks, which Bento4 makes an MP4 sample of its own.
  private static func isShortSyncFrame(_ bytes: RawSpan) -> Bool {
    guard let frame = try? SyncFrameOutline(parsing: bytes, origin: 0) else { return false }
    return frame.blocks < AccessUnit.blocks && frame.byteCount == bytes.byteCount
  }

  /// Every program that takes the stream out loses the wrong borders; putting it in again finds the right ones.
  private static let joiningAdvice =
    "take the stream out with ffmpeg -i FILE -map 0:a:0 -c copy -f eac3 STREAM.ec3, and make a right file of it with "
    + "kerfless mux STREAM.ec3 -o OUT.mp4"
}
