/// What a check compared.
enum CheckSection {
  static func html(_ report: Report) -> String {
    guard !report.comparisons.isEmpty else { return "" }
    let rows = report.comparisons.map { comparison in
      let style = comparison.verdict == .worse ? "missed" : comparison.verdict == .better ? "met" : ""
      let cells = [comparison.scenario, comparison.quantity, comparison.before, comparison.now]
      return "<tr>" + cells.map { "<td>\($0.escaped)</td>" }.joined()
        + "<td class=\"verdict \(style)\">\(comparison.verdict.rawValue)</td></tr>"
    }
    return Page.card(
      id: "check", report.isWorse ? "The check failed" : "The check passed", report.verdict.escaped,
      """
      <div class="scroll" tabindex="0" role="region" aria-labelledby="check-h"><table>
      <thead><tr><th scope="col">scenario</th><th scope="col">number</th><th scope="col">baseline</th>\
      <th scope="col">now</th><th scope="col">verdict</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>
      """)
  }
}
