import ByteParsing
import TestSupport
import Testing

@testable import ISOMedia

/// Asks a movie everything that there is to ask, so that a wrong answer's trap is met; errors are fine.
private func interrogate(_ movie: Movie, in bytes: RawSpan) {
  for track in movie.tracks {
    let table = track.sampleTable
    let count = table.sampleCount
    _ = track.mediaHeader.language.code
    _ = table.sampleEntries(of: 0..<count, in: bytes)
    for index in 0..<min(count, 40) { _ = table.sizes.size(of: index, in: bytes) }
    for index in 0..<table.timeToSample.table.count { _ = table.timeToSample.run(index, in: bytes) }
    for index in 0..<table.sampleToChunk.table.count {
      _ = table.sampleToChunk.chunkBehindRun(index, in: bytes)
    }
    for index in 0..<table.chunkOffsets.table.count {
      _ = try? table.chunkOffsets.offset(ofChunk: index, in: bytes)
    }
    for range in [0..<count, count / 2..<count, max(0, count - 1)..<count, 0..<min(1, count)]
    where !range.isEmpty {
      _ = try? table.sizes.byteCount(of: range, in: bytes)
      _ = try? table.extents(of: range, in: bytes)
      _ = table.sizes.commonSize(of: range, in: bytes)
    }
    for entry in table.description.entries {
      guard let parsed = try? AudioSampleEntry(parsing: entry, in: bytes) else { continue }
      _ = parsed.child("dec3")
      _ = try? parsed.originalFormat(in: bytes)
      _ = track.dataReference?.isExternal(parsed.dataReferenceIndex)
    }
  }
}

struct DamagedMovieTests {
  static let names = [
    "joc-base.mp4", "joc-qt-v1.mov", "ddp51.mov", "joc-v1-headers.mp4", "joc-unknown-boxes.mp4",
    "joc-enca.mp4",
    "ddp20-stz2-8.mp4", "joc-co64.mp4", "joc-2-entries.mp4", "ddp20-44k1.mp4", "av-joc.mp4",
    "frag-hybrid.mp4",
  ]

  @Test(arguments: names)
  func `every prefix of a movie ends in a result or an error`(name: String) throws {
    let moov = try MovieFile(name).moov
    // The bytes end where the box does, so that a read behind it would trap.
    for count in 8...moov.count {
      let bytes = Array(moov[..<count])
      let box = Box(type: "moov", offset: 0, payload: 8..<count)
      if let movie = try? Movie(parsing: box, in: bytes.rawBytes) { interrogate(movie, in: bytes.rawBytes) }
    }
  }

  @Test(arguments: names) func `every tail of a movie's end ends in a result or an error`(name: String) throws
  {
    let moov = try MovieFile(name).moov
    for start in stride(from: 8, to: moov.count, by: 3) {
      let bytes = zeros(8) + moov[start...]
      let box = Box(type: "moov", offset: 0, payload: 8..<bytes.count)
      if let movie = try? Movie(parsing: box, in: bytes.rawBytes) { interrogate(movie, in: bytes.rawBytes) }
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: names)
  func `random damage to a movie ends in a result or an error`(name: String) throws {
    let moov = try MovieFile(name).moov
    for seed in 0..<700 {
      // A seed a round, so that one that traps can be run alone.
      var random = SeededGenerator(seed: UInt64(seed))
      var bytes = moov
      for _ in 0..<Int.random(in: 1...4, using: &random) { damage(&bytes, using: &random) }
      let box = Box(type: "moov", offset: 0, payload: 8..<bytes.count)
      if let movie = try? Movie(parsing: box, in: bytes.rawBytes) { interrogate(movie, in: bytes.rawBytes) }
    }
  }

  /// Flips a bit, or puts a number in that counts and sizes are likely to trip over.
  private func damage(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
    let place = Int.random(in: 8..<bytes.count, using: &random)
    let numbers: [UInt32] = [0, 1, 2, 7, 8, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff]
    switch Int.random(in: 0..<3, using: &random) {
    case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
    default:
      let word = min(place & ~3, bytes.count - 4)
      bytes.replaceSubrange(word..<word + 4, with: words(numbers.randomElement(using: &random) ?? 0))
    }
  }
}
