import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Tool.exists("strace"), "strace is needed"))
struct SystemCallTests {
  private func calls(_ arguments: [String]) throws -> [String] {
    let folder = try TemporaryFolder()
    let trace = folder.file("trace")
    let strace = try #require(Tool("strace"))
    let result = try strace.run(["-f", "-o", trace, Tool.kerfless.path] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    // "PID name(arguments) = result"; other lines are signals and the end.
    return String(decoding: try readFile(trace), as: UTF8.self).split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^\d+ +(\w+)\(/).map { String($0.1) }
    }
  }

  /// An empty program built the same way makes 34 calls; printing the version makes five more: four for signals, one to write.
  @Test func `one trim makes at most twenty calls more than an empty program`() throws {
    let folder = try TemporaryFolder()
    let idle = try calls(["--version"]).filter { $0 != "brk" && $0 != "mmap" }
    let trim = try calls([
      "trim", Media.path("joc-base.mp4"), "--start", "0.2", "--end", "0.8", "-o", folder.file("a.mp4"),
    ])
    // Memory that the allocator asks for depends on what else is linked; one mmap is the source's.
    let own = trim.filter { $0 != "brk" && $0 != "mmap" }
    #expect(own.count + 1 - idle.count <= 15, "\(own.suffix(30))")
    #expect(trim.filter { $0 == "writev" }.count == 2)
  }
}
