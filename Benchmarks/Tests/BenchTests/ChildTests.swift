import Foundation
import TestSupport
import Testing

@testable import Bench

/// What counts depends on must be the same however the harness was started.
@Suite struct ChildTests {
  @Test func `a child has no variable but those that are given`() throws {
    setenv("KERFLESS_BENCH_TEST", "x", 1)
    defer { unsetenv("KERFLESS_BENCH_TEST") }
    for isWatched in [false, true] {
      let output = try Child("/usr/bin/env", [], in: "/", isWatched: isWatched).output
      #expect(Set(output.split(separator: "\n").map(String.init)) == Set(Child.environment))
    }
    let names = Child.environment.map { $0.prefix { $0 != "=" } }
    #expect(Set(names).isSubset(of: ["PATH", "TMPDIR", "LD_LIBRARY_PATH", "VALGRIND_LIB"]))
  }

  /// A shell starts what it puts into the background with SIGINT and SIGQUIT ignored.
  @Test func `a child ignores and blocks no signal, and has a process group of its own`() throws {
    let before = signal(SIGQUIT, SIG_IGN)
    defer { signal(SIGQUIT, before) }
    for isWatched in [false, true] {
      let status = try Child("/bin/cat", ["/proc/self/status"], in: "/", isWatched: isWatched).output
      for key in ["SigIgn", "SigBlk"] {
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(key) })
        let signals = try #require(line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) })
        // Bits of signals 32 and 33, which belong to the C library: nobody can change them.
        #expect(signals & ~0x1_8000_0000 == 0, "\(line)")
      }
      let group = try Child("/bin/sh", ["-c", "cut -d' ' -f5 /proc/$$/stat"], in: "/", isWatched: isWatched)
        .output
      #expect(group != "\(getpgrp())\n")
    }
  }

  @Test(arguments: [
    ("exit 3", "ended with 3"), ("echo no >&2; exit 1", "ended with 1: no"),
    ("kill -9 $$", "ended by signal 9"),
  ])
  func `a child that fails is told with how it ended`(script: String, text: String) throws {
    let error = try #require(throws: BenchError.self) { try Child("/bin/sh", ["-c", script], in: "/") }
    #expect(error.message.hasSuffix(text), "\(error)")
  }
}
