import Remuxing
import SystemIO
import Testing

@testable import Batch

/// What a line of a manifest may say.
struct JobParserTests {
  private func parse(_ line: String, root: String = "/masters", confinement: String? = nil) throws -> Job {
    let rules = try PathRules(
      root: try #require(FilePath(root)), confinement: confinement.flatMap { FilePath($0) })
    let bytes = Array(line.utf8)
    return try JobParser(rules).job(bytes.span, number: 7)
  }

  private func error(_ line: String, confinement: String? = nil) throws -> LineError? {
    do {
      _ = try parse(line, confinement: confinement)
      return nil
    } catch {
      return try #require(error as? LineError)
    }
  }

  @Test func `a job of one segment`() throws {
    let job = try parse(
      #"{"id":"ep1-0001","source":"ep1.mp4","start":"12.5","end":22.50,"track":2,"output":"clips/a.mp4"}"#)
    #expect(job.line == 7)
    #expect(job.id == "ep1-0001")
    #expect(job.output == FilePath("/masters/clips/a.mp4"))
    #expect(job.form == .iso(isM4A: false))
    #expect(job.cutting == CutOptions())
    let segment = try #require(job.segments.first)
    #expect(job.segments.count == 1)
    #expect(segment.source == FilePath("/masters/ep1.mp4"))
    #expect(segment.trackID == 2)
    #expect(segment.range.start == TimeExpression("12.5"))
    #expect(segment.range.end == TimeExpression("22.50").map { .at($0) })
  }

  @Test(arguments: [
    ("1e3", "1000"), ("1.25E+2", "125.00"), ("5e-3", "0.005"), ("12.5e0", "12.5"), ("0.5e1", "5.0"),
    ("5.551115123125783e-17", "0.000000000000000055"), ("1e-300", "0.000000000000000000"),
  ])
  func `numbers may have an exponent`(_ number: String, _ plain: String) throws {
    let job = try parse(#"{"id":"a","source":"s","start":\#(number),"output":"o.mp4"}"#)
    #expect(job.segments.first?.range.start == TimeExpression(plain))
  }

  @Test(arguments: ["0", "-0", "-0.0", "-0e1", "-0.0E-3"])
  func `zero may have a sign`(_ number: String) throws {
    let job = try parse(#"{"id":"a","source":"s","start":\#(number),"output":"o.mp4"}"#)
    guard case .seconds(let seconds) = job.segments.first?.range.start else {
      Issue.record("there is no time")
      return
    }
    #expect(seconds.numerator == 0)
  }

  @Test func `a number is not quoted as another one`() throws {
    for number in ["99999999999999999999999", "-99999999999999999999999"] {
      let error = try error(#"{"id":"a","source":"s","end":\#(number),"output":"o.mp4"}"#)
      #expect(error?.message.contains("is too large") ?? false)
    }
  }

  @Test func `a job of several segments with options`() throws {
    let job = try parse(
      #"""
      {"output":"/reels/7.ec3","cut":"frame","snap":"ceil","clamp":true,"ignoreEdits":true,"allowMixedJoc":true,
      "segments":[{"source":"/x/a.mp4","start":0,"duration":"500ms"},{"source":"b.mp4"}],"id":"reel-7"}
      """#.filter { $0 != "\n" })
    #expect(job.output == FilePath("/reels/7.ec3"))
    #expect(job.form == .elementaryStream)
    #expect(job.segments.map(\.source) == [FilePath("/x/a.mp4"), FilePath("/masters/b.mp4")])
    #expect(job.segments[0].range.end == TimeExpression("500ms").map { .after($0) })
    #expect(job.segments[1].range == .all)
    #expect(job.cutting.snap == .ceil)
    #expect(job.cutting.clampsEnd && job.cutting.ignoresEdits && job.cutting.allowsMixedObjects)
  }

  @Test func `an exact job with pre-roll, escapes and white space`() throws {
    let job = try parse(
      "\t{ \"id\" : \"\\u00e9\\ud83d\\ude00\" , \"cut\":\"exact\", \"preroll\":3, \"source\":\"a\", \"output\":\"b.m4a\" }\r"
    )
    #expect(job.id == "é😀")
    #expect(job.cutting.mode == .exact)
    #expect(job.cutting.preRoll == 3)
    #expect(job.form == .iso(isM4A: true))
  }

  static let faults: [(line: String, key: String?, message: String)] = [
    (#"foo"#, nil, "no JSON"),
    (#"[1]"#, nil, "no JSON object"),
    (#"{"id":"a""#, nil, "ends too soon"),
    (#"{"id":"a","source":"s","output":"o.mp4"} x"#, nil, "no JSON"),
    (#"{"id":"a","source":"s","output":"o.mp4",}"#, nil, "no JSON"),
    (#"{'id':"a"}"#, nil, "no JSON"),
    (#"{"id":"a",/*c*/"source":"s"}"#, nil, "no JSON"),
    (#"{"source":"s","output":"o.mp4"}"#, "id", "missing"),
    (#"{"id":"","source":"s","output":"o.mp4"}"#, "id", "missing or empty"),
    (#"{"id":7,"source":"s","output":"o.mp4"}"#, "id", "text"),
    (#"{"id":null,"source":"s","output":"o.mp4"}"#, "id", "text"),
    (#"{"id":"a","output":"o.mp4"}"#, "source", "missing"),
    (#"{"id":"a","source":"s"}"#, "output", "missing"),
    (#"{"id":"a","source":"","output":"o.mp4"}"#, "source", "empty"),
    (#"{"id":"a","source":"s","output":"o.wav"}"#, "output", "name"),
    (#"{"id":"a","source":"s","output":"o"}"#, "output", "name"),
    (#"{"id":"a","source":"s","sart":1,"output":"o.mp4"}"#, "sart", "no such key"),
    (#"{"id":"a","segments":[{"source":"s","x":1}],"output":"o.mp4"}"#, "segments.x", "no such key"),
    (#"{"id":"a","segments":[],"output":"o.mp4"}"#, "segments", "none"),
    (#"{"id":"a","segments":[1],"output":"o.mp4"}"#, "segments", "array of objects"),
    (#"{"id":"a","segments":{"source":"s"},"output":"o.mp4"}"#, "segments", "array of objects"),
    (#"{"id":"a","source":"s","segments":[{"source":"s"}],"output":"o.mp4"}"#, "segments", "belong inside"),
    (#"{"id":"a","id":"a","source":"s","output":"o.mp4"}"#, "id", "twice"),
    (#"{"id":"a","segments":[{"source":"s","source":"t"}],"output":"o.mp4"}"#, "source", "twice"),
    (#"{"id":"a","\u0069d":"a","source":"s","output":"o.mp4"}"#, nil, "twice"),
    (#"{"id":"a","source":"s","start":NaN,"output":"o.mp4"}"#, "start", "no time"),
    (#"{"id":"a","source":"s","start":-Infinity,"output":"o.mp4"}"#, "start", "no time"),
    (#"{"id":"a","source":"s","start":-1,"output":"o.mp4"}"#, "start", "no time"),
    (#"{"id":"a","source":"s","start":"1e3","output":"o.mp4"}"#, "start", "no time"),
    (#"{"id":"a","source":"s","start":1e10,"output":"o.mp4"}"#, "start", "no time"),
    (#"{"id":"a","source":"s","start":-1e-3,"output":"o.mp4"}"#, "start", "no time"),
    (#"{"id":"a","source":"s","start":1e-99999999999999999999,"output":"o.mp4"}"#, "start", "no time"),
    (#"{"id":"a","source":"s","start":1.,"output":"o.mp4"}"#, "start", "no time"),
    (#"{"id":"a","source":"s","start":99999999999999999999999,"output":"o.mp4"}"#, "start", "no time"),
    (#"{"id":"a","source":"s","start":-99999999999999999999999,"output":"o.mp4"}"#, "start", "no time"),
    (#"{"id":"a","source":"s","end":null,"output":"o.mp4"}"#, "end", "a text or a number"),
    (#"{"id":"a","source":"s","start":true,"output":"o.mp4"}"#, "start", "text"),
    (#"{"id":"a","source":"s","end":"1 s","output":"o.mp4"}"#, "end", "no time"),
    (#"{"id":"a","source":"s","end":1,"duration":1,"output":"o.mp4"}"#, "duration", "exclude"),
    (#"{"id":"a","source":"s","track":-1,"output":"o.mp4"}"#, "track", "whole number"),
    (#"{"id":"a","source":"s","track":4294967296,"output":"o.mp4"}"#, "track", "whole number"),
    (#"{"id":"a","source":"s","track":1.0,"output":"o.mp4"}"#, "track", "whole number"),
    (#"{"id":"a","source":"s","cut":"sloppy","output":"o.mp4"}"#, "cut", "frame, exact"),
    (#"{"id":"a","source":"s","preroll":1,"output":"o.mp4"}"#, "preroll", "exact"),
    (#"{"id":"a","source":"s","cut":"exact","snap":"floor","output":"o.mp4"}"#, "snap", "frame"),
    (#"{"id":"a","source":"s","clamp":1,"output":"o.mp4"}"#, "clamp", "true or false"),
    (#"{"id":"a\u0000b","source":"s","output":"o.mp4"}"#, nil, "zero"),
    (#"{"id":"\ud800","source":"s","output":"o.mp4"}"#, nil, "surrogate"),
    (#"{"id":"\ud83d\u0041","source":"s","output":"o.mp4"}"#, nil, "surrogate"),
    (#"{"id":"\udc00","source":"s","output":"o.mp4"}"#, nil, "surrogate"),
    ("{\"id\":\"a\0b\"}", nil, "zero byte"),
    ("{\"id\":\"a\tb\",\"source\":\"s\",\"output\":\"o.mp4\"}", nil, "control character"),
    ("{\"id\":\"a\u{1b}\"}", nil, "control character"),
    (String(repeating: "[", count: 10000), nil, "no JSON"),
    (String(repeating: "{\"id\":", count: 100), nil, "no JSON"),
  ]

  @Test(arguments: faults)
  func `faults are named with their key`(_ fault: (line: String, key: String?, message: String)) throws {
    let error = try #require(try error(fault.line), "\(fault.line)")
    #expect(error.key == fault.key)
    #expect(error.failure.description.contains(fault.message), "\(error)")
  }

  /// The column counts bytes from 1, and points at what is to be changed.
  static let spelling: [(line: String, column: Int, message: String)] = [
    (#"{"id":nope}"#, 7, "'nope' is no value; write texts in double quotes"),
    (#"{"clamp":True}"#, 10, "'True' is no value; write texts in double quotes, and true, false"),
    (#"{"clamp":tru}"#, 10, "'tru' is no value"),
    (#"{"id":é}"#, 7, "'é' is no value"),
    (#"{"end":1.2.3}"#, 8, "'1.2.3' is no number; write it as 12.5"),
    (#"{"end":01}"#, 8, "'01' is no number"),
    (#"{"end":.5}"#, 8, "'.5' is no number"),
    (#"{"end":+1}"#, 8, "'+1' is no number"),
    (#"{"end":1:30}"#, 8, "'1:30' is no number; write it as 12.5, or in double quotes"),
    (#"{"end":12.5s}"#, 8, "'12.5s' is no number; write it as 12.5, or in double quotes"),
    (#"{"id":"a" "end":3}"#, 11, "a comma or a } is missing; write commas between members"),
    (#"{"id":"a"b"}"#, 10, #"a double quote inside a text as \""#),
    (#"{"id" "a"}"#, 7, "a colon is missing behind a key"),
    (#"{id:"a"}"#, 2, "a key in double quotes is missing"),
    (#"{"id":"a",,"end":3}"#, 11, "a key in double quotes is missing"),
    (#"{"id":"a",}"#, 11, "a value is missing; leave out the comma"),
    (#"{"id":}"#, 7, "a value is missing"),
    (#"{"segments":[{} {}]}"#, 17, "a comma or a ] is missing"),
    (#"{"id":"a\q"}"#, 10, #"no such escape; write a backslash inside a text as \\"#),
    (#"{"id":"\u12G4"}"#, 12, "no such escape"),
    (#"{"id":"a"} x"#, 12, "something stands behind the object; write one job a line"),
    (#"{"id":"a"}{"id":"b"}"#, 11, "something stands behind the object"),
    (#"{"id":"a""#, 10, "the line ends too soon; write all of a job in one line"),
    ("{", 2, "the line ends too soon"),
    ("  null", 3, "it is no JSON object; write jobs as {"),
    (#""id":"a","#, 1, "it is no JSON object"),
    ("id,source,output", 1, "it is no JSON object"),
    ("}", 1, "it is no JSON object"),
    (#"{"id":'a'}"#, 7, "single quotes; write texts in double quotes"),
    (#"{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{}}}}}}}}}"#, 41, "more than 8 objects and arrays"),
  ]

  @Test(arguments: spelling)
  func `what is no JSON is told with its column and what to write`(
    _ fault: (line: String, column: Int, message: String)
  ) throws {
    let error = try #require(try error(fault.line), "\(fault.line)")
    #expect(error.column == fault.column, "\(fault.line): \(error)")
    #expect(error.failure.description.contains(fault.message), "\(fault.line): \(error)")
    #expect(error.advice != nil)
  }

  @Test func `a line holds no more values than a join of ten thousand segments`() throws {
    let segment = #"{"source":"{[,","start":1,"end":2,"track":3}"#
    func job(_ count: Int) -> String {
      #"{"id":"a","output":"o.mp4","segments":["#
        + Array(repeating: segment, count: count).joined(separator: ",") + "]}"
    }
    #expect(try parse(job(10_000)).segments.count == 10_000)
    let error = try #require(try error(job(14_000)))
    #expect(error.message.contains("more than 65536 values"))
    // The first brace, two commas and the bracket are the first 39 bytes; a segment holds five more. The last is the comma
    // in the 26th byte of a segment.
    #expect(error.column == 39 + 13_106 * (segment.count + 1) + 26)
    for value in ["{}", "[]", "0"] {
      let line = #"{"x":["# + Array(repeating: value, count: 340_000).joined(separator: ",") + "]}"
      #expect(try self.error(line)?.message.contains("values") ?? false)
    }
  }

  @Test func `bytes that are no UTF-8 are refused with their column`() throws {
    let rules = try PathRules(root: .workingFolder)
    for tail: [UInt8] in [
      [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82],
    ] {
      let line = Array(#"{"id":"a"#.utf8) + tail + Array(#"","source":"s","output":"o.mp4"}"#.utf8)
      let error = #expect(throws: LineError.self) { try JobParser(rules).job(line.span, number: 1) }
      #expect(error?.message.contains("UTF-8") ?? false)
      #expect((8...12).contains(error?.column ?? 0))
    }
  }

  @Test func `a confinement refuses to go up`() throws {
    let up = #"{"id":"a","source":"x/../s","output":"o.mp4"}"#
    #expect(try error(up) == nil)
    #expect(try error(up, confinement: "/")?.key == "source")
    #expect(try error(#"{"id":"a","source":"s","output":".."}"#, confinement: "/")?.key == "output")
    #expect(try error(#"{"id":"a","source":"..s","output":"o..mp4"}"#, confinement: "/") == nil)
  }

  @Test func `a parser goes on after a fault`() throws {
    let parser = try JobParser(try PathRules(root: .workingFolder))
    let good = Array(#"{"id":"a","source":"s","output":"o.mp4"}"#.utf8)
    for fault in Self.faults {
      let bad = Array(fault.line.utf8)
      #expect(throws: LineError.self) { try parser.job(bad.span, number: 1) }
      #expect(try parser.job(good.span, number: 2).output.lastComponent == Array("o.mp4".utf8))
    }
  }
}
