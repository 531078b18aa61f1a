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

  /// Calls beyond those of an empty program. Memory that the allocator asks for depends on what else is linked, so of brk
  /// and mmap only the source's mapping counts; printing the version makes five calls: four for signals, one to write.
  private func ownCalls(_ trim: [String]) throws -> Int {
    let idle = try calls(["--version"]).filter { $0 != "brk" && $0 != "mmap" }
    return trim.filter { $0 != "brk" && $0 != "mmap" }.count + 1 - (idle.count - 5)
  }

  @Test func `one trim makes at most twenty calls more than an empty program`() throws {
    let folder = try TemporaryFolder()
    let trim = try calls([
      "trim", Media.path("joc-base.mp4"), "--start", "0.2", "--end", "0.8", "-o", folder.file("a.mp4"),
    ])
    #expect(try ownCalls(trim) <= 20, "\(trim.suffix(30))")
    // The clip, and the report.
    #expect(trim.filter { $0 == "pwritev" || $0 == "writev" } == ["pwritev", "writev"])
  }

  /// 2 MB, of which one is cut: enough for blocks to be shared, or refused by one call more.
  @Test(arguments: ["auto", "copy", "gather"])
  func `so it does for a megabyte, by every method`(method: String) throws {
    let folder = try TemporaryFolder()
    let source = folder.file("long.mp4")
    try kerfless(["concat"] + Array(repeating: Media.path("joc-base.mp4"), count: 200) + ["-o", source])
    let trim = try calls([
      "trim", source, "--start", "1000au", "--end", "4200au", "--io", method, "-o", folder.file("a.mp4"),
    ])
    let limit = trim.contains("ioctl") ? 21 : 20
    #expect(try ownCalls(trim) <= limit, "\(method): \(trim.suffix(30))")
  }
}
