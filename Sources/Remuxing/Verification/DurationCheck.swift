import ByteParsing
import EnhancedAC3
import ISOMedia
import SystemIO

/// A number of the container that is not what the rest of the file adds up to.
struct DurationFault {
  let code: Finding.Code
  let message: String
  /// The box that holds the number, with those around it.
  let path: [FourCC]
  let place: NumberPlace
  let stated: Int
  let right: Int
  /// Whether the number only follows from another fault: it agrees with what is wrong.
  let isConsequence: Bool
  var writer: String?
}

/// What headers say of a track's length, against what its access units, `stts` and its edit list add up to.
///
/// Whole access units last 1536 PCM samples each; a difference of one tick is a writer's rounding.
struct DurationCheck {
  /// In the order in which they follow from each other.
  private(set) var faults: [DurationFault] = []
  /// The track's length on the movie's clock as it should be; nil where `tkhd` says that it is unknown.
  private(set) var presented: Int?

  /// The media's length as it should be.
  private(set) var media = 0
  let clock: MovieClock

  private let track: Track
  private let bytes: MappedFile
  private let hasEdits: Bool

  /// Checks a track of a file without fragments; nil for one whose numbers leave 63 bits, which is told elsewhere.
  init?(_ track: Track, _ facts: AudioTrack.ContainerFacts, rate: Int, in file: MappedFile) {
    self.track = track
    clock = MovieClock(track, in: facts.movie)
    bytes = file
    hasEdits = facts.editList != nil
    guard let ticks = try? track.sampleTable.timeToSample.totalTicks(in: file.bytes), ticks < 1 << 48 else {
      return nil
    }
    media = checkTimes(rate: rate, total: ticks)
    checkMediaHeader(from: ticks)
    let shown = checkEdits(facts.editList)
    checkTrackHeader(shown)
  }

  /// The media's length with a last delta that is a whole access unit's.
  private mutating func checkTimes(rate: Int, total: Int) -> Int {
    let table = track.sampleTable.timeToSample
    func run(_ index: Int) -> TimeToSample.Run { table.run(index, in: bytes.bytes) }
    guard let index = (0..<table.table.count).last(where: { run($0).sampleCount > 0 }) else { return total }
    let last = run(index)
    guard last.sampleCount == 1 else { return total }
    var times = ClockCheck(timescale: track.mediaHeader.timescale, rate: rate)
    for index in 0..<index { times.advance(over: run(index).sampleCount, lasting: run(index).sampleDelta) }
    guard abs(times.error(of: last.sampleDelta)) > times.allowedError else { return total }
    let whole = times.wholeTicks
    faults.append(
      DurationFault(
        code: .timesLastShort,
        message: "the last access unit lasts \(last.sampleDelta) ticks, a whole one \(whole)",
        path: ["moov", "trak", "mdia", "minf", "stbl", "stts"],
        place: NumberPlace(offset: table.table.offset + index * 8 + 4, byteCount: 4),
        stated: last.sampleDelta, right: whole, isConsequence: false,
        writer: last.sampleDelta < whole ? "FFmpeg or GPAC" : nil))
    return total - last.sampleDelta + whole
  }

  private mutating func checkMediaHeader(from ticks: Int) {
    guard let stated = track.mediaHeader.duration.map({ Int(clamping: $0) }), stated != media else { return }
    add(
      .mediaDuration, ["mdia", "mdhd"], stated: stated, right: media, isConsequence: stated == ticks,
      "mdhd states \(stated) ticks, the access units last \(media)")
  }

  /// The length of what is presented, on the movie's clock.
  private mutating func checkEdits(_ list: EditList?) -> ClosedRange<Int> {
    guard let list else { return clock.range(of: media) }
    guard list.count == list.entries.count, let last = list.entries.last, last.mediaTime >= 0 else {
      return clock.range(ofEdits: list.totalDuration)
    }
    let rest = clock.range(of: max(0, media - Int(last.mediaTime)))
    let stated = Int(clamping: last.segmentDuration)
    let sum = clock.range(ofEdits: list.totalDuration - last.segmentDuration)
    if stated == 0 { return rest.lowerBound + sum.lowerBound...rest.upperBound + sum.upperBound }
    guard stated > rest.upperBound, last.mediaRate == 0x1_0000 else {
      return clock.range(ofEdits: list.totalDuration)
    }
    let right = clock.nearest(max(0, media - Int(last.mediaTime)))
    if let chain = chain(["edts", "elst"]), let box = chain.last,
      let place = box.segmentDurationPlace(ofEdit: list.count - 1, in: bytes.bytes)
    {
      faults.append(
        DurationFault(
          code: .editsBeyondMedia,
          message: "the edit presents \(stated) ticks of the movie's clock, the media have \(right)",
          path: ["moov"] + chain.map(\.type), place: place, stated: stated, right: right, isConsequence: false
        ))
    }
    return sum.lowerBound + right...sum.upperBound + right
  }

  private mutating func checkTrackHeader(_ shown: ClosedRange<Int>) {
    guard let stated = track.header.duration.map({ Int(clamping: $0) }) else { return }
    presented = stated
    guard !shown.contains(stated) else { return }
    let right = hasEdits ? (shown.lowerBound + shown.upperBound) / 2 : clock.nearest(media)
    presented = right
    add(
      .trackDuration, ["tkhd"], stated: stated, right: right,
      isConsequence: faults.contains { $0.code == .timesLastShort },
      "tkhd states \(stated) ticks of the movie's clock, the track presents \(right)",
      writer: hasEdits && clock.range(of: media).contains(stated) ? "FFmpeg" : nil)
  }

  private mutating func add(
    _ code: Finding.Code, _ path: [FourCC], stated: Int, right: Int, isConsequence: Bool, _ message: String,
    writer: String? = nil
  ) {
    guard let chain = chain(path), let place = chain.last?.durationPlace(in: bytes.bytes) else { return }
    faults.append(
      DurationFault(
        code: code, message: message, path: ["moov"] + chain.map(\.type), place: place, stated: stated,
        right: right,
        isConsequence: isConsequence, writer: writer))
  }

  private func chain(_ path: [FourCC]) -> [Box]? {
    bytes.bytes.chain(from: track.box, to: path)
  }
}
