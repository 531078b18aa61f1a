import Remuxing
import SystemIO

/// Finds jobs that have the id or the output of an earlier one, or that would read what another one writes.
struct DuplicateFinder: Sendable {
  private var ids = HashSet64()
  private var outputs = HashSet64()
  private var sources = HashSet64()
  /// Sources that have been looked at, so many at most.
  private var known: Set<FilePath> = []
  private static let knownCount = 4096
  private var folders = FolderPlaces()

  /// What a job has in common with an earlier one that it must not; nil when nothing.
  mutating func failure(for job: Job) -> Failure? {
    for segment in job.segments where !known.contains(segment.source) {
      let hasher = hasher(of: (try? segment.source.resolved()) ?? segment.source)
      guard !outputs.contains(hasher) else {
        return Failure(
          .jobDuplicate, "it reads what an earlier job writes, and jobs run in any order",
          path: segment.source, advice: "put it into a manifest of its own")
      }
      _ = sources.insert(hasher)
      if known.count >= Self.knownCount { known.removeAll() }
      known.insert(segment.source)
    }
    let output = hasher(of: job.output)
    guard !sources.contains(output) else {
      return Failure(
        .jobDuplicate, "it writes what it or an earlier job reads, and jobs run in any order",
        path: job.output, advice: "give it another output")
    }
    var id = Hasher()
    id.combine(job.id)
    guard ids.insert(id) else {
      return Failure(
        .jobDuplicate, "an earlier job has the same id", advice: "give each job an id of its own")
    }
    guard outputs.insert(output) else {
      return Failure(
        .jobDuplicate, "an earlier job has the same output", path: job.output,
        advice: "give each job an output of its own")
    }
    return nil
  }

  /// Feeds a path to a hasher so that different spellings of it are one: empty components and "." do not count, ".."
  /// takes back the one in front of it. Of an output, or of a source that is not there, only the folder's links are followed.
  private mutating func hasher(of path: FilePath) -> Hasher {
    var hasher = Hasher()
    // From the end: each ".." there takes a component in front of it away.
    var taken = 0
    for part in [path.lastComponent[...], folders.place(of: path).content] {
      Self.add(part, to: &hasher, &taken)
    }
    hasher.combine(taken)
    return hasher
  }

  private static func add(_ path: ArraySlice<UInt8>, to hasher: inout Hasher, _ taken: inout Int) {
    let slash = UInt8(ascii: "/")
    var rest = path
    while !rest.isEmpty {
      let component = rest.lastIndex(of: slash).map { rest[($0 + 1)...] } ?? rest
      rest = rest.dropLast(component.count + 1)
      if component.count <= 2, component.allSatisfy({ $0 == dot }) {
        if component.count == 2 { taken += 1 }
      } else if taken > 0 {
        taken -= 1
      } else {
        hasher.combine(component.count)
        // Read only while the closure runs.
        unsafe component.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
      }
    }
  }

  private static let dot = UInt8(ascii: ".")
}

/// Where folders lie that are named in different ways, or by links.
private struct FolderPlaces {
  /// Folders that are remembered.
  private static let capacity = 4096

  private var places: [FilePath: FilePath] = [:]
  private var latest: (folder: FilePath, place: FilePath)?

  /// The folder of a path with its links followed, as far as it exists.
  mutating func place(of path: FilePath) -> FilePath {
    if let latest, latest.folder.holds(path) { return latest.place }
    let folder = path.folder
    let place = places[folder] ?? (try? folder.resolvedBeforeItExists()) ?? folder
    if places.count >= Self.capacity { places.removeAll() }
    places[folder] = place
    latest = (folder, place)
    return place
  }
}
