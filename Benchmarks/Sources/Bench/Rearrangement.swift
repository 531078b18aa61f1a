import Foundation

/// A file that `kerfless mux` has written, arranged in another way: the same access units, the same sample entry.
struct Rearrangement {
  private let bytes: Data
  private let movie: Range<Int>
  private let payload: Int
  private let units: Int

  /// Throws when it has another form than `mux` gives it.
  init(of path: String, units: Int) throws {
    bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    self.units = units
    let boxes = MovieBoxes.list(bytes, 0..<bytes.count)
    guard let movie = boxes.first(where: { $0.type == "moov" }),
      let media = boxes.last, media.type == "mdat"
    else { throw BenchError("\(path) is not as mux writes it") }
    self.movie = movie.range
    payload = media.range.upperBound - units * SourceMedia.unitByteCount
  }

  func write(_ shape: SourceMedia.Shape, to path: String) throws {
    switch shape {
    case .regular: try bytes.write(to: URL(fileURLWithPath: path))
    case .interleaved: try interleave(to: path)
    case .fragmented: try fragment(to: path)
    }
  }

  private func units(_ range: Range<Int>) -> Data {
    bytes[
      payload + range.lowerBound * SourceMedia.unitByteCount..<payload + range.upperBound
        * SourceMedia.unitByteCount]
  }

  private func runs(of size: Int) -> [Range<Int>] {
    stride(from: 0, to: units, by: size).map { $0..<min($0 + size, units) }
  }

  /// Chunks of a second, and behind each as many bytes that belong to no track.
  private func interleave(to path: String) throws {
    let runs = runs(of: SourceMedia.unitsPerSecond)
    let last = runs[runs.count - 1]
    var stsc = MovieBoxes.words(
      0, last.count == SourceMedia.unitsPerSecond ? 1 : 2, 1, SourceMedia.unitsPerSecond, 1)
    if last.count != SourceMedia.unitsPerSecond { stsc += MovieBoxes.words(runs.count, last.count, 1) }
    let headLength = movie.lowerBound + movieLength(stsc, offsets: runs.count) + 16
    var offsets = MovieBoxes.words(0, runs.count)
    var at = headLength
    for run in runs {
      offsets += MovieBoxes.wide(at)
      at += 2 * run.count * SourceMedia.unitByteCount
    }
    let file = try OutputHandle(path)
    try file.write(bytes[..<movie.lowerBound])
    try file.write(changedMovie(stsc, offsets))
    try file.write(MovieBoxes.words(1) + Data("mdat".utf8) + MovieBoxes.wide(at - headLength + 16))
    let filler = Data(repeating: 0xaa, count: SourceMedia.unitsPerSecond * SourceMedia.unitByteCount)
    for run in runs {
      try file.write(units(run))
      try file.write(filler.prefix(run.count * SourceMedia.unitByteCount))
    }
  }

  private func movieLength(_ stsc: Data, offsets: Int) -> Int {
    changedMovie(stsc, Data(count: 8 + 8 * offsets)).count
  }

  private func changedMovie(_ stsc: Data, _ offsets: Data) -> Data {
    MovieBoxes.replacing(bytes, movie) { type in
      switch type {
      case "stsc": MovieBoxes.box("stsc", stsc)
      case "stco", "co64": MovieBoxes.box("co64", offsets)
      default: nil
      }
    }
  }

  /// Empty tables in `moov`, and fragments of two seconds.
  private func fragment(to path: String) throws {
    let trex = MovieBoxes.box("trex", MovieBoxes.words(0, 1, 1, 1536, SourceMedia.unitByteCount, 0))
    var head = MovieBoxes.replacing(bytes, movie) { type in
      switch type {
      case "stts", "stsc", "stco": MovieBoxes.box(type, MovieBoxes.words(0, 0))
      case "stsz": MovieBoxes.box(type, MovieBoxes.words(0, 0, 0))
      default: nil
      }
    }
    head += MovieBoxes.box("mvex", trex)
    head.replaceSubrange(head.startIndex..<head.startIndex + 4, with: MovieBoxes.words(head.count))
    let file = try OutputHandle(path)
    try file.write(bytes[..<movie.lowerBound])
    try file.write(head)
    for (number, run) in runs(of: 2 * SourceMedia.unitsPerSecond).enumerated() {
      try file.write(fragmentHead(number, run))
      try file.write(MovieBoxes.words(8 + run.count * SourceMedia.unitByteCount) + Data("mdat".utf8))
      try file.write(units(run))
    }
  }

  /// `moof` with one run whose access units have the sizes and lengths of `trex`, right in front of their `mdat`.
  private func fragmentHead(_ number: Int, _ run: Range<Int>) -> Data {
    func whole(_ dataOffset: Int) -> Data {
      let header = MovieBoxes.box("tfhd", MovieBoxes.words(0x020000, 1))
      let time = MovieBoxes.box(
        "tfdt", MovieBoxes.words(0x0100_0000) + MovieBoxes.wide(run.lowerBound * 1536))
      let samples = MovieBoxes.box("trun", MovieBoxes.words(1, run.count, dataOffset))
      return MovieBoxes.box(
        "moof",
        MovieBoxes.box("mfhd", MovieBoxes.words(0, number + 1))
          + MovieBoxes.box("traf", header + time + samples))
    }
    return whole(whole(0).count + 8)
  }
}
