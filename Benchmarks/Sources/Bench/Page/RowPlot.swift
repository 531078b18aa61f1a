import Foundation

/// Rows with a name, a strip, and a value: the text is HTML, so that it keeps its size on a phone.
struct RowPlot {
  /// A row.
  struct Row {
    let name: String
    let detail: String
    let strip: String
    let value: String
  }

  /// A label under the strips, at a share of their width.
  struct Tick {
    let share: Double
    let text: String
  }

  let rows: [Row]
  let ticks: [Tick]

  var html: String {
    let axis =
      ticks.isEmpty
      ? ""
      : "<div class=\"row\" aria-hidden=\"true\"><div class=\"axis\">"
        + ticks.map(label).joined()
        + "</div></div>"
    return "<div class=\"rows\">" + rows.map(row).joined(separator: "\n") + axis + "</div>"
  }

  /// Under its place; at either end inside the strip, so that nothing sticks out of the card.
  private func label(_ tick: Tick) -> String {
    let end = tick.share < 0.05 ? " class=\"first\"" : tick.share > 0.95 ? " class=\"last\"" : ""
    return "<span\(end) style=\"left:\((tick.share * 100).coordinate)%\">\(tick.text.escaped)</span>"
  }

  private func row(_ row: Row) -> String {
    """
    <div class="row"><div class="name">\(row.name.escaped) <small>\(row.detail.escaped)</small></div>\
    <div class="plot">\(row.strip)</div><div class="value">\(row.value)</div></div>
    """
  }
}

/// The drawing in one row, 1000 units wide and 22 high; it is stretched, so strokes and dots keep their size by themselves.
struct Strip {
  private var parts: [String] = []
  private let title: String

  /// What it says, for those who cannot see it.
  init(_ title: String) { self.title = title }

  /// Where a share of the width is.
  private static func at(_ share: Double) -> String { (min(max(share, 0), 1) * 1000).coordinate }

  mutating func band(_ range: ClosedRange<Double>, _ color: String, height: Double = 10) {
    parts.append(
      "<rect x=\"\(Self.at(range.lowerBound))\" y=\"\((11 - height / 2).coordinate)\" width=\"\(Self.at(min(range.upperBound, 1) - range.lowerBound))\" height=\"\(height.coordinate)\" fill=\"\(color)\"/>"
    )
  }

  mutating func line(_ range: ClosedRange<Double>, _ color: String, y: Double = 11) {
    parts.append(
      "<line x1=\"\(Self.at(range.lowerBound))\" x2=\"\(Self.at(range.upperBound))\" y1=\"\(y)\" y2=\"\(y)\" stroke=\"\(color)\" stroke-width=\"2\" vector-effect=\"non-scaling-stroke\"/>"
    )
  }

  /// A mark across the row.
  mutating func mark(_ share: Double, _ color: String, isDashed: Bool = false) {
    let dash = isDashed ? " stroke-dasharray=\"3 3\"" : ""
    parts.append(
      "<line x1=\"\(Self.at(share))\" x2=\"\(Self.at(share))\" y1=\"0\" y2=\"22\" stroke=\"\(color)\" stroke-width=\"1.5\"\(dash) vector-effect=\"non-scaling-stroke\"/>"
    )
  }

  /// A dot: a line without length has round ends.
  mutating func dot(_ share: Double, _ color: String, y: Double = 11, size: Int = 10) {
    parts.append(
      "<line x1=\"\(Self.at(share))\" x2=\"\(Self.at(share))\" y1=\"\(y)\" y2=\"\(y)\" stroke=\"\(color)\" stroke-width=\"\(size)\" stroke-linecap=\"round\" vector-effect=\"non-scaling-stroke\"/>"
    )
  }

  var svg: String {
    "<svg class=\"chart\" viewBox=\"0 0 1000 22\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"\(title.escaped)\"><title>\(title.escaped)</title>\(parts.joined())</svg>"
  }
}
