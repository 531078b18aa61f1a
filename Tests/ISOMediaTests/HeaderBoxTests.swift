import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

private let long: UInt64 = 0x1_0000_0002

struct MovieHeaderTests {
  /// Everything in `mvhd` behind the duration (ISO/IEC 14496-12, 8.2.2.2).
  private let rest = words(0x1_0000) + hex("0100 0000 00000000 00000000") + unityMatrix + zeros(24) + words(7)

  @Test func `mvhd of version 0 is written and read back`() throws {
    try expectRoundTrip(
      MovieHeader(
        times: MovieTimes(creation: 1, modification: 2), timescale: 48000, duration: 49152, nextTrackID: 7),
      as: fullBox("mvhd", words(1, 2, 48000, 49152), rest),
      write: MovieHeader.write, parsing: MovieHeader.init(parsing:))
  }

  @Test func `mvhd of version 1 is written where a time or the duration needs it`() throws {
    try expectRoundTrip(
      MovieHeader(
        times: MovieTimes(creation: long, modification: 2), timescale: 600, duration: 3, nextTrackID: 7),
      as: fullBox("mvhd", version: 1, bigEndian(long) + bigEndian(2 as UInt64), words(600, 0, 3), rest),
      write: MovieHeader.write, parsing: MovieHeader.init(parsing:))
    try expectRoundTrip(
      MovieHeader(times: MovieTimes(), timescale: 600, duration: long, nextTrackID: 7),
      as: fullBox("mvhd", version: 1, zeros(16), words(600), bigEndian(long), rest),
      write: MovieHeader.write, parsing: MovieHeader.init(parsing:))
  }

  @Test func `a duration of all ones is unknown in either version`() throws {
    try expectRoundTrip(
      MovieHeader(times: MovieTimes(), timescale: 600, duration: nil, nextTrackID: 7),
      as: fullBox("mvhd", zeros(8), words(600, 0xffff_ffff), rest),
      write: MovieHeader.write, parsing: MovieHeader.init(parsing:))
    let version1 = fullBox("mvhd", version: 1, zeros(16), words(600), bigEndian(UInt64.max), rest)
    #expect(try parse(version1, MovieHeader.init(parsing:)).duration == nil)
  }

  @Test func `a duration that is all ones in 32 bits takes 64`() throws {
    try expectRoundTrip(
      MovieHeader(times: MovieTimes(), timescale: 600, duration: 0xffff_ffff, nextTrackID: 7),
      as: fullBox("mvhd", version: 1, zeros(16), words(600, 0, 0xffff_ffff), rest),
      write: MovieHeader.write, parsing: MovieHeader.init(parsing:))
  }

  @Test func `a timescale of 0 is refused at its offset`() {
    let version0 = errorParsing(fullBox("mvhd", words(1, 2, 0, 3), rest), MovieHeader.init(parsing:))
    #expect(version0 == .malformed("the timescale is 0", at: 20))
    let version1 = errorParsing(
      fullBox("mvhd", version: 1, zeros(16), words(0, 0, 3), rest), MovieHeader.init(parsing:))
    #expect(version1 == .malformed("the timescale is 0", at: 28))
  }

  @Test(arguments: [0 as UInt8, 1]) func `an mvhd that is cut off anywhere is refused`(version: UInt8) {
    let whole = Array(
      fullBox("mvhd", version: version, [UInt8](repeating: 1, count: 96 + 12 * Int(version)))[8...])
    for count in 0..<whole.count {
      let error = errorParsing(box("mvhd", Array(whole[..<count])), MovieHeader.init(parsing:))
      #expect(error != nil, "\(count) bytes")
    }
    #expect(throws: Never.self) { try parse(box("mvhd", whole), MovieHeader.init(parsing:)) }
  }
}

struct TrackHeaderTests {
  /// Everything in `tkhd` of an audio track behind the duration (8.3.2.2).
  private let rest = zeros(8) + hex("0000 0000 0100 0000") + unityMatrix + zeros(8)

  @Test(arguments: [(true, 3 as UInt32), (false, 2)])
  func `tkhd of version 0 is written and read back`(isEnabled: Bool, flags: UInt32) throws {
    try expectRoundTrip(
      TrackHeader(
        isEnabled: isEnabled, times: MovieTimes(creation: 1, modification: 2), trackID: 5, duration: 49152),
      as: fullBox("tkhd", flags: flags, words(1, 2, 5, 0, 49152), rest),
      write: TrackHeader.write, parsing: TrackHeader.init(parsing:))
  }

  @Test func `tkhd of version 1 is written where a number needs it`() throws {
    try expectRoundTrip(
      TrackHeader(isEnabled: true, times: MovieTimes(modification: long), trackID: 5, duration: 3),
      as: fullBox("tkhd", version: 1, flags: 3, zeros(8), bigEndian(long), words(5, 0, 0, 3), rest),
      write: TrackHeader.write, parsing: TrackHeader.init(parsing:))
  }

  @Test func `a duration of all ones is unknown`() throws {
    try expectRoundTrip(
      TrackHeader(isEnabled: true, times: MovieTimes(), trackID: 5, duration: nil),
      as: fullBox("tkhd", flags: 3, words(0, 0, 5, 0, 0xffff_ffff), rest),
      write: TrackHeader.write, parsing: TrackHeader.init(parsing:))
  }

  @Test(arguments: [(0 as UInt32, false), (1, true), (7, true), (6, false), (0x0f_0000, false)])
  func `only the lowest flag enables a track`(flags: UInt32, isEnabled: Bool) throws {
    let bytes = fullBox("tkhd", flags: flags, words(1, 2, 5, 0, 49152), rest)
    #expect(try parse(bytes, TrackHeader.init(parsing:)).isEnabled == isEnabled)
  }

  @Test func `a tkhd that is cut off in front of its duration is refused`() {
    for count in 0..<24 {
      #expect(errorParsing(box("tkhd", zeros(count)), TrackHeader.init(parsing:)) != nil)
    }
  }
}

struct MediaHeaderTests {
  @Test func `mdhd of version 0 is written and read back`() throws {
    try expectRoundTrip(
      MediaHeader(
        times: MovieTimes(creation: 1, modification: 2), timescale: 48000, duration: 49152,
        language: .undetermined),
      as: fullBox("mdhd", words(1, 2, 48000, 49152), hex("55c4 0000")),
      write: MediaHeader.write, parsing: MediaHeader.init(parsing:))
  }

  @Test func `mdhd of version 1 is written where a number needs it`() throws {
    try expectRoundTrip(
      MediaHeader(
        times: MovieTimes(), timescale: 48000, duration: long, language: Language(packed: 0x10b5)),
      as: fullBox("mdhd", version: 1, zeros(16), words(48000), bigEndian(long), hex("10b5 0000")),
      write: MediaHeader.write, parsing: MediaHeader.init(parsing:))
  }

  @Test func `a timescale of 0 is refused at its offset`() {
    let error = errorParsing(
      fullBox("mdhd", words(1, 2, 0, 3), hex("55c4 0000")), MediaHeader.init(parsing:))
    #expect(error == .malformed("the timescale is 0", at: 20))
  }

  @Test func `a media duration of all ones is unknown`() throws {
    try expectRoundTrip(
      MediaHeader(times: MovieTimes(), timescale: 48000, duration: nil, language: .undetermined),
      as: fullBox("mdhd", words(0, 0, 48000, 0xffff_ffff), hex("55c4 0000")),
      write: MediaHeader.write, parsing: MediaHeader.init(parsing:))
  }

  @Test func `an mdhd that is cut off in front of its language's end is refused`() {
    let whole = Array(fullBox("mdhd", words(1, 2, 3, 4), hex("55c4"))[8...])
    for count in 0..<whole.count {
      #expect(errorParsing(box("mdhd", Array(whole[..<count])), MediaHeader.init(parsing:)) != nil)
    }
  }
}
