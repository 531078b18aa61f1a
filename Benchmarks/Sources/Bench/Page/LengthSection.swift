/// What a clip costs as it, or its source, gets longer.
enum LengthSection {
  static func clips(_ report: Report) -> String {
    let measurements = report.measurements.filter { $0.group == .clipLength }
    guard !measurements.isEmpty else { return "" }
    var series: [LinePlot.Series] = []
    for (place, style) in [(Place.Kind.here, "ours"), (.xfs, "second")] {
      let own = measurements.filter { $0.place == place }.sorted { $0.bytes < $1.bytes }
      guard let name = own.first?.fileSystem else { continue }
      series.append(
        LinePlot.Series(
          name: name + (shares(own) ? ", cloned from 128 KiB on" : ", written"), style: style,
          isDashed: false,
          points: own.map { LinePlot.Point(x: Double($0.bytes), y: $0.core.p50) }))
      series.append(
        LinePlot.Series(
          name: "the floor on \(name)", style: style, isDashed: true,
          points: own.compactMap { point in
            point.floorCore.map { LinePlot.Point(x: Double(point.bytes), y: $0) }
          }))
    }
    let text =
      "Its time on a core. Writing grows with the clip"
      + (shares(measurements)
        ? "; where blocks can be shared with the source, hardly anything does."
        : ". Clips that share blocks with their source are measured by a full run, where XFS can be mounted.")
    let sizes = [(1e4, "10 kB"), (1e5, "100 kB"), (1e6, "1 MB"), (1e7, "10 MB"), (1e8, "100 MB")]
    let most = Double(measurements.map(\.bytes).max() ?? 0)
    let ticks = sizes.filter { $0.0 <= most * 1.1 }.map { LinePlot.Tick(value: $0.0, text: $0.1) }
    let plot = LinePlot(
      id: "clip-plot", title: "Time of one clip on a core against its length",
      description: series.map(describe).joined(separator: " "), xLabel: "payload of the clip", xTicks: ticks,
      series: series)
    return Page.card(
      id: "clip-length", "A longer clip",
      text,
      plot.html,
      isWide: false)
  }

  static func sources(_ report: Report) -> String {
    let measurements = report.measurements.filter { $0.group == .sourceLength }
    guard !measurements.isEmpty else { return "" }
    let styles = [(SourceMedia.Shape.regular, "ours"), (.interleaved, "third"), (.fragmented, "second")]
    let series = styles.compactMap { shape, style -> LinePlot.Series? in
      let own = measurements.filter { $0.name.hasPrefix("length-\(shape.rawValue)-") }
        .sorted { $0.sourceUnits < $1.sourceUnits }
      guard !own.isEmpty else { return nil }
      return LinePlot.Series(
        name: shape.rawValue, style: style, isDashed: false,
        points: own.map { LinePlot.Point(x: Double($0.sourceUnits), y: $0.wall.p50) })
    }
    let plot = LinePlot(
      id: "source-plot", title: "Time to open a source and plan a clip against the source's length",
      description: series.map(describe).joined(separator: " "), xLabel: "length of the source",
      xTicks: Length.allCases.map { LinePlot.Tick(value: Double($0.units), text: $0.rawValue) },
      series: series)
    return Page.card(
      id: "source-length", "A longer source",
      "Opening it and planning ten seconds of it. Regular tables are never read through; fragments are, once.",
      plot.html, isWide: false)
  }

  private static func shares(_ measurements: [Measurement]) -> Bool {
    measurements.contains(where: \.sharesBlocks)
  }

  private static func describe(_ series: LinePlot.Series) -> String {
    guard let first = series.points.first, let last = series.points.last else { return "" }
    return "\(series.name): from \(Format.time(first.y)) to \(Format.time(last.y))."
  }
}
