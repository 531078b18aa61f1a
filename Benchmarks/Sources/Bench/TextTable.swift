/// The report on a terminal.
enum TextTable {
  static func text(_ report: Report) -> String {
    var lines = [
      "\(report.host.processor), \(report.host.cores) cores, Linux \(report.host.kernel), \(report.form)"
    ]
    for (group, measurements) in report.groups {
      lines += ["", group.rawValue]
      lines += table(
        [Column.short.map(\.title)] + measurements.map { row in Column.short.map { $0.text(row) } })
    }
    if !report.budgets.isEmpty {
      lines += ["", "Budgets"]
      lines += table(
        report.budgets.map { [$0.verdict, $0.title, $0.measuredText, $0.limitText] })
    }
    if !report.comparisons.isEmpty {
      lines += ["", "Against the baseline"]
      lines += table(
        report.comparisons.map { [$0.scenario, $0.quantity, $0.before, $0.now, $0.verdict.rawValue] })
      lines += ["", report.verdict]
    }
    if !report.notes.isEmpty { lines += [""] + report.notes.map { "note: \($0)" } }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Rows with columns of one width: the first to the left, the others to the right.
  private static func table(_ rows: [[String]]) -> [String] {
    let widths = (0..<(rows.first?.count ?? 0)).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, text in
        let space = String(repeating: " ", count: widths[column] - text.count)
        return column == 0 ? text + space : space + text
      }
      return "  " + cells.joined(separator: "  ")
    }
  }
}
