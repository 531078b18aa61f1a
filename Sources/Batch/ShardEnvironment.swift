public import Remuxing

/// Tells from an array job's environment which shard a process is.
///
/// Slurm job arrays, Kubernetes Indexed Jobs and AWS Batch array jobs are known. Where the environment cannot tell, or says
/// something else than was asked, that is an error: a wrong shard would leave jobs out or run them twice.
public struct ShardEnvironment: Sendable {
  /// A member of an array: its place in it, and how many there are where that is known.
  private struct Member {
    let index: Int
    let count: Int?
  }

  private let value: @Sendable (String) -> String?

  /// An environment by its variables.
  public init(_ value: @escaping @Sendable (String) -> String?) {
    self.value = value
  }

  /// The shard that a text asks for: "3/8", "auto/8", or "auto" where the environment also says how many there are.
  public func shard(_ text: String) throws(Failure) -> Shard {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let count = parts.count == 2 ? Self.number(parts[1]) : nil
    switch (parts.count, parts[0], count) {
    case (1, "auto", _):
      let member = try member()
      guard let count = member.count else {
        throw Self.failure("the environment does not say how many shards there are", "give --shard auto/N")
      }
      return try Self.shard(member.index, of: count)
    case (2, "auto", let count?):
      let member = try member()
      guard member.count == nil || member.count == count else {
        throw Self.failure(
          "the array has \(member.count ?? 0) members, not \(count)",
          "start as many as there are shards, or give --shard I/N")
      }
      return try Self.shard(member.index, of: count)
    case (2, let index, let count?):
      guard let index = Self.number(index) else { break }
      return try Self.shard(index, of: count)
    default: break
    }
    throw Self.failure("--shard cannot be '\(text)'", "write I/N with I from 0 to N - 1, auto/N, or auto")
  }

  private func member() throws(Failure) -> Member {
    let members = [try slurm(), try kubernetes(), try amazon()].compactMap { $0 }
    guard let member = members.first else {
      throw Self.failure("no array job's variables are set", "give --shard I/N")
    }
    guard members.count == 1 else {
      throw Self.failure("the variables of several array jobs are set", "give --shard I/N")
    }
    return member
  }

  /// SLURM_ARRAY_TASK_ID counts from MIN by STEP; a list of ids has gaps, and its places cannot be told.
  private func slurm() throws(Failure) -> Member? {
    guard let id = try number("SLURM_ARRAY_TASK_ID") else { return nil }
    guard let first = try number("SLURM_ARRAY_TASK_MIN") else {
      throw Self.failure("SLURM_ARRAY_TASK_MIN is not set", "give --shard I/N")
    }
    let step = max(1, try number("SLURM_ARRAY_TASK_STEP") ?? 1)
    guard id >= first, (id - first) % step == 0 else {
      throw Self.failure("SLURM_ARRAY_TASK_ID \(id) is no step from \(first)", "give --shard I/N")
    }
    guard let last = try number("SLURM_ARRAY_TASK_MAX"), let count = try number("SLURM_ARRAY_TASK_COUNT")
    else {
      return Member(index: (id - first) / step, count: nil)
    }
    guard last >= first, (last - first) / step + 1 == count else {
      throw Self.failure(
        "the array is a list with gaps, so the place of task \(id) in it cannot be told",
        "submit a range such as --array=0-7, or give --shard I/N")
    }
    return Member(index: (id - first) / step, count: count)
  }

  private func kubernetes() throws(Failure) -> Member? {
    try number("JOB_COMPLETION_INDEX").map { Member(index: $0, count: nil) }
  }

  private func amazon() throws(Failure) -> Member? {
    guard let index = try number("AWS_BATCH_JOB_ARRAY_INDEX") else { return nil }
    return Member(index: index, count: try number("AWS_BATCH_JOB_ARRAY_SIZE"))
  }

  private func number(_ name: String) throws(Failure) -> Int? {
    guard let text = value(name), !text.isEmpty else { return nil }
    guard let number = Self.number(text) else {
      throw Self.failure("\(name) is '\(text)', no number", "give --shard I/N")
    }
    return number
  }

  private static func number(_ text: String) -> Int? {
    let isNumber = (1...9).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    return isNumber ? Int(text) : nil
  }

  private static func shard(_ index: Int, of count: Int) throws(Failure) -> Shard {
    guard let shard = Shard(index, of: count) else {
      throw failure("there is no shard \(index) of \(count)", "shards are counted from 0")
    }
    return shard
  }

  private static func failure(_ message: String, _ advice: String) -> Failure {
    Failure(.usage, message, advice: advice)
  }
}
