/// How near each scenario is to the floor.
enum FloorSection {
  private static let most = 1.4

  static func html(_ report: Report) -> String {
    let groups = report.groups.filter { $0.group != .clipLength }.compactMap { group, measurements in
      let rows = measurements.compactMap(row)
      return rows.isEmpty ? nil : (group, rows)
    }
    guard !groups.isEmpty else { return "" }
    let ticks = [0, 0.25, 0.5, 0.75, 1, 1.25].map {
      RowPlot.Tick(share: $0 / most, text: Format.significantTick($0))
    }
    let plots = groups.map { group, rows in
      "<h3>\(group.rawValue.escaped)</h3>" + RowPlot(rows: rows, ticks: ticks).html
    }
    let legend = """
      <ul class="legend"><li><i class="dot" style="background:var(--ours)"></i>on a core</li>\
      <li><i class="dot" style="background:var(--second)"></i>by the clock</li>\
      <li><i class="floor"></i>the floor: 1 is as fast</li></ul>
      """
    return Page.card(
      id: "floor", "How near to the floor",
      "The time of the C floor divided by ours, paired in one run. Further right is better; the lines are 95 % confidence.",
      legend + plots.joined(separator: "\n"))
  }

  private static func row(_ measurement: Measurement) -> RowPlot.Row? {
    guard let core = measurement.coreRatio, let wall = measurement.wallRatio else { return nil }
    var strip = Strip(
      "\(measurement.title) on \(measurement.fileSystem): \(Format.ratio(core)) on a core, \(Format.ratio(wall)) by the clock"
    )
    strip.band(0...1, "var(--track)", height: 22)
    strip.mark(1 / most, "var(--floor)")
    strip.line(wall.low / most...min(wall.high / most, 1), "var(--second)", y: 16)
    strip.dot(wall.median / most, "var(--second)", y: 16, size: 7)
    strip.line(core.low / most...min(core.high / most, 1), "var(--ours)", y: 7)
    strip.dot(core.median / most, "var(--ours)", y: 7)
    return RowPlot.Row(
      name: measurement.label, detail: measurement.fileSystem, strip: strip.svg,
      value: "\(Format.two(core.median)) <small>· \(Format.two(wall.median))</small>")
  }
}

extension Format {
  /// As short as it can be: 0.25, 0.5, 1.
  static func significantTick(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }
}
