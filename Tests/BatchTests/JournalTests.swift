import Foundation
import TestSupport
import Testing

@testable import Batch
@testable import Remuxing
@testable import SystemIO

/// What a journal keeps from run to run.
struct JournalTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func path(_ name: String) throws -> FilePath { try #require(FilePath(folder.file(name))) }

  private func job(_ id: String, start: String = "1") throws -> Job {
    let line = Array(#"{"id":"\#(id)","source":"s","start":"\#(start)","output":"\#(id).mp4"}"#.utf8)
    return try JobParser(try PathRules(root: try path("."))).job(line.span, number: 1)
  }

  private func done(_ job: Job, _ bytes: String) throws -> (job: Job, outcome: JobOutcome) {
    _ = try folder.write(Array(bytes.utf8), as: job.id + ".mp4")
    let stamp = try #require(OutputStamp(of: job.output, headerByteCount: 4))
    var transfer = TransferReport()
    transfer.gatheredByteCount = 9
    let delivery = Delivery(
      byteCount: stamp.byteCount, stamp: stamp, accessUnitCount: 1, transfer: transfer, findings: [])
    return (job, JobOutcome(of: job, .done(delivery), nanoseconds: 5000))
  }

  private func open(
    _ use: JournalFolder.Use = .resume, manifest: UInt64? = 7, shard: Shard = .whole,
    durability: BatchDurability = .file
  ) throws -> Journal {
    try JournalFolder(try path("journal"), use: use)
      .open(shard, manifest: manifest, durability: durability).journal
  }

  private func isDone(_ entry: JournalIndex.Entry, _ job: Job) -> Bool {
    guard case .done(let check, let headerByteCount) = entry else { return false }
    return OutputStamp(of: job.output, headerByteCount: headerByteCount)?.check(jobDigest: job.digest)
      == check
  }

  @Test func `digests are FNV-1a`() {
    // Landon Curt Noll's test vectors.
    for (text, value): (String, UInt64) in [
      ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
    ] {
      var digest = Digest()
      digest.add(text.utf8)
      #expect(digest.value == value)
    }
  }

  @Test func `what was done is known to the next run`() throws {
    let (a, b, c) = try (job("a"), job("b"), job("c"))
    do {
      let journal = try open()
      #expect(journal.entry(for: a) == .unknown)
      try journal.begin([a, b])
      _ = try journal.record([done(a, "headpayload")])
    }
    let journal = try open()
    #expect(isDone(journal.entry(for: a), a))
    #expect(journal.entry(for: b) == .begun)
    #expect(journal.entry(for: c) == .unknown)
  }

  @Test func `a journal's state is what its last lines say of each job`() throws {
    let jobs = try "abcdef".map { try job(String($0)) }
    let journal = try open()
    try journal.begin(jobs)
    for job in jobs[1...3] {
      let code: Failure.Code = job.id == "d" ? .resources : .inputMissing
      try journal.recordFailure(JobOutcome(of: job, .failed(Failure(code, "no")), nanoseconds: 0), of: job)
    }
    _ = try journal.record([done(jobs[0], "headpayload"), done(jobs[1], "headpayload")])
    let path = try path("journal")
    let file = folder.file("journal/shard-0-of-1.jsonl")
    let other =
      #"{"id":"e","claim":"\#(String(jobs[4].claim, radix: 16))","status":"failed","error":{"code":"x.y"}}"#
    _ = try folder.write(readFile(file) + Array((other + "\n{\"id").utf8), as: "journal/shard-0-of-1.jsonl")
    let status = try JournalStatus(of: path, manifest: nil)
    #expect(status.counts.done == 2)
    #expect(status.counts.begun == 1)
    #expect(status.counts.failed == 3)
    #expect(status.counts.failures.temporary == 1)
    #expect(status.counts.failures.sorted.map(\.code) == [.inputMissing, .resources])
    #expect(status.counts.failedOtherwise == 1)
    #expect(status.unreadableLines == 1)
    #expect(status.runningCount == 1)
    #expect(status.unbegun == nil)
    withExtendedLifetime(journal) {}
  }

  @Test func `an edited job and a changed output are not done`() throws {
    let a = try job("a")
    _ = try open().record([done(a, "headpayload")])
    let entry = try open().entry(for: a)
    #expect(isDone(entry, a))
    #expect(try !isDone(entry, job("a", start: "2")))
    for other in ["headpayloa", "heaDpayload", "hea", ""] {
      _ = try folder.write(Array(other.utf8), as: "a.mp4")
      #expect(!isDone(entry, a), "\(other)")
    }
    try FileManager.default.removeItem(atPath: folder.file("a.mp4"))
    #expect(!isDone(entry, a))
  }

  @Test func `what was begun again after it was done is not done`() throws {
    let a = try job("a")
    do {
      let journal = try open()
      _ = try journal.record([done(a, "headpayload")])
      try journal.begin([a])
    }
    #expect(try open().entry(for: a) == .begun)
  }

  @Test func `a torn tail is ended and passed over`() throws {
    let (a, b) = try (job("a"), job("b"))
    _ = try open().record([done(a, "headpayload"), done(b, "headpayload")])
    let file = folder.file("journal/shard-0-of-1.jsonl")
    let whole = try readFile(file)
    for cut in [1, 2, 60, 150] {
      try Data(whole.dropLast(cut)).write(to: URL(fileURLWithPath: file))
      let opened = try JournalFolder(try path("journal"), use: .resume)
        .open(.whole, manifest: 7, durability: .file)
      // Without its line feed alone the line is whole.
      #expect(opened.unreadableLines == (cut == 1 ? 0 : 1))
      #expect(isDone(opened.journal.entry(for: a), a))
      #expect(isDone(opened.journal.entry(for: b), b) == (cut == 1))
      try opened.journal.begin([b])
      for line in try readFile(file).split(separator: 10).dropFirst(cut == 1 ? 0 : 4) {
        _ = try JSON(parsing: String(decoding: line, as: UTF8.self))
      }
    }
    // Zeros, as a file system may leave after a power loss.
    try Data(whole.dropLast(9) + [UInt8](repeating: 0, count: 5000)).write(to: URL(fileURLWithPath: file))
    #expect(try isDone(open().entry(for: a), a))
  }

  @Test func `what was never forced to the disk does not outlive the boot`() throws {
    let a = try job("a")
    _ = try open(durability: .none).record([done(a, "headpayload")])
    #expect(try isDone(open().entry(for: a), a))
    let file = folder.file("journal/shard-0-of-1.jsonl")
    let text = String(decoding: try readFile(file), as: UTF8.self)
    let boot = try #require(Host.bootID)
    let other = text.replacingOccurrences(of: boot, with: "00000000-0000-0000-0000-000000000000")
    try Data(other.utf8).write(to: URL(fileURLWithPath: file))
    #expect(try open().entry(for: a) == .begun)
    let forced = other.replacingOccurrences(of: #""sync":"none""#, with: #""sync":"group""#)
    try Data(forced.utf8).write(to: URL(fileURLWithPath: file))
    #expect(try isDone(open().entry(for: a), a))
  }

  @Test func `with checkpoints, jobs are recorded when one is made`() throws {
    let a = try job("a")
    do {
      let journal = try open(durability: .group)
      try journal.begin([a])
      #expect(try !journal.record([done(a, "headpayload")]))
    }
    #expect(try open(durability: .group).entry(for: a) == .begun)
    do {
      let journal = try open(durability: .group)
      _ = try journal.record([done(a, "headpayload")])
      try Checkpoints(journal: journal).make()
    }
    #expect(try isDone(open().entry(for: a), a))
  }

  @Test func `the number of shards may change`() throws {
    let (a, b) = try (job("a"), job("b"))
    _ = try open(shard: try #require(Shard(0, of: 2))).record([done(a, "headpayload")])
    _ = try open(shard: try #require(Shard(1, of: 2))).record([done(b, "headpayload")])
    let journal = try open(shard: try #require(Shard(2, of: 3)))
    #expect(isDone(journal.entry(for: a), a))
    #expect(isDone(journal.entry(for: b), b))
    // While such a run goes on, a run of another number would do some of its jobs too.
    #expect(
      #expect(throws: Failure.self) { try open(shard: try #require(Shard(0, of: 2))) }?.code == .journalInUse)
    withExtendedLifetime(journal) {}
  }

  @Test func `a journal is used once, by one process, for one manifest`() throws {
    do {
      let first = try open(.fresh)
      #expect(#expect(throws: Failure.self) { try open() }?.code == .journalInUse)
      withExtendedLifetime(first) {}
    }
    #expect(#expect(throws: Failure.self) { try open(.fresh) }?.code == .targetExists)
    #expect(
      #expect(throws: Failure.self) { try open(.fresh, shard: try #require(Shard(0, of: 4))) }?.code
        == .targetExists)
    #expect(#expect(throws: Failure.self) { try open(manifest: 8) }?.code == .journalMismatch)
    _ = try open(.resumeEdited, manifest: 8)
    _ = try open(.resumeEdited, manifest: nil)
    #expect(#expect(throws: Failure.self) { try open(manifest: 9) }?.code == .journalMismatch)
  }

  @Test func `shards of one fresh run start one after the other`() throws {
    for index in 0..<3 { _ = try open(.fresh, shard: try #require(Shard(index, of: 3))) }
  }

  @Test func `an index holds many jobs in sixteen bytes each`() {
    var index = JournalIndex()
    var generator = SeededGenerator(seed: 1)
    let claims = (0..<100_000).map { _ in generator.next() }
    for claim in claims { index.begin(claim) }
    for (number, claim) in claims.enumerated() where number % 2 == 0 {
      index.finish(claim, check: UInt32(number), headerByteCount: number)
    }
    index.finish(0, check: 1, headerByteCount: 2)
    for (number, claim) in claims.enumerated() {
      let wanted: JournalIndex.Entry =
        number % 2 == 0 ? .done(check: UInt32(number), headerByteCount: number) : .begun
      #expect(index.entry(for: claim) == wanted)
    }
    #expect(index.entry(for: 0) == .done(check: 1, headerByteCount: 2))
    #expect(index.entry(for: 1) == .unknown)
  }
}
