import Foundation

/// What later builds are compared with.
struct Baseline: Codable {
  /// One scenario.
  struct Entry: Codable {
    let counts: Counts
    /// floor / kerfless by the clock on the wall and on a core; nil where there is no floor.
    let wallRatio: Double?
    let coreRatio: Double?
  }

  let schema: String
  /// Exact numbers hold for this only.
  let toolchain: Toolchain
  let scenarios: [String: Entry]

  init(toolchain: Toolchain, scenarios: [String: Entry]) {
    schema = "kerfless.bench.baseline/1"
    self.toolchain = toolchain
    self.scenarios = scenarios
  }

  init(readingFrom path: String) throws {
    self = try JSON.read(
      Baseline.self, from: path, called: "baseline", advice: "kerfless-bench baseline --out FILE makes one")
  }

  func write(to path: String) throws {
    try TargetFile.write(try JSON.encoder.encode(self) + Data("\n".utf8), to: path)
  }
}

extension Baseline.Entry {
  /// Memory and what reaches a disk depend on more than the build, so they are not kept.
  init(_ measurement: Measurement) {
    var counts = measurement.counts
    counts.bytesWritten = nil
    counts.anonymous = nil
    counts.peak = nil
    self.counts = counts
    wallRatio = measurement.wallRatio.map { ($0.median * 1000).rounded() / 1000 }
    coreRatio = measurement.coreRatio.map { ($0.median * 1000).rounded() / 1000 }
  }
}
