/// What the probe prints.
struct ProbeOutput {
  /// Microseconds of each time, by the clock on the wall.
  let wall: [Double]
  /// The same on a core.
  let core: [Double]
  /// Microseconds of each job of a batch.
  let jobs: [Double]
  /// Heap allocations of our own, and by json-c.
  let allocations: (own: Int, json: Int)
  let units: Int
  let bytes: Int

  init(_ child: Child) throws {
    var lines: [Substring: [Double]] = [:]
    for line in child.output.split(separator: "\n") {
      let words = line.split(separator: " ")
      lines[words[0]] = words.dropFirst().compactMap { Double($0) }
    }
    func microseconds(_ key: Substring) -> [Double] { (lines[key] ?? []).map { $0 / 1000 } }
    guard let counts = lines["allocations"], counts.count == 2, let units = lines["units"]?.first,
      let bytes = lines["bytes"]?.first
    else { throw BenchError("the probe prints something else: \(child.output.prefix(200))") }
    wall = microseconds("wall")
    core = microseconds("core")
    jobs = microseconds("jobs")
    allocations = (Int(counts[0]), Int(counts[1]))
    self.units = Int(units)
    self.bytes = Int(bytes)
  }

  /// The mean of its operations: of a batch as a whole, of others one by one.
  var turn: Workbench.Turn {
    let count = Double(max(1, wall.count))
    return Workbench.Turn(
      wall: wall.reduce(0, +) / count, core: core.reduce(0, +) / count,
      each: (jobs.isEmpty ? wall : jobs, core))
  }
}
