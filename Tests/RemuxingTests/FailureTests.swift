import ByteParsing
import Glibc
import SystemIO
import Testing

@testable import Remuxing

/// DESIGN.md, 6.1: exit codes after sysexits.h.
@Suite struct FailureTests {
  private static let statuses: [(Failure.Code, String, Int32)] = [
    (.usage, "usage", 64), (.inputMalformed, "input.malformed", 65),
    (.inputIncompatible, "input.incompatible", 65),
    (.rangeInvalid, "range.invalid", 65), (.inputMissing, "input.missing", 66),
    (.inputUnreadable, "input.unreadable", 66),
    (.unsupported, "input.unsupported", 69), (.unavailable, "feature.unavailable", 69),
    (.targetExists, "target.exists", 73),
    (.targetUnavailable, "target.unavailable", 73), (.inputOutput, "io.error", 74),
    (.sourceChanged, "source.changed", 75), (.targetChanged, "target.changed", 75),
    (.resources, "system.resources", 75), (.descriptors, "system.descriptors", 75),
    (.manifestMalformed, "manifest.malformed", 65),
    (.jobInvalid, "job.invalid", 65), (.jobDuplicate, "job.duplicate", 65),
    (.journalMismatch, "journal.mismatch", 65), (.journalInUse, "journal.in-use", 75),
  ]

  @Test(arguments: statuses)
  func `each kind of failure has a stable name and an exit code`(
    code: Failure.Code, name: String, status: Int32
  ) {
    #expect(code.rawValue == name)
    #expect(code.exitStatus.rawValue == status)
  }

  @Test func `no kind of failure is left out above`() {
    #expect(Set(Self.statuses.map(\.0)) == Set(Failure.Code.allCases))
    #expect(Set(Failure.Code.allCases.map(\.rawValue)).count == Failure.Code.allCases.count)
    #expect(ExitStatus.done.rawValue == 0)
  }

  @Test(arguments: [
    (SystemError.Operation.openSource, ENOENT, Failure.Code.inputMissing),
    (.openSource, ENOTDIR, .inputMissing),
    (.openSource, EACCES, .inputUnreadable), (.openSource, ELOOP, .inputUnreadable),
    (.openSource, EMFILE, .descriptors),
    (.openSource, ENFILE, .descriptors), (.openSource, ENOMEM, .resources), (.openSource, EIO, .inputOutput),
    (.readSource, EIO, .inputOutput), (.createTarget, EACCES, .targetUnavailable),
    (.createTarget, ENOENT, .targetUnavailable),
    (.createTarget, EROFS, .targetUnavailable), (.createTarget, ENAMETOOLONG, .targetUnavailable),
    (.createTarget, ENOSPC, .resources), (.createTarget, EDQUOT, .resources),
    (.createTarget, EMFILE, .descriptors),
    (.writeTarget, ENOSPC, .resources), (.writeTarget, EDQUOT, .resources),
    (.writeTarget, EPIPE, .inputOutput),
    (.writeTarget, EFBIG, .inputOutput), (.writeTarget, EIO, .inputOutput),
    (.publishTarget, EACCES, .targetUnavailable),
    (.publishTarget, ENOSPC, .resources), (.listFolder, ENOENT, .inputUnreadable),
    (.removeTemporary, EACCES, .inputOutput),
  ])
  func `what the kernel would not do is a failure of its kind`(
    operation: SystemError.Operation, number: Int32, code: Failure.Code
  ) throws {
    let path = try #require(FilePath("clips/a.mp4"))
    let failure = Failure(SystemError(operation, path, .call("call", Errno(code: number))))
    #expect(failure.code == code)
    #expect(failure.path == path)
    // What was being done, and why it failed.
    #expect(failure.message.contains(operation.rawValue))
    #expect(failure.message.contains(Errno(code: number).text))
  }

  @Test(arguments: [
    (SystemError.Reason.notARegularFile("a FIFO"), Failure.Code.inputUnreadable),
    (.targetExists, .targetExists),
    (.targetCannotBeReplaced("a folder"), .targetUnavailable), (.targetIsSource, .targetUnavailable),
    (.sourceChanged("it was modified"), .sourceChanged), (.targetChanged, .targetChanged),
  ])
  func `each other reason is a failure of its kind`(reason: SystemError.Reason, code: Failure.Code) throws {
    let path = try #require(FilePath("clips/a.mp4"))
    let failure = Failure(SystemError(.createTarget, path, reason))
    #expect(failure.code == code)
    #expect(failure.path == path)
  }

  @Test func `malformed bytes and unsupported ones are told apart, with the place`() throws {
    let path = try #require(FilePath("a.mp4"))
    let malformed = ParsingError.malformed("it is broken", at: 17).inside("trak").inside("moov")
    let failure = Failure(malformed, in: path)
    #expect(failure.code == .inputMalformed)
    #expect(failure.offset == 17)
    #expect(failure.boxPath == "moov/trak")
    #expect(failure.description.hasPrefix("a.mp4: byte 17 (moov/trak): it is broken"))
    #expect(Failure(.unsupported("it is strange", at: 3), in: path).code == .unsupported)
  }

  @Test func `a failure reads as one line`() throws {
    let path = try #require(FilePath("a.mp4"))
    #expect(Failure(.usage, "no").description == "no")
    #expect(Failure(.usage, "no", advice: "do").description == "no; do")
    #expect(Failure(.usage, "no", path: path).description == "a.mp4: no")
    #expect(Failure(.usage, "no", path: path, offset: 5, advice: "do").description == "a.mp4: byte 5: no; do")
  }

  @Test func `names of findings are stable, distinct and made of words and dots`() {
    let names = Finding.Code.allCases.map(\.rawValue)
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z0-9]+\.[a-z-]+/) != nil })
    // The ones that DESIGN.md spells out.
    #expect(Finding.Code.dec3ObjectsMissing.rawValue == "dec3.joc-missing")
    #expect(Finding.Code.timesIrregular.rawValue == "stts.irregular")
  }
}
