import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import Remuxing

@Suite struct PlanWriterTests {
  let bench: Workbench

  init() throws {
    bench = try Workbench()
  }

  private func write(_ plan: Plan, to name: String, _ options: OutputOptions = OutputOptions()) throws
    -> TransferReport
  {
    try PlanWriter(method: .auto).write(
      plan, to: .file(try #require(FilePath(bench.folder.file(name))), options))
  }

  private static let replacing: OutputOptions = {
    var options = OutputOptions()
    options.replacesExisting = true
    return options
  }()

  @Test(arguments: ["joc-base.mp4", "av-joc.mp4", "ac3-51-swapped.ac3", "ddp-vbr.ec3"])
  func `what is written is what was planned`(name: String) throws {
    for (number, planner) in [OutputPlanner.iso(), .elementary].enumerated() {
      let plan = try planner.plan(try Workbench.fixture(name), range("1au", "20au")).plan
      let report = try write(plan, to: "out \(number)")
      #expect(try readFile(bench.folder.file("out \(number)")) == plan.bytes)
      #expect(report.method == .gather)
      #expect(report.gatheredByteCount == plan.payloadByteCount)
      #expect(report.clonedByteCount == 0)
      #expect(report.copiedByteCount == 0)
    }
    #expect(bench.folder.names == ["out 0", "out 1"])
  }

  @Test func `an existing output needs leave to be replaced`() throws {
    let plan = try OutputPlanner.iso().plan(try Workbench.fixture("joc-base.mp4")).plan
    _ = try bench.folder.write([9], as: "out")
    #expect(failure { try write(plan, to: "out") }?.code == .targetExists)
    #expect(try readFile(bench.folder.file("out")) == [9])
    _ = try write(plan, to: "out", Self.replacing)
    #expect(try readFile(bench.folder.file("out")) == plan.bytes)
  }

  @Test func `a source is never an output`() throws {
    let bytes = try Media.bytes("joc-base.mp4")
    let plan = try OutputPlanner.iso().plan(try bench.source(bytes)).plan
    #expect(failure { try write(plan, to: "source", Self.replacing) }?.code == .targetUnavailable)
    #expect(try readFile(bench.folder.file("source")) == bytes)
  }

  @Test(arguments: [0, 1, 640, 4096, 6000, 10_000])
  func `a source truncated after it was opened is temporary, and nothing remains`(size: Int) throws {
    for options in [OutputOptions(), Self.replacing] {
      let plan = try OutputPlanner.iso().plan(try bench.source(try Media.bytes("joc-base.mp4"))).plan
      try #require(truncate(bench.folder.file("source"), off_t(size)) == 0)
      let failure = failure { try write(plan, to: "out", options) }
      #expect(failure?.code == .sourceChanged)
      #expect(failure?.code.exitStatus.rawValue == 75)
      #expect(failure?.path?.description == bench.folder.file("source"))
      #expect(bench.folder.names == ["source"])
    }
  }

  @Test func `a source rewritten after it was opened is temporary, and nothing remains`() throws {
    let name = try bench.folder.write(try Media.bytes("joc-base.mp4"), as: "source")
    let past = timespec(tv_sec: 1_000_000_000, tv_nsec: 0)
    try #require(utimensat(AT_FDCWD, name, [past, past], 0) == 0)
    let plan = try OutputPlanner.iso().plan(try Source(opening: try #require(FilePath(name)))).plan
    let file = try #require(FileHandle(forUpdatingAtPath: name))
    try file.write(contentsOf: Data([0]))
    try file.close()
    #expect(failure { try write(plan, to: "out") }?.code == .sourceChanged)
    #expect(bench.folder.names == ["source"])
  }

  @Test func `a source replaced or deleted after it was opened is still the right one`() throws {
    let bytes = try Media.bytes("joc-base.mp4")
    let source = try bench.source(bytes)
    let plan = try OutputPlanner.iso().plan(source).plan
    let expected = plan.bytes
    _ = try bench.folder.write([1, 2, 3], as: "other")
    try #require(rename(bench.folder.file("other"), bench.folder.file("source")) == 0)
    _ = try write(plan, to: "replaced")
    try #require(unlink(bench.folder.file("source")) == 0)
    _ = try write(plan, to: "deleted")
    #expect(try readFile(bench.folder.file("replaced")) == expected)
    #expect(try readFile(bench.folder.file("deleted")) == expected)
  }

  @Test func `a full device is temporary`() throws {
    let plan = try OutputPlanner.iso().plan(try Workbench.fixture("joc-base.mp4")).plan
    let target = try #require(FilePath("/dev/full"))
    let failure = failure { try PlanWriter(method: .auto).write(plan, to: .file(target, OutputOptions())) }
    #expect(failure?.code == .resources)
    #expect(failure?.code.exitStatus.rawValue == 75)
  }

  @Test func `a missing folder cannot be written to and is not made`() throws {
    let plan = try OutputPlanner.iso().plan(try Workbench.fixture("joc-base.mp4")).plan
    let failure = failure { try write(plan, to: "missing/out") }
    #expect(failure?.code == .targetUnavailable)
    #expect(bench.folder.names == [])
  }
}
