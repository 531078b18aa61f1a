import Foundation
import TestSupport
import Testing

/// `inspect --scan`: every access unit is looked at.
struct ScanTests {
  private func scanned(_ path: String) throws -> JSON {
    try kerflessJSON(["inspect", "--scan", path])["tracks"][0]
  }

  private func codes(_ track: JSON) -> [String] { track["findings"].array.map { $0["code"].description } }

  @Test(arguments: Subject.all)
  func `every access unit is counted and its bytes are the payload`(_ subject: Subject) throws {
    let json = try kerflessJSON(["inspect", "--scan", subject.path])
    let track = try #require(json["tracks"].array.first { $0["accessUnits"].int != nil })
    #expect(track["scan"]["accessUnits"].int == subject.unitCount)
    #expect(track["joc"]["coverage"]["examined"].int == subject.unitCount)
    #expect(track["scan"]["invalid"]["count"].int == 0)
    let folder = try TemporaryFolder()
    let stream = folder.file("whole.ec3")
    // Every access unit of the media, whatever the edit list presents.
    try kerfless(["extract", subject.path, "-o", stream, "--ignore-edits", "--allow-mixed-joc"])
    #expect(try readFile(stream).count == track["scan"]["bytes"].int)
  }

  @Test func `JOC that stops is told with its place and how often`() throws {
    let track = try scanned(Media.path("joc-stops.mp4"))
    #expect(codes(track) == ["joc.mixed"])
    #expect(track["joc"]["coverage"]["found"].int == 16)
    #expect(track["scan"]["complexities"].array.count == 1)
    #expect(track["scan"]["complexities"][0]["complexity"].int == 3)
    #expect(track["scan"]["complexities"][0]["accessUnits"].int == 16)
    #expect(track["scan"]["objectChanges"]["count"].int == 1)
    #expect(track["scan"]["objectChanges"]["first"].int == 16)
    let text = try kerfless(["inspect", "--scan", Media.path("joc-stops.mp4")]).text
    #expect(text.contains("looked at 32 of 32 access units"))
    #expect(text.contains("in 16 of 32 access units, complexity 3 in 16"))
  }

  @Test func `the substream that carries the objects is named`() throws {
    let track = try scanned(Media.path("joc-base.mp4"))
    #expect(track["scan"]["carriers"].description == "[I0]")
    #expect(codes(track) == [])
  }

  /// One bit, in an access unit that nothing but a scan looks at.
  @Test func `a wrong checksum is found wherever it is`() throws {
    let folder = try TemporaryFolder()
    var stream = try Media.bytes("ddp51.ec3")
    stream[320 * 40 + 200] ^= 1
    stream[320 * 41 + 100] ^= 4
    let track = try scanned(try folder.write(stream, as: "bit.ec3"))
    #expect(codes(track) == ["au.crc"])
    #expect(track["scan"]["wrongChecksums"]["count"].int == 2)
    #expect(track["scan"]["wrongChecksums"]["offset"].int == 320 * 40)
  }

  @Test func `access units that are none are counted, not fatal`() throws {
    let folder = try TemporaryFolder()
    let whole = try kerflessJSON(["trim", Media.path("ddp51.mp4"), "-o", folder.file("a.mp4")])
    #expect(whole["accessUnits"].int == 94)
    var file = try readFile(folder.file("a.mp4"))
    let first = try #require(file.firstRange(of: Array(try Media.bytes("ddp51.ec3").prefix(16))))
    file[first.lowerBound + 320 * 7] = 0
    file[first.lowerBound + 320 * 50] = 0
    let track = try scanned(try folder.write(Array(file), as: "b.mp4"))
    #expect(codes(track) == ["au.invalid"])
    #expect(track["scan"]["invalid"]["count"].int == 2)
    #expect(track["scan"]["invalid"]["first"].int == 7)
    #expect(track["scan"]["invalid"]["offset"].int == first.lowerBound + 320 * 7)
  }

  @Test func `a stream that changes, and access units unlike their sample entry`() throws {
    let folder = try TemporaryFolder()
    let mono = try Media.bytes("ddp51.ec3").prefix(320 * 8)
    let other = try Media.bytes("ddp71.ec3").prefix(576 * 4)
    let stream = try folder.write(Array(mono) + Array(other), as: "change.ec3")
    let track = try scanned(stream)
    #expect(codes(track) == ["stream.changes"])
    #expect(track["scan"]["formatChanges"]["first"].int == 8)
    #expect(track["findings"][0]["message"].description.contains("substreams goes from I0 to I0+D0"))

    // In MP4: the sample entry is that of the first part.
    var movie = try Media.bytes("ddp71.mp4")
    let start = try #require(movie.firstRange(of: Array(other.prefix(16)))).lowerBound
    // strmtyp of D0 in access unit 5 becomes independent, substreamid 1: another structure.
    let dependent = start + 576 * 5
    let second = try #require(
      (dependent + 2..<dependent + 576).first { movie[$0] == 0x0b && movie[$0 + 1] == 0x77 })
    movie[second + 2] = movie[second + 2] & 0x07 | 0x08
    let changed = try scanned(try folder.write(Array(movie), as: "changed.mp4"))
    #expect(codes(changed).contains("entry.structure"))
    #expect(changed["scan"]["unlikeEntry"]["count"].int == 1)
    #expect(changed["scan"]["unlikeEntry"]["first"].int == 5)
  }

  @Test func `tables that point outside the file are told, and what they point to is not read`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(Media.bytes("joc-base.mp4").prefix(5000)), as: "cut.mp4")
    let track = try scanned(path)
    #expect(codes(track) == ["au.missing"])
    #expect(track["scan"].description == "null")
  }

  @Test(
    .enabled(if: TimeTests.hasSharedMedia, "the larger set of media is not at hand"),
    arguments: [
      ("real/androidx_media/sample_eac3joc.mp4", 64, 16, []),
      ("real/androidx_media/sample_ac3.mp4", 0, nil, ["au.crc"]),
    ] as [(String, Int, Int?, [String])])
  func `real files`(_ file: String, _ found: Int, _ complexity: Int?, _ wanted: [String]) throws {
    let track = try scanned(Media.sharedPath(file))
    #expect(track["joc"]["coverage"]["found"].int == found)
    #expect(
      track["scan"]["complexities"].array.map { $0["complexity"].int } == (complexity.map { [$0] } ?? []))
    for code in wanted { #expect(codes(track).contains(code)) }
  }
}
