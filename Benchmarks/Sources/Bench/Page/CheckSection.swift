/// What a check compared.
enum CheckSection {
  static func html(_ report: Report) -> String {
    guard !report.comparisons.isEmpty else { return "" }
    let changed = report.comparisons.filter { $0.verdict != .same }
    let all = table(report.comparisons, label: "Everything that was compared")
    return Page.card(
      id: "check", report.isWorse ? "The check failed" : "The check passed", report.verdict.escaped,
      (changed.isEmpty ? "" : table(changed, label: "What is not the same"))
        + "<details><summary>Everything that was compared</summary>\(all)</details>")
  }

  private static func table(_ comparisons: [Comparison], label: String) -> String {
    """
    <div class="scroll" tabindex="0" role="region" aria-label="\(label.escaped)"><table>
    <thead><tr><th scope="col">scenario</th><th scope="col">number</th><th scope="col">baseline</th>\
    <th scope="col">now</th><th scope="col">verdict</th></tr></thead>
    <tbody>
    \(comparisons.map(row).joined(separator: "\n"))
    </tbody></table></div>
    """
  }

  private static func row(_ comparison: Comparison) -> String {
    let style =
      switch comparison.verdict {
      case .worse: "verdict missed"
      case .better: "verdict met"
      case .same, .unknown: ""
      }
    let cells = [comparison.scenario, comparison.quantity, comparison.before, comparison.now]
    return "<tr>" + cells.map { "<td>\($0.escaped)</td>" }.joined()
      + "<td class=\"\(style)\">\(comparison.verdict.rawValue)</td></tr>"
  }
}
