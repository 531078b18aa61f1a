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
    var output = Hasher()
    for component in job.output.bytes.split(separator: UInt8(ascii: "/"))
    where component != [UInt8(ascii: ".")] {
      output.combine(component.count)
      // Read only while the closure runs.
      unsafe component.withUnsafeBytes { unsafe output.combine(bytes: $0) }
    }
    guard outputs.insert(output) else {
      return Failure(
        .jobDuplicate, "an earlier job has the same output", path: job.output,
        advice: "give each job an output of its own")
    }
    return nil
  }
}
