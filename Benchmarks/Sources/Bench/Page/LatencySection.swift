import Foundation

/// How the times of single operations are spread.
enum LatencySection {
  static func html(_ report: Report) -> String {
    let measurements = report.measurements.filter {
      [.clip, .bulk, .shapes].contains($0.group) && $0.wall.count >= 50
    }
    guard !measurements.isEmpty else { return "" }
    let lows = measurements.map { $0.wall.shape[0] }
    let highs = measurements.map(\.wall.p99)
    let range = pow(10, floor(log10(max(lows.min() ?? 1, 1))))...pow(10, ceil(log10(highs.max() ?? 1000)))
    func share(_ value: Double) -> Double {
      max(0, log(max(value, range.lowerBound) / range.lowerBound) / log(range.upperBound / range.lowerBound))
    }
    let rows = measurements.map { row($0, share) }
    var ticks: [RowPlot.Tick] = []
    var decade = range.lowerBound
    while decade <= range.upperBound * 1.001 {
      ticks.append(RowPlot.Tick(share: share(decade), text: short(decade)))
      decade *= 10
    }
    let legend = """
      <ul class="legend"><li><i class="dot" style="background:var(--ours)"></i>median</li>\
      <li><i style="border-top-width:10px;border-color:var(--ours);opacity:.35"></i>80 of 100 clips</li>\
      <li><i class="ours"></i>from the fastest to the 99th of 100</li></ul>
      """
    return Page.card(
      id: "latency", "How long one clip takes, and how much that varies",
      "Each clip's own time by the clock on the wall, on a logarithmic scale.",
      legend + RowPlot(rows: rows, ticks: ticks).html)
  }

  private static func row(_ measurement: Measurement, _ share: (Double) -> Double) -> RowPlot.Row {
    let wall = measurement.wall
    var strip = Strip(
      "\(measurement.title) on \(measurement.fileSystem): median \(Format.time(wall.p50)), 99 of 100 within \(Format.time(wall.p99))"
    )
    strip.line(0...1, "var(--track)")
    strip.line(share(wall.shape[0])...share(wall.p99), "var(--ours)")
    strip.band(share(wall.shape[2])...share(wall.p90), "var(--shade)", height: 16)
    strip.dot(share(wall.p50), "var(--ours)")
    return RowPlot.Row(
      name: measurement.label, detail: measurement.fileSystem, strip: strip.svg,
      value: "\(Format.time(wall.p50)) <small>p99 \(Format.time(wall.p99))</small>")
  }

  private static func short(_ microseconds: Double) -> String {
    microseconds < 1000
      ? "\(Int(microseconds)) µs"
      : microseconds < 1e6 ? "\(Int(microseconds / 1000)) ms" : "\(Int(microseconds / 1e6)) s"
  }
}
