import Foundation
import TestSupport
import Testing

@testable import Bench

/// The page, opened in a real browser.
@Suite(.serialized) struct PageTests {
  /// A run that is kept, so that the page is seen with real numbers.
  private static let kept = Programs.root + "/perf/runs/2026-11-30-2-core-vm/bench.json"

  /// Put behind the page: what can be told only by laying it out.
  private static let questions = """
    <script>
    const root = document.documentElement, facts = {};
    const charts = [...document.querySelectorAll("svg.chart")];
    facts.width = innerWidth;
    facts.overflow = root.scrollWidth - innerWidth;
    facts.charts = charts.length;
    facts.empty = charts.filter(chart => {
      const box = chart.getBoundingClientRect();
      return box.width < 100 || box.height < 15 || chart.childElementCount < 2;
    }).length;
    facts.nameless = charts.filter(chart => {
      const named = (chart.getAttribute("aria-labelledby") || "").split(" ")
        .map(id => document.getElementById(id)?.textContent || "").join("");
      return chart.getAttribute("role") !== "img" || !(chart.getAttribute("aria-label") || named);
    }).length;
    facts.small = [...document.querySelectorAll("svg.chart text")]
      .filter(text => text.getBoundingClientRect().height < 11).length;
    facts.outside = [...document.querySelectorAll("svg.chart text, .axis span")].filter(label => {
      const own = label.getBoundingClientRect(), card = label.closest("section").getBoundingClientRect();
      return own.left < card.left || own.right > card.right;
    }).length;
    facts.cut = [...document.querySelectorAll(".scroll")].filter(box => box.scrollWidth > box.clientWidth).length;
    facts.sections = [...document.querySelectorAll("main > section")].map(section => section.id).join(" ");
    parent.postMessage(facts, "*");
    </script>
    """

  /// A window cannot be as narrow as a phone, but a frame in it can. It keeps what the page answers.
  private static func frame(_ width: Int, _ height: Int) -> String {
    """
    <!doctype html><html><body style="margin:0"><script>
    addEventListener("message", event => Object.assign(document.documentElement.dataset, event.data));
    </script><iframe src="page.html" style="border:0;width:\(width)px;height:\(height)px"></iframe></body></html>
    """
  }

  private func facts(_ html: String, width: Int, height: Int) throws -> [String: String] {
    let chromium = try #require(Tool("chromium"), "chromium is needed (apt install chromium)")
    let folder = try TemporaryFolder()
    let page = try folder.write(Array((html + Self.questions).utf8), as: "page.html")
    let frame = try folder.write(Array(Self.frame(width, height).utf8), as: "frame.html")
    let picture = folder.file("page.png")
    let common = [
      "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
      "--user-data-dir=" + folder.file("profile"),
      "--window-size=\(width),\(height)",
    ]
    let dumped = try chromium.run(common + ["--virtual-time-budget=5000", "--dump-dom", "file://" + frame])
    #expect(dumped.status == 0, "\(dumped.errors)")
    let drawn = try chromium.run(common + ["--screenshot=" + picture, "file://" + page])
    #expect(drawn.status == 0, "\(drawn.errors)")
    #expect(try readFile(picture).starts(with: [0x89, 0x50, 0x4e, 0x47]))
    let root = try #require(dumped.text.firstMatch(of: /<html[^>]*>/)?.0)
    return Dictionary(
      uniqueKeysWithValues: root.matches(of: /data-(\w+)="([^"]*)"/).map { (String($0.1), String($0.2)) })
  }

  @Test(
    .enabled(if: Tool.exists("chromium") || RequiredTools.areRequired, "chromium is needed"),
    arguments: [(1280, 900), (390, 844)])
  func `a browser shows all plots and nothing sticks out`(width: Int, height: Int) throws {
    let facts = try facts(Page.html(Report(readingFrom: Self.kept)), width: width, height: height)
    #expect(facts["width"] == "\(width)")
    #expect(facts["overflow"] == "0")
    #expect(try #require(facts["charts"].flatMap { Int($0) }) > 60)
    #expect(facts["empty"] == "0")
    #expect(facts["nameless"] == "0")
    #expect(facts["small"] == "0")
    #expect(facts["outside"] == "0")
    // On a phone tables scroll.
    if width > 1000 { #expect(facts["cut"] == "0") }
    #expect(facts["sections"] == "clip-length source-length floor latency budgets table notes")
  }

  @Test func `what is written comes before what shares blocks, and that is named`() throws {
    let html = try Page.html(Report(readingFrom: Self.kept))
    let written = try #require(html.firstRange(of: "frames a second written in bulk, one lane"))
    let shared = try #require(html.firstRange(of: "frames a second where blocks are shared"))
    #expect(written.lowerBound < shared.lowerBound)
    #expect(html.contains("Bulk clips of 1 MB, clone, blocks shared"))
    #expect(!html.contains("gather, blocks shared"))
    let clone = try #require(Report(readingFrom: Self.kept).measurements.first { $0.method == "clone" })
    #expect(Column.bandwidth.text(clone) == "–")
    #expect(html.contains("where blocks can be shared with the source, hardly anything does"))
  }

  @Test func `a page without clips that share blocks speaks of none`() throws {
    let run = try Report(readingFrom: Self.kept)
    let report = Report(
      host: run.host, form: "quick", pairs: 5, measurements: run.measurements.filter { !$0.sharesBlocks },
      budgets: [], notes: [])
    let html = Page.html(report)
    #expect(!html.contains("where blocks can be shared"))
    #expect(!html.contains("where blocks are shared"))
  }

  @Test func `a check says first what is worse`() throws {
    let run = try Report(readingFrom: Self.kept)
    let comparisons = [
      Comparison("clip", "allocations", exactly: 64, 65, tolerance: 0),
      Comparison("clip", "system calls", exactly: 7, 7, tolerance: 0),
    ]
    let report = Report(
      host: run.host, form: "check", pairs: 15, measurements: run.measurements, budgets: [],
      comparisons: comparisons, notes: [])
    #expect(report.isWorse)
    let html = Page.html(report)
    #expect(html.contains("The check failed"))
    let first = try #require(html.split(separator: "<details>").first)
    #expect(first.contains("<td>allocations</td>"))
    #expect(!first.contains("<td>system calls</td>"))
    let markdown = MarkdownReport.text(report)
    #expect(markdown.contains("**check failed: clip: allocations**"))
    #expect(markdown.contains("| clip | allocations | 64 | 65 | worse |"))
  }

  @Test func `the page needs nothing but itself`() throws {
    let html = try Page.html(Report(readingFrom: Self.kept))
    for word in ["http:", "https:", "src=", "url(", "@import", "<script", "<link"] {
      #expect(!html.contains(word), "\(word)")
    }
  }

  @Test func `text from outside stays text`() throws {
    let report = try Report(readingFrom: Self.kept)
    let hostile = Report(
      host: report.host, form: "<b>&\"", pairs: 1, measurements: [], budgets: [],
      notes: ["<script>alert(1)</script>"])
    let html = Page.html(hostile)
    #expect(!html.contains("<script"))
    #expect(html.contains("&lt;b&gt;&amp;&quot;"))
    #expect(MarkdownReport.text(hostile).contains("&lt;script>"))
  }

  /// Numbers that nothing can have measured: pages would be drawn with them.
  @Test(arguments: [
    (#""schema" : "kerfless.bench/1""#, #""schema" : "kerfless.bench/2""#), (#""high" : "#, #""high" : -"#),
    (#""p99" : "#, #""p99" : 1e300, "none" : "#), (#""shape" : ["#, #""shape" : [], "none" : ["#),
    (#""floorCore" : "#, #""floorCore" : 1e300, "none" : "#), (#""limit" : "#, #""limit" : -"#),
    (#""p50" : "#, #""p50" : 1e9, "none" : "#),
  ])
  func `a report with other numbers is refused`(text: String, changed: String) throws {
    let whole = try String(contentsOfFile: Self.kept, encoding: .utf8)
    let other = whole.replacing(text, with: changed, maxReplacements: 1)
    #expect(other != whole)
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(other.utf8), as: "other.json")
    #expect(throws: BenchError.self) { try Report(readingFrom: path) }
  }

  @Test func `a report reads as it was written`() throws {
    let report = try Report(readingFrom: Self.kept)
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(report.json), as: "again.json")
    #expect(try Report(readingFrom: path).json == report.json)
    let text = TextTable.text(report)
    for measurement in report.measurements { #expect(text.contains(measurement.title)) }
  }
}

/// Whether a tool that is missing is an error, as it is in CI.
private enum RequiredTools {
  static let areRequired = ProcessInfo.processInfo.environment["KERFLESS_REQUIRE_ALL"] != nil
}
