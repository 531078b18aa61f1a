import ByteParsing
import EnhancedAC3
import ISOMedia
import SystemIO

/// A file under verification: what has been looked at so far, and what was found.
struct VerificationRun {
  let file: MappedFile
  var log = FindingLog()
  private(set) var container: Container?
  private(set) var boxCount = 0
  private(set) var layout: FileLayout?
  private(set) var movie: Movie?
  private(set) var source: Source?
  /// Those that are AC-3 or E-AC-3 in the clear.
  private(set) var tracks: [TrackCheck] = []
  /// What `mvhd` states wrongly.
  private(set) var movieFaults: [DurationFault] = []

  /// Looks at everything in a file.
  ///
  /// Throws when it cannot be read, or is of a kind that is not supported. What is malformed is found, not thrown.
  init(_ file: MappedFile) throws(Failure) {
    self.file = file
    let head = try operating { () throws(SystemError) in
      try file.read(at: 0, count: TopLevelBoxes.headByteCount)
    }
    do throws(Failure) {
      switch try ContentKind(head, of: file) {
      case .elementary:
        container = .elementaryStream
      case .movie:
        let layout = try FileLayout(of: file, head: head)
        self.layout = layout
        guard try checkStructure(layout) else { return }
      }
      let source = try Source(of: file)
      self.source = source
      container = source.container
      checkTracks(of: source)
      checkMovieHeader()
    } catch {
      guard error.code.exitStatus == .badInput else { throw error }
      log.add(.fileMalformed, error)
    }
  }

  /// Whether there is a movie whose tracks can be looked at.
  private mutating func checkStructure(_ layout: FileLayout) throws(Failure) -> Bool {
    container = layout.top.fragments.isEmpty ? .mp4 : .fragmentedMP4
    boxCount = BoxCheck(layout, of: file, log: &log).boxCount
    guard let box = layout.top.movie else { return false }
    let movie = try parsing(file.path) { () throws(ParsingError) in try Movie(parsing: box, in: file.bytes) }
    self.movie = movie
    var extents = MediaExtents()
    for track in movie.tracks where !(track.dataReference?.isExternal(1) ?? false) {
      SampleTableCheck(track, in: file, layout).run(&extents, &log)
    }
    FragmentCheck(file, layout).run(movie, &extents, &log)
    extents.check(&log)
    checkNumbers(of: movie)
    return true
  }

  private mutating func checkNumbers(of movie: Movie) {
    var seen: Set<UInt32> = []
    for track in movie.tracks {
      let id = track.header.trackID
      guard id == 0 || !seen.insert(id).inserted else { continue }
      log.add(
        .trackNumber, .error, id == 0 ? "a track has the number 0" : "two tracks have the number \(id)",
        at: Place(trackID: id, offset: track.box.offset, ["moov", "trak"]))
    }
  }

  private mutating func checkTracks(of source: Source) {
    for (position, numbered) in source.tracks.enumerated() {
      switch numbered.content {
      case .dolby(let track):
        let boxes = movie.flatMap { position < $0.tracks.count ? $0.tracks[position] : nil }
        tracks.append(TrackCheck(track, boxes, log: &log))
      case .broken(let failure):
        log.add(.trackBroken, failure, trackID: numbered.id)
      case .ac4, .encrypted:
        log.add(
          .trackUnchecked, .note, "the track is \(numbered.content.text); its access units are not looked at",
          at: Place(trackID: numbered.id))
      case .other: break
      }
    }
    let names = source.tracks.map { "track \($0.id ?? 0) (\($0.content.text))" }.joined(separator: ", ")
    guard source.tracks.allSatisfy({ if case .other = $0.content { true } else { false } }) else { return }
    log.add(
      .trackUnchecked, .note,
      "there is no track of AC-3 or E-AC-3 to look at" + (names.isEmpty ? "" : ", only \(names)"))
  }

  /// ISO/IEC 14496-12, 8.2.2: the movie lasts as long as its longest track.
  private mutating func checkMovieHeader() {
    guard let movie, let layout, layout.top.fragments.isEmpty, let box = layout.top.movie,
      // What fragments in other files make longer is not told here.
      movie.extends == nil || movie.tracks.contains(where: { $0.sampleTable.sampleCount > 0 }),
      let stated = movie.header.duration,
      let place = file.bytes.chain(from: box, to: ["mvhd"])?.last?.durationPlace(in: file.bytes)
    else { return }
    var longest = 0
    var longestStated = 0
    for track in movie.tracks {
      guard let duration = track.header.duration.map({ Int(clamping: $0) }) else { return }
      let known = tracks.first { $0.boxes?.box == track.box }?.durations?.presented
      guard known != nil || MovieClock(track, in: movie.header).explainsHeader(of: track) else {
        // The movie's length cannot be told from a track's that may be wrong.
        log.add(
          .trackDuration, .warning,
          "tkhd states \(duration) ticks of the movie's clock, which neither mdhd nor elst explains",
          at: Place(trackID: track.header.trackID, offset: track.box.offset, ["moov", "trak", "tkhd"]))
        return
      }
      longest = max(longest, known ?? duration)
      longestStated = max(longestStated, duration)
    }
    let number = Int(clamping: stated)
    guard !movie.tracks.isEmpty, movie.brokenTracks.isEmpty, number != longest
    else { return }
    let isConsequence = number == longestStated
    let message = "mvhd states \(number) ticks, the longest track presents \(longest)"
    movieFaults.append(
      DurationFault(
        code: .movieDuration, message: message, path: ["moov", "mvhd"], place: place, stated: number,
        right: longest,
        isConsequence: isConsequence))
    if !isConsequence {
      log.add(.movieDuration, .warning, message, at: Place(offset: place.offset, ["moov", "mvhd"]))
    }
  }
}
