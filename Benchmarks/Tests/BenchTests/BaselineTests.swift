import Foundation
import TestSupport
import Testing

@testable import Bench

@Suite struct BaselineTests {
  private static let kept = Programs.root + "/Benchmarks/baseline.json"

  @Test func `the baseline that is kept has every number of the gate`() throws {
    _ = try Baseline(readingFrom: Self.kept)
  }

  /// What is not there, or cannot have been measured, would be compared with nothing and pass.
  @Test(arguments: [
    (#""verify" :"#, #""other" :"#), (#""coreRatio" : 0"#, #""none" : 0"#),
    (#""wallRatio" : 0."#, #""wallRatio" : -0."#),
    (#""instructions" :"#, #""none" :"#), (#""jsonAllocations" :"#, #""none" :"#),
    (#""systemCalls" :"#, #""none" :"#),
    (#""systemCalls" : "#, #""systemCalls" : 1e300, "none" : "#), ("baseline/1", "baseline/2"), ("{", "[{"),
  ])
  func `a baseline with less is refused`(text: String, changed: String) throws {
    let whole = try String(contentsOfFile: Self.kept, encoding: .utf8)
    let less = whole.replacing(text, with: changed, maxReplacements: 1)
    #expect(less != whole)
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(less.utf8), as: "baseline.json")
    #expect(throws: BenchError.self) { try Baseline(readingFrom: path) }
  }
}
