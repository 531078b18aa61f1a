import CAllocations
import Glibc
import SystemIO

/// What is measured inside a process: one work, some times, and nothing else that costs.
///
/// It is started by `kerfless-bench`, which knows the words that it takes: `WORK count=N source=FILE …`. It prints a line a
/// kind of number; with `timed=yes` also how long each time took. Foundation is not linked.
@main
enum Probe {
  static func main() {
    do {
      let request = try ProbeRequest(CommandLine.arguments.dropFirst())
      let work = try request.kind.prepare(request)
      let before = callocations_so_far()
      let samples = try work(request)
      let after = callocations_so_far()
      if request.isTimed {
        print("wall", samples.wall.map(String.init).joined(separator: " "))
        print("core", samples.core.map(String.init).joined(separator: " "))
        print("jobs", samples.jobs.map(String.init).joined(separator: " "))
      }
      print("allocations", after.own - before.own, after.json - before.json)
      print("units", samples.units)
      print("bytes", samples.bytes)
    } catch {
      try? StandardStream.error.write(Array("kerfless-probe: \(error)\n".utf8))
      exit(1)
    }
  }
}

/// How long each time took, in nanoseconds, and what was done in all.
struct Samples {
  /// By the clock on the wall.
  var wall: [Int] = []
  /// On a core, user and system together.
  var core: [Int] = []
  /// Access units.
  var units = 0
  /// Bytes of payload.
  var bytes = 0
  /// How long each job of a batch took, where that is all that can be told of one.
  var jobs: [Int] = []

  /// Nothing yet.
  init() {}

  /// Does something again and again, as often as is asked; the body is given the number of the time, and tells
  /// access units and bytes.
  init(_ request: ProbeRequest, _ body: (Int) throws -> (units: Int, bytes: Int)) rethrows {
    if request.isTimed {
      wall.reserveCapacity(request.count)
      core.reserveCapacity(request.count)
    }
    for turn in 0..<request.count {
      let start = request.isTimed ? Instant.now : nil
      let done = try body(turn)
      if let start {
        let end = Instant.now
        wall.append(end.wall - start.wall)
        core.append(end.core - start.core)
      }
      units += done.units
      bytes += done.bytes
    }
  }
}

/// Now, by two clocks, in nanoseconds.
struct Instant {
  let wall: Int
  let core: Int

  static var now: Instant {
    Instant(wall: read(CLOCK_MONOTONIC), core: read(CLOCK_PROCESS_CPUTIME_ID))
  }

  private static func read(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
