import Foundation
import ISOMedia
@testable import Remuxing
import TestSupport
import Testing

/// Decode times of fragments, on a file whose `tfdt` are moved.
@Suite struct FragmentTimesTests {
  private let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  /// frag.mp4 with its decode times changed: the place of each `tfdt` and its number are handed in.
  private func source(_ change: (Int, UInt64) -> UInt64) throws -> Source {
    var bytes = try Media.bytes("frag.mp4")
    let places = bytes.indices.filter { bytes[$0...].starts(with: Array("tfdt".utf8)) }
    for (number, place) in places.enumerated() {
      let isLong = bytes[place + 4] == 1
      let size = isLong ? 8 : 4
      let field = place + 8..<place + 8 + size
      let old = bytes[field].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let new = change(number, old)
      bytes.replaceSubrange(field, with: isLong ? bigEndian(new) : bigEndian(UInt32(new)))
    }
    return try bench.source(bytes)
  }

  private func codes(_ source: Source) throws -> [Finding.Code] {
    try source.onlyTrack.findings.map(\.code)
  }

  @Test func `times as they are give no finding`() throws {
    #expect(try codes(source { $1 }) == [])
  }

  @Test func `a late start is a note, and times are counted from the first access unit`() throws {
    let late = try source { $1 + 17_038 * 48000 }
    #expect(try codes(late) == [.timesLateStart])
    let planned = try OutputPlanner.iso().plan([
      SegmentRequest(source: late, range: TimeRange(start: TimeExpression("1"), end: .trackEnd))
    ])
    #expect(planned.report.segments[0].accessUnits.lowerBound == 31)
  }

  @Test func `a jump is reported and refused where it falls inside the range`() throws {
    let jumping = try source { $0 >= 1 ? $1 + 768 : $1 }
    #expect(try codes(jumping) == [.timesGap])
    let track = try jumping.onlyTrack
    let border = try #require(track.gap(inside: 0..<track.index.count))
    #expect(track.gap(inside: 0..<border) == nil)
    #expect(track.gap(inside: border..<track.index.count) == nil)
    let all = failure { try OutputPlanner.iso().plan([SegmentRequest(source: jumping)]) }
    #expect(all?.code == .rangeInvalid)
    #expect(all?.message.contains("access unit \(border)") == true)
  }

  @Test func `rounding is no jump`() throws {
    #expect(try codes(source { $0 >= 1 ? $1 + 767 : $1 }) == [.timesIrregular])
    #expect(try codes(source { $0 >= 1 ? $1 - 767 : $1 }) == [.timesIrregular])
  }

  @Test func `a file that is cut off inside its last fragment is still told`() throws {
    let bytes = try Media.bytes("frag.mp4")
    let last = try #require(bytes.indices.last { bytes[$0...].starts(with: Array("mdat".utf8)) })
    let inspection = try TrackInspection(try bench.source(Array(bytes[..<(last + 100)])).onlyTrack)
    let whole = try TrackInspection(try Workbench.fixture("frag.mp4").onlyTrack)
    #expect(inspection.averageDataRate == whole.averageDataRate)
    #expect(inspection.findings.map(\.code) == [.unitMissing])
  }
}
