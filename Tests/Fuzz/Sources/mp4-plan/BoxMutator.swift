import CLibFuzzer

/// Changes boxes so that the file around them stays a file: sizes of enclosing boxes follow what grows or goes.
struct BoxMutator {
  /// A box and the headers of those around it.
  private struct Place {
    let start: Int
    let end: Int
    let payload: Int
    let type: [UInt8]
    let parents: [Int]
  }

  private static let containers: [(type: String, fields: Int)] = [
    ("moov", 0), ("trak", 0), ("edts", 0), ("mdia", 0), ("minf", 0), ("dinf", 0), ("stbl", 0), ("mvex", 0),
    ("moof", 0), ("traf", 0), ("wave", 0), ("stsd", 8), ("dref", 8), ("ec-3", 28), ("ac-3", 28),
  ]

  private static let numbers: [UInt32] = [
    0, 1, 2, 3, 4, 8, 16, 24, 600, 1000, 1536, 48000, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, .max,
  ]

  private var bytes: [UInt8]
  private let limit: Int
  private var random: Generator

  init(_ bytes: [UInt8], limit: Int, seed: UInt32) {
    self.bytes = bytes
    self.limit = limit
    random = Generator(state: UInt64(seed))
  }

  /// The file after one or more changes.
  mutating func mutated() -> [UInt8] {
    for _ in 0...random.below(4) {
      let places = Self.places(in: bytes, 0..<bytes.count, parents: [], depth: 0)
      guard let place = places.isEmpty ? nil : places[random.below(places.count)] else { return bytes }
      change(place, among: places)
    }
    return bytes
  }

  private mutating func change(_ place: Place, among places: [Place]) {
    switch random.below(12) {
    case 0...3: changeNumber(in: place)
    case 4...6: rewritePayload(of: place)
    case 7: replace(place.start..<place.end, of: place, with: [])
    case 8: replace(place.end..<place.end, of: place, with: Array(bytes[place.start..<place.end]))
    case 9:
      let other = places[random.below(places.count)]
      replace(place.start..<place.end, of: place, with: Array(bytes[other.start..<other.end]))
    case 10:
      let other = places[random.below(places.count)]
      replace(place.end..<place.end, of: place, with: Array(bytes[other.start..<other.end]))
    default:
      let made = Template.make(&random)
      replace(random.below(2) == 0 ? place.start..<place.end : place.end..<place.end, of: place, with: made)
    }
  }

  /// One 32-bit field becomes a notable number, or moves a little.
  private mutating func changeNumber(in place: Place) {
    let count = (place.end - place.payload) / 4
    guard count > 0 else { return }
    let offset = place.payload + 4 * random.below(min(count, 64))
    let old = bytes[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let new: UInt32 =
      switch random.below(4) {
      case 0: Self.numbers[random.below(Self.numbers.count)]
      case 1: old &+ UInt32(truncatingIfNeeded: random.below(9) - 4)
      case 2: old ^ 1 << UInt32(random.below(32))
      default: UInt32(random.below(bytes.count + 1))
      }
    put(new, at: offset)
  }

  /// libFuzzer's own mutations, inside one box.
  private mutating func rewritePayload(of place: Place) {
    var payload = Array(bytes[place.payload..<place.end])
    let room = payload.count + min(limit - bytes.count, 256)
    guard room > 0 else { return }
    let count = payload.count
    payload += [UInt8](repeating: 0, count: room - count)
    let size = payload.withUnsafeMutableBufferPointer { LLVMFuzzerMutate($0.baseAddress, count, room) }
    replace(place.payload..<place.end, of: place, with: Array(payload[..<Int(size)]))
  }

  /// Replaces a range inside a box, or the whole box, and tells those around it.
  private mutating func replace(_ range: Range<Int>, of place: Place, with new: [UInt8]) {
    let growth = new.count - range.count
    guard bytes.count + growth <= limit else { return }
    bytes.replaceSubrange(range, with: new)
    let isInside = range.lowerBound == place.payload
    for header in place.parents + (isInside ? [place.start] : []) {
      let size = bytes[header..<header + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      put(size &+ UInt32(truncatingIfNeeded: growth), at: header)
    }
  }

  private mutating func put(_ number: UInt32, at offset: Int) {
    for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * index)) }
  }

  private static func places(in bytes: [UInt8], _ range: Range<Int>, parents: [Int], depth: Int) -> [Place] {
    var found: [Place] = []
    var start = range.lowerBound
    while start + 8 <= range.upperBound, found.count < 256 {
      let size = Int(bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
      guard size >= 8, start + size <= range.upperBound else { break }
      let type = Array(bytes[start + 4..<start + 8])
      found.append(
        Place(start: start, end: start + size, payload: start + 8, type: type, parents: parents))
      if depth < 10, let inner = containers.first(where: { Array($0.type.utf8) == type }),
        start + 8 + inner.fields <= start + size
      {
        found += places(
          in: bytes, start + 8 + inner.fields..<start + size, parents: parents + [start], depth: depth + 1)
      }
      start += size
    }
    return found
  }
}
