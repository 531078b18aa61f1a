/// The report as Markdown, as `$GITHUB_STEP_SUMMARY` takes it.
enum MarkdownReport {
  static func text(_ report: Report) -> String {
    var lines = ["## Kerfless, measured (\(escaped(report.form)))", ""]
    lines.append(
      "\(escaped(report.host.processor)), \(report.host.cores) cores, Linux \(escaped(report.host.kernel)), Swift "
        + "\(escaped(report.host.toolchain.swift)), \(report.pairs) pairs a scenario. Times are medians of an operation; "
        + "floor/… is the C program's time to ours, 1 is as fast, with the 95 % confidence interval of the median."
    )
    lines += comparisons(report) + budgets(report)
    for (group, measurements) in report.groups {
      lines += ["", "### \(group.rawValue)", ""]
      lines += table(
        Column.short.map(\.title), measurements.map { row in Column.short.map { $0.text(row) } })
    }
    if !report.notes.isEmpty { lines += [""] + report.notes.map { "- note: \(escaped($0))" } }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func comparisons(_ report: Report) -> [String] {
    guard !report.comparisons.isEmpty else { return [] }
    let header = ["scenario", "number", "baseline", "now", ""]
    func rows(_ comparisons: [Comparison]) -> [[String]] {
      comparisons.map { [$0.scenario, $0.quantity, $0.before, $0.now, $0.verdict.rawValue] }
    }
    let changed = report.comparisons.filter { $0.verdict != .same }
    var lines = ["", "**\(escaped(report.verdict))**"]
    if !changed.isEmpty { lines += [""] + table(header, rows(changed)) }
    lines += ["", "<details><summary>All numbers that were compared</summary>", ""]
    lines += table(header, rows(report.comparisons))
    return lines + ["", "</details>"]
  }

  private static func budgets(_ report: Report) -> [String] {
    guard !report.budgets.isEmpty else { return [] }
    return ["", "### Budgets", ""]
      + table(
        ["budget", "measured", "limit", ""],
        report.budgets.map { [$0.title, $0.measuredText, $0.limitText, $0.isMet ? "✓ met" : "✗ **missed**"] })
  }

  /// The first column to the left, the others to the right.
  private static func table(_ header: [String], _ rows: [[String]]) -> [String] {
    let rule = "|---|" + String(repeating: "---:|", count: header.count - 1)
    return [line(header), rule] + rows.map(line)
  }

  private static func line(_ cells: [String]) -> String {
    "| " + cells.map(escaped).joined(separator: " | ") + " |"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("|", with: "\\|").replacing("<", with: "&lt;").replacing("\n", with: " ")
  }
}
