import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

struct BoxTreeTests {
  /// What a walk over the one box in `bytes` visits, as paths, and what it finds.
  private func walk(_ bytes: [UInt8]) throws -> (paths: [String], faults: [BoxTree.Fault]) {
    var paths: [String] = []
    var faults: [BoxTree.Fault] = []
    let outer = try #require(try boxes(in: bytes).first)
    BoxTree(bytes.rawBytes).walk(
      outer,
      visit: { box, path in paths.append((path + [box.type]).map(\.description).joined(separator: "/")) },
      fault: { fault, _ in faults.append(fault) })
    return (paths, faults)
  }

  @Test func `every box of a movie is visited in file order`() throws {
    let (paths, faults) = try walk(movieBox(TrackBytes()))
    #expect(
      paths == [
        "moov", "moov/mvhd", "moov/trak", "moov/trak/tkhd", "moov/trak/mdia", "moov/trak/mdia/mdhd",
        "moov/trak/mdia/hdlr", "moov/trak/mdia/minf", "moov/trak/mdia/minf/smhd", "moov/trak/mdia/minf/dinf",
        "moov/trak/mdia/minf/dinf/dref", "moov/trak/mdia/minf/dinf/dref/url ", "moov/trak/mdia/minf/stbl",
        "moov/trak/mdia/minf/stbl/stsd", "moov/trak/mdia/minf/stbl/stsd/ec-3",
        "moov/trak/mdia/minf/stbl/stsd/ec-3/dec3", "moov/trak/mdia/minf/stbl/stts",
        "moov/trak/mdia/minf/stbl/stsc", "moov/trak/mdia/minf/stbl/stsz", "moov/trak/mdia/minf/stbl/stco",
      ])
    #expect(faults.isEmpty)
  }

  @Test func `a box that does not fit ends its level only`() throws {
    var bytes = movieBox(TrackBytes(), more: box("udta", box("name", [1, 2, 3])))
    let place = try #require(offset(of: "stts", in: bytes))
    bytes.replaceSubrange(place..<place + 4, with: bigEndian(UInt32(5000)))
    let (paths, faults) = try walk(bytes)
    #expect(faults.count == 1)
    guard case .malformed(let error) = faults.first else {
      Issue.record("\(faults)")
      return
    }
    #expect(error.offset == place)
    #expect(!paths.contains("moov/trak/mdia/minf/stbl/stsz"))
    #expect(paths.last == "moov/udta/name")
  }

  @Test func `bytes behind the last box are told, zeros are padding`() throws {
    #expect(try walk(box("moov", movieHeaderBox(), zeros(4))).faults.isEmpty)
    let bytes = box("moov", movieHeaderBox(), [0, 0, 1])
    #expect(try walk(bytes).faults == [.tail(offset: bytes.count - 3, byteCount: 3)])
  }

  @Test(arguments: ["mvhd", "trak"])
  func `a second box is told where there may be one only`(type: String) throws {
    let more = type == "mvhd" ? movieHeaderBox() : TrackBytes().trak
    let faults = try walk(movieBox(TrackBytes(), more: more)).faults
    #expect(faults.count == (type == "mvhd" ? 1 : 0))
  }

  @Test func `boxes nested without end are not followed`() throws {
    var bytes: [UInt8] = []
    for _ in 0..<2000 { bytes = box("udta", bytes) }
    let (paths, faults) = try walk(box("moov", bytes))
    #expect(paths.count <= 17)
    #expect(faults.count == 1)
  }

  @Test(arguments: [fullBox("meta", fullBox("hdlr", zeros(20))), box("meta", fullBox("hdlr", zeros(20)))])
  func `meta of ISO and of QuickTime is walked into`(meta: [UInt8]) throws {
    let (paths, faults) = try walk(meta)
    #expect(paths == ["meta", "meta/hdlr"])
    #expect(faults.isEmpty)
  }

  @Test func `a chain leads to a descendant`() throws {
    let bytes = movieBox(TrackBytes())
    let movie = try onlyBox(in: bytes)
    let chain = bytes.rawBytes.chain(from: movie, to: ["trak", "mdia", "minf", "stbl", "stsd", "ec-3"])
    #expect(chain?.map(\.type) == ["moov", "trak", "mdia", "minf", "stbl", "stsd", "ec-3"])
    let none = bytes.rawBytes.chain(from: movie, to: ["trak", "edts"])
    #expect(none == nil)
  }
}
