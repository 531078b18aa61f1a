/// Everything in numbers.
enum TableSection {
  static func html(_ report: Report) -> String {
    let columns = Column.all
    let head = columns.map { "<th scope=\"col\" title=\"\($0.meaning.escaped)\">\($0.title.escaped)</th>" }
    let groups = report.groups.map { group, measurements in
      let rows = measurements.map { row in
        "<tr>" + columns.map { "<td>\($0.text(row).escaped)</td>" }.joined() + "</tr>"
      }
      return
        "<tr><th scope=\"rowgroup\">\(group.rawValue.escaped)</th><td colspan=\"\(columns.count - 1)\"></td></tr>"
        + rows.joined(separator: "\n")
    }
    return Page.card(
      id: "table", "Every number",
      "An operation is a clip, a job or a file. The table scrolls sideways.",
      """
      <div class="scroll" tabindex="0" role="region" aria-labelledby="table-h"><table>
      <thead><tr>\(head.joined())</tr></thead>
      <tbody>
      \(groups.joined(separator: "\n"))
      </tbody></table></div>
      """)
  }
}
