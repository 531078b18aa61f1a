import ISOMedia
import SystemIO

/// Tells the kernel which extents of a file are read next, some megabytes ahead of the reader.
///
/// Mappings are advised not to be read around (video between the chunks of a track need not be touched), so without this
/// each page of a file that is not in the page cache would be waited for on its own.
struct ReadAhead {
  /// What is announced at once; kernels cut longer announcements to what a device takes in one request.
  private static let step = 512 << 10
  /// How far the announcements are ahead.
  private static let distance = 8 << 20

  private let file: MappedFile
  private let extents: [SampleExtent]
  private var position = 0
  private var inExtent = 0
  /// Bytes that are announced and not read yet.
  private var ahead = 0

  /// Nothing is announced until the reader starts.
  init(_ extents: [SampleExtent], of file: MappedFile) {
    self.file = file
    self.extents = extents
  }

  /// To be called in front of each read of these extents, in their order.
  mutating func read(_ byteCount: Int) {
    if ahead < Self.distance / 2 { announce() }
    ahead -= byteCount
  }

  private mutating func announce() {
    while position < extents.count, ahead < Self.distance {
      let extent = extents[position]
      let count = min(Self.step, extent.byteCount - inExtent)
      file.expectRead(of: extent.offset + inExtent..<extent.offset + inExtent + count)
      ahead += count
      inExtent += count
      guard inExtent >= extent.byteCount else { continue }
      position += 1
      inExtent = 0
    }
  }
}
