import Remuxing
import Testing

@testable import Batch

/// Which shard a process is.
struct ShardEnvironmentTests {
  private func shard(_ text: String, _ variables: [String: String] = [:]) throws -> String {
    try ShardEnvironment { variables[$0] }.shard(text).description
  }

  private static func slurm(_ id: Int, _ first: Int, _ last: Int, step: Int = 1, count: Int) -> [String:
    String]
  {
    [
      "SLURM_ARRAY_TASK_ID": "\(id)", "SLURM_ARRAY_TASK_MIN": "\(first)", "SLURM_ARRAY_TASK_MAX": "\(last)",
      "SLURM_ARRAY_TASK_STEP": "\(step)", "SLURM_ARRAY_TASK_COUNT": "\(count)",
    ]
  }

  static let told: [(text: String, variables: [String: String], shard: String)] = [
    ("0/1", [:], "0/1"), ("3/8", [:], "3/8"), ("7/8", [:], "7/8"),
    ("999999998/999999999", [:], "999999998/999999999"),
    ("auto", slurm(0, 0, 7, count: 8), "0/8"), ("auto", slurm(7, 0, 7, count: 8), "7/8"),
    ("auto", slurm(8, 1, 8, count: 8), "7/8"), ("auto", slurm(5, 1, 7, step: 2, count: 4), "2/4"),
    // A range whose end is no step: 0, 3, 6 of --array=0-8:3 has MAX 6 or 8.
    ("auto", slurm(6, 0, 8, step: 3, count: 3), "2/3"), ("auto/8", slurm(3, 0, 7, count: 8), "3/8"),
    ("auto/8", ["JOB_COMPLETION_INDEX": "0"], "0/8"), ("auto/8", ["JOB_COMPLETION_INDEX": "7"], "7/8"),
    ("auto", ["AWS_BATCH_JOB_ARRAY_INDEX": "4", "AWS_BATCH_JOB_ARRAY_SIZE": "5"], "4/5"),
    ("auto/5", ["AWS_BATCH_JOB_ARRAY_INDEX": "4"], "4/5"),
  ]

  @Test(arguments: told)
  func `shards are told`(_ row: (text: String, variables: [String: String], shard: String)) throws {
    #expect(try shard(row.text, row.variables) == row.shard)
  }

  static let refused: [(text: String, variables: [String: String])] = [
    ("", [:]), ("8/8", [:]), ("-1/8", [:]), ("1/0", [:]), ("1", [:]), ("1/2/3", [:]), ("+1/2", [:]),
    ("1/ 2", [:]),
    ("a/b", [:]), ("1/99999999999999999999", [:]), ("auto", [:]), ("auto/8", [:]), ("auto/0", [:]),
    ("Auto/8", [:]),
    ("auto", ["JOB_COMPLETION_INDEX": "0"]), ("auto/8", ["JOB_COMPLETION_INDEX": "8"]),
    ("auto/8", ["JOB_COMPLETION_INDEX": "x"]), ("auto", ["AWS_BATCH_JOB_ARRAY_INDEX": "4"]),
    ("auto/4", ["AWS_BATCH_JOB_ARRAY_INDEX": "1", "AWS_BATCH_JOB_ARRAY_SIZE": "5"]),
    // A list: 1, 3 and 7.
    ("auto", slurm(3, 1, 7, count: 3)), ("auto/3", slurm(3, 1, 7, count: 3)),
    ("auto/8", slurm(2, 2, 5, count: 4)), ("auto", slurm(4, 1, 7, step: 2, count: 4)),
    ("auto/8", ["SLURM_ARRAY_TASK_ID": "3"]),
    ("auto/8", ["JOB_COMPLETION_INDEX": "0", "AWS_BATCH_JOB_ARRAY_INDEX": "0"]),
  ]

  @Test(arguments: refused)
  func `what cannot be told is refused`(_ row: (text: String, variables: [String: String])) {
    let failure = #expect(throws: Failure.self) { try shard(row.text, row.variables) }
    #expect(failure?.code == .usage)
  }
}
