import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

/// A row of `Tests/Media/INDEX.tsv` about a file that is not fragmented.
struct Fixture: Sendable, CustomTestStringConvertible {
  let name: String
  let fields: [String: String]

  var testDescription: String { name }

  /// One value a track.
  func values(_ field: String) -> [String] {
    (fields[field] ?? "").components(of: " | ")
  }

  static let all = Media.ownIndex.compactMap { row -> Fixture? in
    guard let name = row["file"], name.hasSuffix(".mp4") || name.hasSuffix(".mov"), !name.hasPrefix("frag")
    else { return nil }
    return Fixture(name: name, fields: row)
  }
}

extension String {
  fileprivate func components(of separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}

struct FixtureTests {
  @Test func `the index lists files`() {
    #expect(Fixture.all.count > 40)
  }

  @Test(arguments: Fixture.all) func `every file parses whole`(fixture: Fixture) throws {
    let file = try MovieFile(fixture.name)
    let movie = try file.movie
    #expect(movie.brokenTracks.isEmpty)
    #expect(movie.extends == nil)
    #expect(String(file.bytes.count) == fixture.fields["bytes"])
    #expect(try file.soundTracks.count == fixture.values("AUs").count)
    #expect(try file.soundTracks.allSatisfy { $0.dataReference?.isSelfContained == [true] })
  }

  @Test(arguments: Fixture.all) func `samples are as many and as large as the index says`(fixture: Fixture)
    throws
  {
    let file = try MovieFile(fixture.name)
    for (index, track) in try file.soundTracks.enumerated() {
      let table = track.sampleTable
      let span = file.bytes.rawBytes
      let sizes = (0..<table.sampleCount).map { table.sizes.size(of: $0, in: span) }
      #expect("\(table.sampleCount)" == fixture.values("AUs")[index])
      let common = table.sizes.commonSize(of: 0..<table.sampleCount, in: span)
      let range = "variable \(sizes.min() ?? 0)..\(sizes.max() ?? 0)"
      #expect((common.map(String.init) ?? range) == fixture.values("AU_bytes")[index])
      let extents = try table.extents(of: 0..<table.sampleCount, in: span)
      #expect(extents.reduce(0) { $0 + $1.sampleCount } == table.sampleCount)
      #expect(extents.reduce(0) { $0 + $1.byteCount } == sizes.reduce(0, +))
    }
  }

  @Test(arguments: Fixture.all) func `times are as the index says`(fixture: Fixture) throws {
    let file = try MovieFile(fixture.name)
    for (index, track) in try file.soundTracks.enumerated() {
      let times = track.sampleTable.timeToSample
      let runs = (0..<times.table.count).map { times.run($0, in: file.bytes.rawBytes) }
      let text = runs.map { "\($0.sampleCount)x\($0.sampleDelta)" }.joined(separator: " ")
      #expect("\(text) /\(track.mediaHeader.timescale)" == fixture.values("stts")[index])
    }
  }

  @Test(arguments: Fixture.all) func `edits are as the index says`(fixture: Fixture) throws {
    let movie = try MovieFile(fixture.name).movie
    for (index, track) in movie.tracks.filter({ $0.handler.type == "soun" }).enumerated() {
      let edits = track.editList?.entries.map {
        "\($0.mediaTime):\($0.segmentDuration):\($0.mediaRate >> 16)"
      }
      let text = edits.map { $0.joined(separator: " ") + " /\(movie.header.timescale)" } ?? "-"
      #expect(text == fixture.values("elst")[index])
    }
  }

  @Test(arguments: Fixture.all) func `the codec's configuration is as the index says`(fixture: Fixture) throws
  {
    let file = try MovieFile(fixture.name)
    for (index, track) in try file.soundTracks.enumerated() {
      let configurations = try track.sampleTable.description.entries.map { box in
        let entry = try AudioSampleEntry(parsing: box, in: file.bytes.rawBytes)
        let child = try #require(entry.child("dec3") ?? entry.child("dac3") ?? entry.child("dac4"))
        return Array(file.bytes[child.payload])
      }
      #expect(configurations == fixture.values("config")[index].components(of: " ").map(hex))
    }
  }

  @Test(arguments: [
    "joc-base.mp4", "joc-stsz-table.mp4", "joc-stz2-16.mp4", "joc-co64.mp4", "joc-mdat-to-end.mp4",
    "joc-mdats.mp4",
    "joc-gaps.mp4", "joc-one-chunk.mp4", "joc-2-entries.mp4", "joc-unknown-boxes.mp4",
  ])
  func `samples are the bytes of the stream that went in`(name: String) throws {
    let stream = try Media.bytes("joc51.ec3")
    let file = try MovieFile(name)
    let table = try #require(try file.soundTracks.first).sampleTable
    let extents = try table.extents(of: 0..<32, in: file.bytes.rawBytes)
    #expect(
      extents.flatMap { file.bytes[$0.offset..<$0.offset + $0.byteCount] } == Array(stream[..<(32 * 320)]))
    let part = try table.extents(of: 7..<18, in: file.bytes.rawBytes)
    #expect(
      part.flatMap { file.bytes[$0.offset..<$0.offset + $0.byteCount] } == Array(stream[7 * 320..<18 * 320]))
  }

  @Test func `names, languages and times are read`() throws {
    let movie = try MovieFile("joc-named.mp4").movie
    let track = try #require(movie.tracks.first)
    #expect(track.mediaHeader.language.code == "deu")
    #expect(track.handler.name == Array("Kerfless test".utf8))
    #expect(track.header.times.creation == 3_786_912_000)
    #expect(movie.header.times.creation == 3_786_912_060)
  }

  @Test func `an encrypted entry names its coding, two tracks their numbers`() throws {
    let file = try MovieFile("joc-enca.mp4")
    let box = try #require(try file.soundTracks.first).sampleTable.description.entries[0]
    let entry = try AudioSampleEntry(parsing: box, in: file.bytes.rawBytes)
    #expect(entry.box.type == "enca")
    #expect(try entry.originalFormat(in: file.bytes.rawBytes) == "ec-3")
    let tracks = try MovieFile("joc-2-tracks.mp4").soundTracks
    #expect(tracks.map(\.header.trackID) == [1, 5])
    #expect(tracks.map(\.header.isEnabled) == [false, true])
  }

  @Test(arguments: ["frag.mp4", "frag-hybrid.mp4", "frag-no-offset.mp4"])
  func `a fragmented file announces fragments`(name: String) throws {
    #expect(try MovieFile(name).movie.extends?.isEmpty == false)
  }
}
