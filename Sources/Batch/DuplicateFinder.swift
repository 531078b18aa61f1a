import Remuxing
import SystemIO

/// Finds jobs that have the id or the output of an earlier one, or that would read what another one writes.
struct DuplicateFinder: Sendable {
  private var ids = HashSet64()
  private var outputs = HashSet64()
  private var sources = HashSet64()
  /// Most jobs have the source of the one in front.
  private var latestSource: FilePath?

  /// What a job has in common with an earlier one that it must not; nil when nothing.
  mutating func failure(for job: Job) -> Failure? {
    for segment in job.segments where segment.source != latestSource {
      let hasher = Self.hasher(of: segment.source)
      guard !outputs.contains(hasher) else {
        return Failure(
          .jobDuplicate, "it reads what an earlier job writes, and jobs run in any order",
          path: segment.source, advice: "put it into a manifest of its own")
      }
      _ = sources.insert(hasher)
      latestSource = segment.source
    }
    guard !sources.contains(Self.hasher(of: job.output)) else {
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
    guard outputs.insert(Self.hasher(of: job.output)) else {
      return Failure(
        .jobDuplicate, "an earlier job has the same output", path: job.output,
        advice: "give each job an output of its own")
    }
    return nil
  }

  /// Feeds a path to a hasher so that different spellings of it are one: empty components and "." do not count, ".."
  /// takes back the one in front of it.
  private static func hasher(of path: FilePath) -> Hasher {
    let slash = UInt8(ascii: "/")
    var hasher = Hasher()
    var rest = path.content
    // From the end: each ".." there takes a component in front of it away.
    var taken = 0
    while !rest.isEmpty {
      let component = rest.lastIndex(of: slash).map { rest[($0 + 1)...] } ?? rest
      rest = rest.dropLast(component.count + 1)
      if component.isEmpty || component.elementsEqual([dot]) { continue }
      if component.elementsEqual([dot, dot]) {
        taken += 1
      } else if taken > 0 {
        taken -= 1
      } else {
        hasher.combine(component.count)
        // Read only while the closure runs.
        unsafe component.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
      }
    }
    hasher.combine(taken)
    return hasher
  }

  private static let dot = UInt8(ascii: ".")
}
