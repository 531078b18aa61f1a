/// Everything in numbers, in tables that a page of usual width has room for.
enum TableSection {
  private static let parts: [(title: String, columns: [Column])] = [
    ("Times", [.wall50, .wall90, .wall99, .core50, .core90, .core99]),
    ("Rates, and beside the floor", [.operations, .rate, .bandwidth, .floor, .wallRatio, .coreRatio]),
    ("Counts and memory", [.calls, .allocations, .instructions, .written, .anonymous, .peak]),
  ]

  static func html(_ report: Report) -> String {
    let tables = parts.map { part in
      let id = "table-\(part.title.prefix { $0.isLetter }.lowercased())"
      return """
        <h3 id="\(id)">\(part.title)</h3>
        <div class="scroll" tabindex="0" role="region" aria-labelledby="table-h \(id)">\
        \(table(report, [.scenario, .fileSystem] + part.columns))</div>
        """
    }
    return Page.card(
      id: "table", "Every number",
      "An operation is a clip, a job or a file. Where there is no room, a table scrolls sideways.",
      tables.joined(separator: "\n"))
  }

  private static func table(_ report: Report, _ columns: [Column]) -> String {
    let head = columns.map { "<th scope=\"col\" title=\"\($0.meaning.escaped)\">\($0.title.escaped)</th>" }
    let groups = report.groups.map { group, measurements in
      let rows = measurements.map { row in
        "<tr>" + columns.map { "<td>\($0.text(row).escaped)</td>" }.joined() + "</tr>"
      }
      return
        "<tr><th scope=\"rowgroup\">\(group.rawValue.escaped)</th><td colspan=\"\(columns.count - 1)\"></td></tr>"
        + rows.joined(separator: "\n")
    }
    return """
      <table>
      <thead><tr>\(head.joined())</tr></thead>
      <tbody>
      \(groups.joined(separator: "\n"))
      </tbody></table>
      """
  }
}
