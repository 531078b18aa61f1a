import Foundation
import TestSupport
import Testing

/// Every file of the larger set through every command: a result, or a refusal with its exit code.
@Suite(.enabled(if: Media.shared != nil, "the larger set of media is not at hand"))
struct MatrixTests {
  private static let columns = [
    "inspect", "inspect --scan", "verify", "trim", "trim exact", "concat", "extract", "mux",
  ]

  /// What does not succeed everywhere: why, and the exit codes in the order of the columns.
  private static let exceptions: [String: [Int32]] = [
    // A block a sample, which is no access unit.
    "sample_eac3.mp4": [0, 0, 65, 65, 65, 65, 65, 64],
    // AC-4, in the clear and encrypted.
    "sample_ac4.mp4": [0, 0, 69, 69, 69, 69, 69, 64],
    "sample_ac4_protected.mp4": [0, 0, 69, 69, 69, 69, 69, 64],
    // A wrong checksum, wrong durations, wrong dec3: what verify is for.
    "sample_ac3.mp4": [0, 0, 65, 0, 0, 0, 0, 64],
    "bear-640x360-ec3.mp4": [0, 0, 65, 0, 0, 0, 0, 64],
    "7ch_ddp_25fps_acmod_19.mp4": [0, 0, 65, 0, 0, 0, 0, 64],
    "ddp71_dep_576_10s.mp4": [0, 0, 65, 0, 0, 0, 0, 64],
    "joc448__joc_flag_lost.mp4": [0, 0, 65, 0, 0, 0, 0, 64],
    "joc448__joc_wrong_index.mp4": [0, 0, 65, 0, 0, 0, 0, 64],
    "joc448_plain_flaglost.mp4": [0, 0, 65, 0, 0, 0, 0, 64],
  ]

  static let files: [String] = {
    guard let shared = Media.shared,
      let all = FileManager.default.enumerator(atPath: shared.path)?.allObjects as? [String]
    else { return [] }
    return all.filter {
      ["mp4", "m4a", "mov", "ec3", "eac3", "ac3"].contains(($0 as NSString).pathExtension)
    }
    .sorted()
  }()

  private func arguments(_ column: String, _ path: String, _ folder: TemporaryFolder) -> [String] {
    let output = folder.file("out.mp4")
    return switch column {
    case "inspect", "verify": [column, path]
    case "inspect --scan": ["inspect", "--scan", path]
    case "trim": ["trim", path, "-o", output, "--start", "0.1", "--end", "0.25"]
    case "trim exact": ["trim", path, "-o", output, "--start", "0.1", "--end", "0.25", "--cut", "exact"]
    case "concat": ["concat", path, path, "-o", output]
    case "extract": ["extract", path, "-o", folder.file("out.ec3")]
    default: [column, path, "-o", output]
    }
  }

  @Test(arguments: files)
  func `every command gives a result or a named refusal`(_ file: String) throws {
    let path = Media.sharedPath(file)
    let isElementary = ["ec3", "eac3", "ac3"].contains((file as NSString).pathExtension)
    let usual: [Int32] = [0, 0, 0, 0, 0, 0, 0, isElementary ? 0 : 64]
    let expected = Self.exceptions[(file as NSString).lastPathComponent] ?? usual
    for (column, status) in zip(Self.columns, expected) {
      let folder = try TemporaryFolder()
      let result = try Tool.kerfless.run(arguments(column, path, folder))
      #expect(result.status == status, "\(column): \(result.errors)")
      if status == 0 {
        // What was made is right, whatever was wrong with the source, but for its payload.
        let made = folder.names.filter { $0 == "out.mp4" }.map(folder.file)
        let verdict = try made.map { try Tool.kerfless.run(["verify", $0]).status }.first ?? 0
        #expect(verdict == (file.hasSuffix("sample_ac3.mp4") && column == "concat" ? 65 : 0), "\(column)")
      } else if !column.hasPrefix("verify") {
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count == 1 && result.errors.contains(path), "\(column): \(result.errors)")
        #expect(folder.names == [])
      }
    }
  }
}
