import Foundation
import Testing

@testable import Bench

@Suite struct ToolchainTests {
  private func toolchain(swift: String = "6.3.1", valgrind: String = "valgrind-3.19.0") throws -> Toolchain {
    let text = """
      {"machine": "x86_64", "vectors": "avx2", "swift": "\(swift)", "libc": "2.36", "valgrind": "\(valgrind)"}
      """
    return try JSONDecoder().decode(Toolchain.self, from: Data(text.utf8))
  }

  @Test func `of the same toolchain all is compared`() throws {
    let numbers = try ExactNumbers(toolchain(), toolchain())
    #expect(numbers == .all)
    #expect(numbers.note == nil)
  }

  @Test func `exact numbers that are required are all compared, or it ends with a code of its own`() throws {
    try CheckCommand.requireExact(.all, missing: [])
    for (numbers, missing) in [
      (ExactNumbers.all, ["strace is missing"]), (.butInstructions("valgrind"), []), (.none("Swift"), []),
    ] {
      let error = #expect(throws: BenchError.self) {
        try CheckCommand.requireExact(numbers, missing: missing)
      }
      #expect(error?.code == .unsupported)
      #expect(error?.description.contains("--require-exact") == true)
    }
  }

  @Test func `calls and allocations are compared whatever counts the instructions`() throws {
    let numbers = try ExactNumbers(toolchain(), toolchain(valgrind: ""))
    #expect(numbers == .butInstructions("valgrind valgrind-3.19.0, now none"))
    let scenario = try #require(ScenarioTable.gate.first { $0.name == "open" })
    let counts = Counts(allocations: 1, jsonAllocations: 0, systemCalls: 1, instructions: 1)
    let compared = Comparison.exact(scenario, counts, counts, numbers)
    #expect(compared.map(\.quantity) == ["allocations", "by json-c", "system calls"])
  }

  @Test func `of another compiler no exact number is compared, and it says what was and what is`() throws {
    let numbers = try ExactNumbers(toolchain(), toolchain(swift: "6.4", valgrind: ""))
    #expect(numbers == .none("Swift 6.3.1, now 6.4"))
  }
}

@Suite struct FormatTests {
  @Test(arguments: [(0.5, "0.50 µs"), (83.71, "83.7 µs"), (1350, "1.35 ms"), (2_500_000, "2.50 s")])
  func `times have three digits`(microseconds: Double, text: String) {
    #expect(Format.time(microseconds) == text)
  }

  @Test(arguments: [
    (7.0, "7"), (1793, "1793"), (12_500, "12.5 k"), (37_000_000, "37.0 M"), (1.48e9, "1.48 G"),
  ])
  func `counts are short`(count: Double, text: String) {
    #expect(Format.count(count) == text)
  }

  @Test(arguments: [
    (0.0, "0"), (64, "64"), (1793, "1,793"), (168_923, "168,923"), (179_000_000, "179,000,000"),
  ])
  func `numbers that are compared have all digits`(count: Double, text: String) {
    #expect(Format.whole(count) == text)
  }
}
