import Foundation

/// Lines over two logarithmic axes.
struct LinePlot {
  /// A line.
  struct Series {
    let name: String
    /// The class that gives it its colour: ours, floor, second, third.
    let style: String
    let isDashed: Bool
    let points: [Point]
  }

  struct Point {
    let x: Double
    let y: Double
  }

  /// A place on an axis that has a label.
  struct Tick {
    let value: Double
    let text: String
  }

  let id: String
  /// What is to be seen, for those who cannot see it.
  let title: String
  let description: String
  let xLabel: String
  let xTicks: [Tick]
  let series: [Series]

  private static let size = (width: 460.0, height: 282.0)
  private static let area = (left: 60.0, right: 440.0, top: 12.0, bottom: 230.0)

  var html: String {
    "<ul class=\"legend\">" + series.map(legend).joined() + "</ul>" + svg
  }

  private func legend(_ series: Series) -> String {
    "<li><i class=\"\(series.style)\(series.isDashed ? " dashed" : "")\"></i>\(series.name.escaped)</li>"
  }

  private var svg: String {
    """
    <svg class="chart" viewBox="0 0 \(Int(Self.size.width)) \(Int(Self.size.height))" role="img" \
    aria-labelledby="\(id)-t \(id)-d">
    <title id="\(id)-t">\(title.escaped)</title><desc id="\(id)-d">\(description.escaped)</desc>
    \(axes)
    \(series.map(line).joined(separator: "\n"))
    </svg>
    """
  }

  private var yRange: ClosedRange<Double> {
    let values = series.flatMap(\.points).map(\.y).filter { $0 > 0 }
    let low = pow(10, floor(log10(values.min() ?? 1)))
    let high = pow(10, ceil(log10(values.max() ?? 10)))
    return low...max(high, low * 10)
  }

  private var xRange: ClosedRange<Double> {
    let values = xTicks.map(\.value)
    return (values.min() ?? 1)...max(values.max() ?? 10, (values.min() ?? 1) * 2)
  }

  private func x(_ value: Double) -> Double {
    Self.place(value, xRange, Self.area.left + 8, Self.area.right - 8)
  }

  private func y(_ value: Double) -> Double {
    Self.place(value, yRange, Self.area.bottom, Self.area.top)
  }

  private static func place(_ value: Double, _ range: ClosedRange<Double>, _ from: Double, _ to: Double)
    -> Double
  {
    let share = log(value / range.lowerBound) / log(range.upperBound / range.lowerBound)
    return from + share * (to - from)
  }

  private var axes: String {
    var parts: [String] = []
    var decade = yRange.lowerBound
    while decade <= yRange.upperBound * 1.001 {
      let at = y(decade)
      parts.append(
        "<line class=\"grid\" x1=\"\(Self.area.left)\" x2=\"\(Self.area.right)\" y1=\"\(at.coordinate)\" y2=\"\(at.coordinate)\"/>"
          + "<text x=\"\(Self.area.left - 8)\" y=\"\((at + 4).coordinate)\" text-anchor=\"end\">\(Self.decade(decade))</text>"
      )
      decade *= 10
    }
    for tick in xTicks {
      let at = x(tick.value).coordinate
      parts.append(
        "<line class=\"grid\" x1=\"\(at)\" x2=\"\(at)\" y1=\"\(Self.area.bottom)\" y2=\"\(Self.area.bottom + 5)\"/>"
          + "<text x=\"\(at)\" y=\"\(Self.area.bottom + 19)\" text-anchor=\"middle\">\(tick.text.escaped)</text>"
      )
    }
    let middle = (Self.area.left + Self.area.right) / 2
    parts.append(
      "<text x=\"\(middle)\" y=\"\(Self.size.height - 4)\" text-anchor=\"middle\">\(xLabel.escaped)</text>")
    return parts.joined(separator: "\n")
  }

  /// Microseconds, a power of ten.
  private static func decade(_ value: Double) -> String {
    switch value {
    case ..<1: String(format: "%.1f µs", value)
    case ..<1000: "\(Int(value)) µs"
    case ..<1e6: "\(Int(value / 1000)) ms"
    default: "\(Int(value / 1e6)) s"
    }
  }

  private func line(_ series: Series) -> String {
    let places = series.points.map { "\(x($0.x).coordinate),\(y($0.y).coordinate)" }.joined(separator: " ")
    let dash = series.isDashed ? " stroke-dasharray=\"5 4\"" : ""
    let dots = series.points.map { point in
      """
      <circle cx="\(x(point.x).coordinate)" cy="\(y(point.y).coordinate)" r="4" fill="currentColor" \
      stroke="var(--card)" stroke-width="1.5"><title>\(series.name.escaped): \(Format.time(point.y))</title></circle>
      """
    }
    return """
      <g class="\(series.style)"><polyline points="\(places)" fill="none" stroke="currentColor" \
      stroke-width="2"\(dash)/>\(dots.joined())</g>
      """
  }
}
