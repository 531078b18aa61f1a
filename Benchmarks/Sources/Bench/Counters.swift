import Foundation

/// What is counted and not timed, an operation.
struct Counts: Codable, Equatable {
  /// Heap allocations of our own; nil for programs that cannot be looked into.
  var allocations: Double?
  /// Heap allocations by json-c while it parses.
  var jsonAllocations: Double?
  /// Calls into the kernel, but those that only ask for memory or wait for another thread.
  var systemCalls: Double?
  /// Instructions outside the kernel.
  var instructions: Double?
  /// Bytes that were made dirty on a disk, whatever their number in the file.
  var bytesWritten: Double?
  /// KiB of memory of the process's own at its end.
  var anonymous: Int?
  /// KiB, the most that was resident, pages of files among it.
  var peak: Int?
}

/// Counts exactly: the difference between some operations and twice as many.
struct Counters {
  let programs: Programs

  func count(_ bench: Workbench, withInstructions: Bool) throws -> Counts {
    var counts = Counts()
    let number = bench.scenario.counted
    let isOne = bench.scenario.isProcess
    let once = try use(bench, number)
    let twice = isOne ? nil : try use(bench, 2 * number)
    func each(_ value: (Use) -> Double?) -> Double? {
      guard let first = value(once) else { return nil }
      guard let twice else { return first }
      return value(twice).map { ($0 - first) / Double(number) }
    }
    counts.allocations = each { $0.allocations?.own }
    counts.jsonAllocations = each { $0.allocations?.json }
    counts.bytesWritten = each { $0.written }.map { max(0, $0) }
    counts.systemCalls = try systemCalls(bench, number, isOne)
    if withInstructions { counts.instructions = try instructions(bench, number, isOne) }
    counts.anonymous = (twice ?? once).anonymous
    counts.peak = (twice ?? once).peak
    return counts.rounded
  }

  private struct Use {
    var allocations: (own: Double, json: Double)?
    var written: Double?
    var anonymous: Int?
    var peak: Int?
  }

  private func use(_ bench: Workbench, _ number: Int) throws -> Use {
    _ = try bench.place.emptyClips()
    let words = try bench.words(count: number)
    let child = try Child(words[0], Array(words.dropFirst()), in: bench.place.folder, isWatched: true)
    var use = Use(written: child.written.map(Double.init), anonymous: child.anonymous, peak: child.peak)
    if case .probe = bench.scenario.subject {
      let counted = try ProbeOutput(child).allocations
      use.allocations = (Double(counted.own), Double(counted.json))
    }
    return use
  }

  /// By strace; nil without it.
  private func systemCalls(_ bench: Workbench, _ number: Int, _ isOne: Bool) throws -> Double? {
    guard let strace = programs.strace else { return nil }
    return try difference(number, isOne) { count in
      _ = try bench.place.emptyClips()
      _ = try Child(
        strace, ["-f", "-c", "-o", "calls", "--"] + bench.words(count: count), in: bench.place.folder)
      return Double(Self.calls(try bench.place.text(of: "calls")))
    }
  }

  /// Sums the table that `strace -c` prints: share, seconds, microseconds a call, calls, errors where there are, name.
  static func calls(_ table: String) -> Int {
    table.split(separator: "\n").reduce(0) { sum, line in
      let words = line.split(separator: " ")
      guard words.count >= 5, let name = words.last, name != "total", let calls = Int(words[3]),
        !notCounted.contains(String(name))
      else { return sum }
      return sum + calls
    }
  }

  /// Calls for memory and between threads: how many there are depends on what else is linked, and on the scheduler.
  private static let notCounted: Set = ["brk", "mprotect", "futex", "sched_yield", "restart_syscall"]

  /// By cachegrind; nil without valgrind.
  private func instructions(_ bench: Workbench, _ number: Int, _ isOne: Bool) throws -> Double? {
    guard let valgrind = programs.valgrind else { return nil }
    return try difference(number, isOne) { count in
      _ = try bench.place.emptyClips()
      // A relative name: signs of percent in a folder's would mean something to valgrind.
      let options = [
        "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", "--log-file=instructions",
      ]
      _ = try Child(valgrind, options + bench.words(count: count), in: bench.place.folder)
      let text = try bench.place.text(of: "instructions")
      guard
        let count = text.firstMatch(of: /I\s+refs:\s+([\d,]+)/).flatMap({
          Double($0.1.replacing(",", with: ""))
        })
      else { throw BenchError("valgrind does not tell the instructions: \(text.suffix(300))") }
      return count
    }
  }

  /// Of one operation: all that the process did, or what each of as many operations more adds.
  private func difference(
    _ number: Int, _ isOne: Bool, _ run: (Int) throws -> Double
  ) throws -> Double {
    let first = try run(number)
    return isOne ? first : (try run(2 * number) - first) / Double(number)
  }
}

extension Counts {
  /// What threads or memory that grows in steps add now and then is less than half a call in an operation.
  fileprivate var rounded: Counts {
    var rounded = self
    rounded.allocations = allocations?.rounded()
    rounded.jsonAllocations = jsonAllocations?.rounded()
    rounded.systemCalls = systemCalls?.rounded()
    rounded.instructions = instructions?.rounded()
    rounded.bytesWritten = bytesWritten?.rounded()
    return rounded
  }
}
