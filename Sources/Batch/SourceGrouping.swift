import Remuxing
import SystemIO

/// Puts lines in an order in which jobs of one source follow each other, in 16 bytes of memory a job.
///
/// The lines themselves wait in a file without a name.
struct SourceGrouping: ~Copyable {
  private struct Entry {
    /// A digest of the sources; then where the first line that has them is.
    var group: UInt64
    /// Where the line is in the spool, and its length in the low 21 bits.
    let place: UInt64
  }

  private static let lengthBits: UInt64 = 21
  private static let bufferByteCount = 1 << 20

  private let spool: SpoolFile
  private var entries: [Entry] = []
  private var buffer: [UInt8] = []
  private var spooledByteCount = 0

  /// Starts with a spool in a folder.
  init(in folder: FilePath) throws(Failure) {
    do throws(SystemError) { spool = try SpoolFile(in: folder) } catch { throw Failure(error) }
  }

  /// Adds the line of a job.
  mutating func add(_ line: borrowing Span<UInt8>, of job: Job) throws(Failure) {
    var digest = Digest()
    for segment in job.segments { digest.add(counted: segment.source.content) }
    let offset = UInt64(spooledByteCount + buffer.count)
    entries.append(Entry(group: digest.value, place: offset << Self.lengthBits | UInt64(line.count)))
    for index in 0..<line.count { buffer.append(line[index]) }
    if buffer.count >= Self.bufferByteCount { try flush() }
  }

  /// Hands out all lines: sources in the order in which they come first, the lines of each in theirs.
  mutating func forEachLine(_ body: (borrowing Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
    try flush()
    sort()
    var group: (digest: UInt64, firstPlace: UInt64)?
    for index in entries.indices {
      let entry = entries[index]
      if entry.group != group?.digest { group = (entry.group, entry.place) }
      entries[index].group = group?.firstPlace ?? entry.place
    }
    sort()
    for entry in entries {
      let line: [UInt8]
      do throws(SystemError) {
        line = try spool.read(
          at: Int(entry.place >> Self.lengthBits), count: Int(entry.place & (1 << Self.lengthBits - 1)))
      } catch {
        throw Failure(error)
      }
      try body(line.span)
    }
  }

  private mutating func sort() {
    entries.sort { ($0.group, $0.place) < ($1.group, $1.place) }
  }

  private mutating func flush() throws(Failure) {
    do throws(SystemError) { try spool.append(buffer) } catch { throw Failure(error) }
    spooledByteCount += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }
}
