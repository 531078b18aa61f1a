import ByteParsing
import ISOMedia
import SystemIO
import TestSupport
import Testing

@testable import Remuxing

/// DESIGN.md, 5.5: what an output holds besides the payload.
@Suite struct ISOComposerTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  /// An output, parsed.
  private struct Output {
    let bytes: [UInt8]
    /// The types of the top level, each box with its size in bytes.
    var boxes: [(type: String, byteCount: Int)] = []
    let fileType: FileType
    let movie: Movie
    let file: MappedFile

    init(_ plan: Plan, _ bench: Workbench) throws {
      let file = try bench.reopened(plan).file
      let top = try TopLevelBoxes(of: file, head: file.read(at: 0, count: 4096))
      let (moov, ftyp) = (try #require(top.movie), try #require(top.fileType))
      var cursor = file.bytes.cursor(ftyp.payload)
      fileType = try FileType(parsing: &cursor)
      movie = try Movie(parsing: moov, in: file.bytes)
      bytes = plan.bytes
      self.file = file
      var offset = 0
      while offset + 8 <= bytes.count {
        let size = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
        boxes.append((String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self), size))
        offset += max(8, size)
      }
    }
  }

  private static let cuttable = [
    "joc-base.mp4", "ddp51.mp4", "ddp51.mov", "ddp20-44k1.mp4", "ac3.mp4", "av-joc.mp4",
    "joc-edit-priming.mp4",
    "joc-ts600.mp4", "joc-v1-headers.mp4", "joc-unknown-boxes.mp4", "joc-meta.mp4", "ddp71.mp4",
    "ddp2ind.mp4",
    "ddp-1blk.mp4", "joc51.ec3", "ddp-vbr.ec3", "ddp20-24k.ec3", "ac3-51-swapped.ac3",
  ]

  @Test(arguments: cuttable)
  func `all clocks of an output agree`(name: String) throws {
    let source = try Workbench.fixture(name)
    let planned = try OutputPlanner.iso().plan(source, range("3au", "11au"))
    let output = try Output(planned.plan, bench)
    let rate = UInt32(try #require(Media.ownIndex.first { $0["file"] == name }?["rate"]))
    let track = try #require(output.movie.tracks.first)
    #expect(output.movie.tracks.count == 1)
    #expect(output.movie.header.timescale == rate)
    #expect(track.mediaHeader.timescale == rate)
    #expect(output.movie.header.duration == 8 * 1536)
    #expect(track.header.duration == 8 * 1536)
    #expect(track.mediaHeader.duration == 8 * 1536)
    #expect(track.editList == nil)
    let times = track.sampleTable.timeToSample
    #expect(times.table.count == 1)
    let run = times.run(0, in: output.file.bytes)
    #expect(run.sampleCount == 8)
    #expect(run.sampleDelta == 1536)
  }

  @Test(arguments: cuttable)
  func `an output is ftyp, moov, then media data, and nothing else`(name: String) throws {
    let source = try Workbench.fixture(name)
    let planned = try OutputPlanner.iso().plan(source)
    let output = try Output(planned.plan, bench)
    #expect(output.boxes.prefix(2).map(\.type) == ["ftyp", "moov"])
    #expect(output.boxes.dropFirst(2).allSatisfy { ["free", "mdat"].contains($0.type) })
    #expect(output.boxes.last?.type == "mdat")
    #expect(output.boxes.reduce(0) { $0 + $1.byteCount } == planned.plan.byteCount)
    let track = output.movie.tracks[0]
    #expect(track.header.trackID == 1)
    #expect(track.header.isEnabled)
    #expect(output.movie.header.nextTrackID == 2)
    #expect(track.handler.type == "soun")
    #expect(track.dataReference?.isSelfContained == [true])
    #expect(track.sampleTable.chunkOffsets.width == .bits32)
    #expect(track.sampleTable.description.entries.count == 1)
  }

  @Test(
    arguments: [
      ("joc-stsz-table.mp4", 320), ("joc-stz2-16.mp4", 320), ("ddp-vbr.ec3", nil), ("ddp20-44k1.mp4", nil),
    ] as [(String, Int?)])
  func `sizes are one number where all are equal`(name: String, size: Int?) throws {
    let output = try Output(try OutputPlanner.iso().plan(try Workbench.fixture(name)).plan, bench)
    #expect(output.movie.tracks[0].sampleTable.sizes.constantSize == size)
  }

  @Test(arguments: [(false, []), (true, ["M4A "])] as [(Bool, [FourCC])])
  func `the brands say what the file follows`(isM4A: Bool, more: [FourCC]) throws {
    let planner = OutputPlanner(options: CutOptions(), form: .iso(isM4A: isM4A))
    let output = try Output(try planner.plan(try Workbench.fixture("joc-base.mp4")).plan, bench)
    #expect(
      output.fileType
        == FileType(majorBrand: "mp42", compatibleBrands: ["mp42", "isom", "iso2", "dby1"] + more))
  }

  @Test func `language, names and times are the source's`() throws {
    let output = try Output(try OutputPlanner.iso().plan(try Workbench.fixture("joc-named.mp4")).plan, bench)
    let track = output.movie.tracks[0]
    #expect(track.mediaHeader.language.code == "deu")
    #expect(track.handler.name == Array("Kerfless test".utf8))
    #expect(track.header.times.creation == 3_786_912_000)
    #expect(track.mediaHeader.times.creation == 3_786_912_000)
    #expect(output.movie.header.times.creation == 3_786_912_060)
  }

  @Test func `times of the far future are the source's`() throws {
    var bytes = try Media.bytes("joc-v1-headers.mp4")
    let (old, new) = (bigEndian(UInt64(3_786_912_000)), bigEndian(UInt64(5_000_000_000)))
    for index in bytes.indices.dropLast(8) where Array(bytes[index..<index + 8]) == old {
      bytes.replaceSubrange(index..<index + 8, with: new)
    }
    let output = try Output(try OutputPlanner.iso().plan(try bench.source(bytes, as: "future")).plan, bench)
    let times = MovieTimes(creation: 5_000_000_000, modification: 5_000_000_000)
    #expect(output.movie.header.times == times)
    #expect(output.movie.tracks[0].header.times == times)
    #expect(output.movie.tracks[0].mediaHeader.times == times)
  }

  @Test func `an extended language tag is carried byte for byte`() throws {
    let tag = box("elng", [0, 0, 0, 0] + Array("de-CH".utf8) + [0])
    var sketch = MovieSketch(4)
    sketch.mediaChildren = [tag]
    let output = try Output(try OutputPlanner.iso().plan(try bench.source(sketch.bytes)).plan, bench)
    let found = try #require(output.movie.tracks[0].extendedLanguage)
    #expect(Array(output.bytes[found.offset..<found.payload.upperBound]) == tag)
  }

  @Test func `an elementary stream gives no clock time and no language`() throws {
    let output = try Output(try OutputPlanner.iso().plan(try Workbench.fixture("joc51.ec3")).plan, bench)
    #expect(output.movie.header.times == MovieTimes())
    #expect(output.movie.tracks[0].header.times == MovieTimes())
    #expect(output.movie.tracks[0].mediaHeader.times == MovieTimes())
    #expect(output.movie.tracks[0].mediaHeader.language.code == "und")
  }

  @Test(
    .enabled(if: Tool.exists("ffprobe"), "ffprobe is not here"),
    arguments: ["joc-base.mp4", "ddp20-44k1.mp4", "ac3.mp4", "ddp51.mov"])
  func `ffprobe finds every access unit at its time`(name: String) throws {
    let planned = try OutputPlanner.iso().plan(try Workbench.fixture(name), range("3au", "23au"))
    let track = try bench.reopened(planned.plan).onlyTrack
    let probe = try #require(Tool("ffprobe")).run([
      "-v", "error", "-show_entries", "packet=pts,duration,size", "-of", "csv=p=0",
      bench.folder.file("output"),
    ])
    let sizes = try track.unitBytes.map(\.count)
    let expected = sizes.enumerated().map { "\($0 * 1536),1536,\($1)" }
    #expect(probe.lines.map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 } == expected)
  }
}
