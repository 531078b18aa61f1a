import ByteParsing

/// A movie with one audio track, to be written as `moov`.
///
/// The movie's and the media's timescale are both the sample rate, so every duration is in PCM samples.
public struct AudioMovie: Sendable {
  /// The sizes of the samples as `stsz` will hold them.
  public enum Sizes: Sendable {
    /// All samples have this size.
    case constant(UInt32)
    /// Big-endian 32-bit sizes, one a sample.
    case table([UInt8])
  }

  /// Bytes of the tables that grow with the samples and chunks.
  public var tableByteCount: Int {
    let sizeBytes = if case .table(let bytes) = sizes { bytes.count } else { 0 }
    return sizeBytes + chunkRuns.count * 12 + chunkOffsets.count * (offsetWidth == .bits64 ? 8 : 4)
  }

  /// What the times of the movie, the track and the media were in the source.
  public struct Provenance: Sendable {
    /// `mvhd`'s times.
    public var movieTimes = MovieTimes()
    /// `tkhd`'s times.
    public var trackTimes = MovieTimes()
    /// `mdhd`'s times.
    public var mediaTimes = MovieTimes()
    /// The language.
    public var language = Language.undetermined
    /// `elng` whole, or empty.
    public var extendedLanguage: [UInt8] = []
    /// The handler's name.
    public var handlerName = usualHandlerName

    private static let usualHandlerName = Array("SoundHandler".utf8)

    /// Nothing known.
    public init() {}
  }

  /// Times, language and names carried over.
  public var provenance: Provenance
  /// PCM samples a second; the timescale of everything.
  public var sampleRate: UInt32
  /// MP4 samples.
  public var sampleCount: UInt32
  /// PCM samples that each MP4 sample lasts.
  public var sampleDelta: UInt32
  /// The sizes of the MP4 samples.
  public var sizes: Sizes
  /// How many samples each chunk holds.
  public var chunkRuns: [SampleToChunk.Run]
  /// Absolute offsets of the chunks.
  public var chunkOffsets: [Int]
  /// The width of the offsets.
  public var offsetWidth: ChunkOffsets.Width
  /// What is presented; empty for all of the media.
  public var edits: [EditList.Entry]

  /// A movie from its parts.
  public init(
    provenance: Provenance, sampleRate: UInt32, sampleCount: UInt32, sampleDelta: UInt32,
    sizes: Sizes, chunkRuns: [SampleToChunk.Run], chunkOffsets: [Int], offsetWidth: ChunkOffsets.Width,
    edits: [EditList.Entry] = []
  ) {
    self.provenance = provenance
    self.sampleRate = sampleRate
    self.sampleCount = sampleCount
    self.sampleDelta = sampleDelta
    self.sizes = sizes
    self.chunkRuns = chunkRuns
    self.chunkOffsets = chunkOffsets
    self.offsetWidth = offsetWidth
    self.edits = edits
  }

  private var mediaDuration: UInt64 { UInt64(sampleCount) * UInt64(sampleDelta) }

  private var presentedDuration: UInt64 {
    edits.isEmpty ? mediaDuration : edits.reduce(0) { $0 + $1.segmentDuration }
  }

  /// Appends `moov`, with the sample entry that `writeEntry` appends, a whole box.
  public func write(to boxes: inout BoxWriter, entry writeEntry: (inout BoxWriter) -> Void) {
    boxes.container("moov") { moov in
      MovieHeader(
        times: provenance.movieTimes, timescale: sampleRate, duration: presentedDuration, nextTrackID: 2
      ).write(to: &moov)
      moov.container("trak") { trak in
        TrackHeader(isEnabled: true, times: provenance.trackTimes, trackID: 1, duration: presentedDuration)
          .write(to: &trak)
        if !edits.isEmpty { EditList(entries: edits).write(to: &trak) }
        trak.container("mdia") { writeMedia(to: &$0, writeEntry) }
      }
    }
  }

  /// Overwrites the chunk offsets of the movie, which has just been written: nothing comes behind them.
  ///
  /// Where chunks lie depends on how long the movie is, and that on their number alone.
  public func patchChunkOffsets(in boxes: inout BoxWriter) {
    boxes.writer.patch(
      each: chunkOffsets, byteCount: offsetWidth.rawValue,
      at: boxes.writer.count - chunkOffsets.count * offsetWidth.rawValue)
  }

  private func writeMedia(to mdia: inout BoxWriter, _ writeEntry: (inout BoxWriter) -> Void) {
    MediaHeader(
      times: provenance.mediaTimes, timescale: sampleRate, duration: mediaDuration,
      language: provenance.language
    ).write(to: &mdia)
    HandlerReference(type: "soun", name: provenance.handlerName).write(to: &mdia)
    mdia.writer.put(bytes: provenance.extendedLanguage)
    mdia.container("minf") { minf in
      minf.fullBox("smhd") { $0.putZeros(4) }
      DataReference().write(to: &minf)
      minf.container("stbl") { writeSampleTable(to: &$0, writeEntry) }
    }
  }

  private func writeSampleTable(to stbl: inout BoxWriter, _ writeEntry: (inout BoxWriter) -> Void) {
    stbl.container("stsd") { stsd in
      stsd.writer.put(UInt32(0))  // version and flags
      stsd.writer.put(UInt32(1))
      writeEntry(&stsd)
    }
    TimeToSample.write(sampleCount: sampleCount, sampleDelta: sampleDelta, to: &stbl)
    SampleToChunk.write(chunkRuns, to: &stbl)
    stbl.fullBox("stsz") { writer in
      switch sizes {
      case .constant(let size):
        writer.put(size)
        writer.put(sampleCount)
      case .table(let entries):
        writer.put(UInt32(0))
        writer.put(sampleCount)
        writer.put(bytes: entries)
      }
    }
    ChunkOffsets.write(chunkOffsets, width: offsetWidth, to: &stbl)
  }
}
