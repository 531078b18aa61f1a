import Remuxing
import SystemIO

/// Finds jobs that have the id or the output of an earlier one.
struct DuplicateFinder: Sendable {
  private var ids = HashSet64()
  private var outputs = HashSet64()

  /// What a job shares with an earlier one; nil when nothing.
  mutating func failure(for job: Job) -> Failure? {
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

  /// Feeds a path to a hasher so that different spellings of it are one: empty components and "." do not count.
  private static func hasher(of path: FilePath) -> Hasher {
    let slash = UInt8(ascii: "/")
    var hasher = Hasher()
    var rest = path.content
    while !rest.isEmpty {
      let component = rest.prefix { $0 != slash }
      rest = rest.dropFirst(component.count + 1)
      guard !component.isEmpty, !(component.count == 1 && component.first == UInt8(ascii: ".")) else {
        continue
      }
      hasher.combine(component.count)
      // Read only while the closure runs.
      unsafe component.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
    return hasher
  }
}
