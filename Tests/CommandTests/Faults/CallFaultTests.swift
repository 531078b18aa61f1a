import Foundation
import TestSupport
import Testing

/// Every system call of a trim and of a join fails once in each way that it plausibly can (strace injects the error into
/// the shipped program), and is once the moment of a signal.
@Suite(
  .serialized, .enabled(if: Tool.exists("strace"), "strace is needed"),
  .enabled(if: LoopMount.xfs != nil, "\(LoopMount.reason)"))
struct CallFaultTests {
  @Test(arguments: FaultScenario.all)
  func `whatever call fails, the output is complete or absent`(_ scenario: FaultScenario) throws {
    let bench = try FaultBench(scenario, in: try #require(LoopMount.xfs).path)
    let calls = try Trace(of: bench.arguments, from: bench.source).calls
    try #require(calls.count > 15)
    for call in calls {
      for fault in Fault.all(for: call.role, demanded: scenario.method) {
        let injection = "\(call.name):error=\(fault.error):when=\(call.occurrence)"
        let result = try #require(try bench.run(injecting: [injection]), "\(injection) was not hit")
        try bench.checkInvariants(result, fault.statuses, after: "\(call) \(fault.error)")
      }
    }
    try bench.checkSource()
    bench.tell(scenario.testDescription)
  }

  @Test(arguments: FaultScenario.all.filter { !$0.joins })
  func `at whatever call a signal comes, the output is complete or absent`(_ scenario: FaultScenario) throws {
    let bench = try FaultBench(scenario, in: try #require(LoopMount.xfs).path)
    // The first four calls are those that catch signals.
    for call in try Trace(of: bench.arguments, from: bench.source).calls.dropFirst(4) {
      for (name, status) in [("TERM", 143), ("INT", 130), ("KILL", 137)] as [(String, Int32)] {
        let injection = "\(call.name):signal=SIG\(name):when=\(call.occurrence)"
        let result = try #require(try bench.run(injecting: [injection]), "\(injection) was not hit")
        // A killed process cannot tidy up; what it leaves under a temporary name is removed by clean.
        let leavesTemporary = name == "KILL" && scenario.more.contains("--force")
        guard name != "KILL" || !scenario.more.contains("direct") else { continue }
        try bench.checkInvariants(
          result, [status], after: "\(call) SIG\(name)", leavesTemporary: leavesTemporary)
      }
    }
    try bench.checkSource()
    bench.tell("signals, " + scenario.testDescription)
  }

  @Test func `a temporary file that cannot be removed is left to clean`() throws {
    let scenario = FaultScenario(joins: false, method: "gather", more: ["--force"])
    let bench = try FaultBench(scenario, in: try #require(LoopMount.xfs).path)
    for error in ["EIO", "EROFS", "EACCES", "EBUSY"] {
      let result = try #require(
        try bench.run(injecting: ["pwritev:error=ENOSPC:when=1", "unlink:error=\(error):when=1"]))
      try bench.checkInvariants(result, [75], after: "unlink \(error)", leavesTemporary: true)
    }
    bench.tell("a removal that fails")
  }
}
