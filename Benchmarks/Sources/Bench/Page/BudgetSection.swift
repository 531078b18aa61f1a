/// Which budgets are met.
enum BudgetSection {
  /// The limit stands at this share of the width, so that what is beyond it can be seen.
  private static let limit = 0.5

  static func html(_ report: Report) -> String {
    guard !report.budgets.isEmpty else { return "" }
    let missed = report.budgets.count { !$0.isMet }
    return Page.card(
      id: "budgets", "Budgets",
      "What the design promises. The line is the limit: ≥ is met to its right, ≤ to its left. "
        + (missed == 0 ? "All are met." : "\(missed) of \(report.budgets.count) are missed."),
      RowPlot(rows: report.budgets.map(row), ticks: []).html)
  }

  private static func row(_ budget: BudgetResult) -> RowPlot.Row {
    let color = budget.isMet ? "var(--good)" : "var(--bad)"
    var strip = Strip(
      "\(budget.title): \(budget.measuredText), \(budget.limitText): \(budget.isMet ? "met" : "missed")")
    strip.band(0...1, "var(--track)", height: 14)
    strip.band(0...min(1, limit * max(0, budget.measured) / budget.limit), color, height: 14)
    strip.mark(limit, "var(--ink)")
    let arrow = budget.direction == .atLeast ? "≥" : "≤"
    return RowPlot.Row(
      name: budget.title, detail: "", strip: strip.svg,
      value: """
        <span class="verdict \(budget.isMet ? "met" : "missed")">\(budget.isMet ? "✓" : "✗") \
        \(budget.measuredText.escaped)</span> <small>\(arrow) \
        \(budget.limitText.replacing(budget.direction.rawValue + " ", with: "").escaped)</small>
        """)
  }
}
