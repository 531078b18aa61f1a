import Foundation
import FuzzProperties
import TestSupport
import Testing

/// The fuzz targets' properties on what is kept for them: the seeds, and every input that once broke one.
struct CorpusTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fuzz")

  private static func names(_ path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(path).path)) ?? []
  }

  @Test(arguments: FuzzTarget.allCases)
  func `hold for every seed`(_ target: FuzzTarget) throws {
    #expect(!Self.names("Corpus/\(target.rawValue)").isEmpty)
    try run(target, in: "Corpus")
  }

  @Test(arguments: FuzzTarget.allCases)
  func `hold for every input that once broke one`(_ target: FuzzTarget) throws {
    try run(target, in: "Regressions")
  }

  @Test(.enabled(if: Tool.exists("python3"), "python3 is needed"))
  func `seeds are what their script makes`() throws {
    let made = try TemporaryFolder()
    let script = Self.folder.appendingPathComponent("seeds.py").path
    let result = try #require(Tool("python3")).run([script, made.path])
    #expect(result.status == 0, "\(result.errors)")
    for target in FuzzTarget.allCases {
      let names = Self.names("Corpus/\(target.rawValue)").sorted()
      let folder = made.file(target.rawValue)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names)
      for name in names {
        let kept = Self.folder.appendingPathComponent("Corpus/\(target.rawValue)/\(name)").path
        #expect(try readFile(kept) == readFile("\(folder)/\(name)"), "\(target.rawValue)/\(name)")
      }
    }
  }

  private func run(_ target: FuzzTarget, in kind: String) throws {
    for name in Self.names("\(kind)/\(target.rawValue)") {
      let path = "\(kind)/\(target.rawValue)/\(name)"
      let input = try Data(contentsOf: Self.folder.appendingPathComponent(path))
      #expect(throws: Never.self, "\(path)") { try target.run([UInt8](input)) }
    }
  }
}
