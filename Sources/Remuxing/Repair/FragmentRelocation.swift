import ByteParsing
import ISOMedia
import SystemIO

/// Absolute offsets of and to fragments, moved with the media data behind `moov`.
///
/// Offsets of runs are relative to their fragment, or to `base_data_offset`, and stay.
/// Sources: ISO/IEC 14496-12, 8.8.7 (`tfhd`) and 8.8.10 (`tfra`).
struct FragmentRelocation {
  /// Boxes behind `moov` that are amended.
  private(set) var boxes: [Range<Int>] = []
  private let file: MappedFile
  private let border: Int
  private let shift: Int

  /// Amends every offset of the file's fragments that lies behind `moov`.
  ///
  /// Throws where an offset of 32 bits does not hold the new number.
  init(
    _ shift: Int, in layout: FileLayout, behind movie: Box, of file: MappedFile,
    amendments: inout Amendments
  ) throws(Failure) {
    self.file = file
    self.shift = shift
    border = movie.payload.upperBound
    guard shift != 0 else { return }
    var places: [NumberPlace] = []
    let tree = BoxTree(file.bytes)
    for box in layout.boxes where box.type == "moof" || box.type == "mfra" {
      tree.walk(
        box,
        visit: { inner, _ in
          switch inner.type {
          case "tfhd": places += base(of: inner).map { [$0] } ?? []
          case "tfra": places += fragments(in: inner)
          default: break
          }
        },
        fault: { _, _ in })
    }
    for place in places { try move(place, &amendments) }
  }

  private mutating func move(_ place: NumberPlace, _ amendments: inout Amendments) throws(Failure) {
    let range = place.offset..<place.offset + place.byteCount
    let stated = number(at: place)
    guard let offset = Int(exactly: stated), offset < 1 << 62 else {
      throw Failure(.inputMalformed, "an offset exceeds 62 bits", path: file.path, offset: place.offset)
    }
    guard offset >= border else { return }
    guard let moved = place.bytes(for: offset + shift) else {
      throw Failure(
        .unsupported, "the offset of a fragment would leave 32 bits", path: file.path, offset: place.offset)
    }
    amendments.replace(range, with: moved)
    boxes.append(range)
  }

  private func number(at place: NumberPlace) -> UInt64 {
    place.byteCount == 8
      ? file.bytes.bigEndian(UInt64.self, at: place.offset)
      : UInt64(file.bytes.bigEndian(UInt32.self, at: place.offset))
  }

  /// `base_data_offset`, where flag 1 says that there is one.
  private func base(of box: Box) -> NumberPlace? {
    var cursor = file.bytes.cursor(box.payload)
    guard let full = try? FullBoxHeader(parsing: &cursor), full.flags & 1 == 1, box.payload.count >= 16 else {
      return nil
    }
    return NumberPlace(offset: box.payload.lowerBound + 8, byteCount: 8)
  }

  /// `moof_offset` of every entry.
  private func fragments(in box: Box) -> [NumberPlace] {
    var cursor = file.bytes.cursor(box.payload)
    guard let full = try? FullBoxHeader(parsing: &cursor), (try? cursor.skip(4)) != nil,
      let widths = try? cursor.read(UInt32.self), let count = try? cursor.read(UInt32.self)
    else { return [] }
    let width = full.version == 1 ? 8 : 4
    // Three numbers of one to four bytes each follow a time and the offset.
    let numbers = [4, 2, 0].reduce(0) { $0 + Int(widths >> UInt32($1) & 3) + 1 }
    let stride = 2 * width + numbers
    return (0..<min(Int(count), cursor.remaining / stride)).map { entry in
      NumberPlace(offset: cursor.offset + entry * stride + width, byteCount: width)
    }
  }
}
