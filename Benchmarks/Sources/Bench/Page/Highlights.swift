/// The numbers at the head of the page.
enum Highlights {
  static func html(_ report: Report) -> String {
    let tiles = [clip, written, shared, ratio, budgets].compactMap { $0(report) }
    let items = tiles.map { "<li><b>\($0.value.escaped)</b><span>\($0.text.escaped)</span></li>" }
    return "<ul class=\"tiles\">\(items.joined())</ul>"
  }

  private typealias Tile = (value: String, text: String)

  private static func clip(_ report: Report) -> Tile? {
    report.measurements.first { $0.name == "clip-10s" }.map {
      (Format.time($0.wall.p50), "for a clip of 10 s out of an open source on \($0.fileSystem)")
    }
  }

  private static func written(_ report: Report) -> Tile? {
    fastest(report) { !$0.sharesBlocks }.map { best, rate in
      let bandwidth = best.gigabytesPerSecond.map { ", \(Format.significant($0)) GB/s" } ?? ""
      return (rate, "frames a second written in bulk, one lane\(bandwidth) (\(way(best)))")
    }
  }

  private static func shared(_ report: Report) -> Tile? {
    fastest(report, where: \.sharesBlocks).map { best, rate in
      (rate, "frames a second where blocks are shared with the source: hardly a byte moves (\(way(best)))")
    }
  }

  private static func fastest(
    _ report: Report, where isMeant: (Measurement) -> Bool
  ) -> (best: Measurement, rate: String)? {
    let bulk = report.measurements.filter { $0.group == .bulk && isMeant($0) }
    let best = bulk.max { ($0.unitsPerSecond ?? 0) < ($1.unitsPerSecond ?? 0) }
    guard let best, let rate = best.unitsPerSecond else { return nil }
    return (best, Format.count(rate))
  }

  private static func way(_ measurement: Measurement) -> String {
    [measurement.fileSystem, measurement.method].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private static func ratio(_ report: Report) -> Tile? {
    let ratios = report.measurements.filter { $0.group == .bulk }.compactMap { $0.coreRatio?.median }
    guard let median = ratios.median else { return nil }
    return (Format.two(median) + " ×", "of the C floor's speed on a core, median of all bulk clips")
  }

  private static func budgets(_ report: Report) -> Tile? {
    guard report.comparisons.isEmpty else {
      let worse = report.comparisons.count { $0.verdict == .worse }
      return (
        worse == 0 ? "passed" : "failed",
        "\(report.comparisons.count) numbers against the baseline, \(worse) worse"
      )
    }
    guard !report.budgets.isEmpty else { return nil }
    return (
      "\(report.budgets.count(where: \.isMet)) of \(report.budgets.count)", "budgets of the design are met"
    )
  }
}
