import Foundation

/// The report as one HTML file: no script, no network, everything inside.
enum Page {
  static func html(_ report: Report) -> String {
    let sections = [
      CheckSection.html(report), LengthSection.clips(report), LengthSection.sources(report),
      FloorSection.html(report), LatencySection.html(report), BudgetSection.html(report),
      TableSection.html(report), notes(report),
    ]
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>Kerfless, measured</title>
      <style>
      \(Style.sheet)
      </style>
      </head>
      <body>
      <header>
      <p class="kicker">kerfless-bench · \(report.form.escaped) · \(day(report.date))</p>
      <h1>How fast Kerfless is, and how near to the limit</h1>
      <p class="where">\(report.host.processor.escaped), \(report.host.cores) cores · Linux \
      \(report.host.kernel.escaped) · Swift \(report.host.toolchain.swift.escaped) · glibc \
      \(report.host.toolchain.libc.escaped)</p>
      \(Highlights.html(report))
      </header>
      <main>
      \(sections.joined(separator: "\n"))
      </main>
      </body>
      </html>

      """
  }

  private static func day(_ date: Date) -> String {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withFullDate]
    return formatter.string(from: date)
  }

  private static func notes(_ report: Report) -> String {
    let lines = report.notes.map { "<li>\($0.escaped)</li>" }
    let list = lines.isEmpty ? "" : "<ul>\(lines.joined())</ul>"
    return card(
      id: "notes", "How to read this",
      """
      The floor is a C program that makes the system calls a clip cannot do without and knows all offsets beforehand. \
      Both run in turns, in random order; a ratio is the median over the pairs of the floor's time to ours, the \
      whiskers are the 95 % confidence interval of that median. CPU is user and system time together, which other \
      work on the machine disturbs less than the clock on the wall. What is “in process” or “bulk” has neither start nor end \
      of a program in it; “a process each” is a program's whole life. A job of batch run is its share of a whole process, \
      with the manifest that is read and a journal and clips that are forced to the disk, none of which a clip in process \
      has or the floor does, so it may take twice as long.
      """, list)
  }

  /// A section with a heading, a line that says what to see, and its content.
  static func card(id: String, _ heading: String, _ text: String, _ content: String, isWide: Bool = true)
    -> String
  {
    """
    <section id="\(id)" class="\(isWide ? "wide" : "half")" aria-labelledby="\(id)-h">
    <h2 id="\(id)-h">\(heading.escaped)</h2>
    <p>\(text)</p>
    \(content)
    </section>
    """
  }
}

extension String {
  /// As text of HTML or an attribute's value.
  var escaped: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}

extension Double {
  /// A coordinate.
  var coordinate: String { String(format: "%.1f", self) }
}
