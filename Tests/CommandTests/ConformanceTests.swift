import Foundation
import TestSupport
import Testing

/// Every command on every file that it must work on, judged by other programs.
@Suite(.enabled(if: Judges.areAtHand, "python3, ffprobe, ffmpeg and mediainfo are needed"))
struct ConformanceTests {
  @Test(arguments: Subject.all)
  func `ranges are cut without a byte lost`(_ subject: Subject) throws {
    let run = try SubjectRun(subject)
    let count = subject.unitCount
    let (a, b) = (count / 4, max(count / 4 + 1, count * 3 / 5))
    try run.trim("middle.mp4", ["--start", "\(a)au", "--end", "\(b)au"], a..<b)
    try run.trim("front.mp4", ["--start", "0au", "--end", "\(b)au"], 0..<b)
    try run.trim("back.m4a", ["--start", "\(b)au"], b..<count)
    try run.trim("all.mp4", [], 0..<count)
  }

  @Test(arguments: Subject.all)
  func `two ranges join without a seam`(_ subject: Subject) throws {
    let run = try SubjectRun(subject)
    let count = subject.unitCount
    let (a, b, c) = (count / 5, count / 2, max(count / 2 + 1, count * 4 / 5))
    let output = run.folder.file("joined.mp4")
    let segments = ["\(subject.path)@\(a)au-\(b)au", "\(subject.path)@\(b)au-\(c)au"]
    try run.kerfless(["concat"] + segments + ["-o", output])
    try run.check(output, [a..<c])
    try run.trim("one.mp4", ["--start", "\(a)au", "--end", "\(c)au"], a..<c)
    #expect(try readFile(output) == readFile(run.folder.file("one.mp4")))

    let swapped = run.folder.file("swapped.mp4")
    try run.kerfless(["concat"] + segments.reversed() + ["-o", swapped])
    try run.check(swapped, [b..<c, a..<b])
  }

  @Test(arguments: Subject.all)
  func `pieces tile the track`(_ subject: Subject) throws {
    let run = try SubjectRun(subject)
    let length = subject.unitCount / 3 + 1
    try run.kerfless([
      "split", subject.path, "--start", "0au", "--every", "\(length)au", "-o",
      run.folder.file("piece%03d.mp4"),
    ])
    let starts = Array(stride(from: 0, to: subject.unitCount, by: length))
    #expect(run.folder.names == starts.indices.map { "piece00\($0).mp4" })
    for (index, start) in starts.enumerated() {
      try run.check(run.folder.file("piece00\(index).mp4"), [start..<min(start + length, subject.unitCount)])
    }
  }

  @Test(arguments: Subject.all)
  func `the elementary stream comes out and goes back in`(_ subject: Subject) throws {
    let run = try SubjectRun(subject)
    let stream = run.folder.file("stream.ec3")
    try run.kerfless(["extract", subject.path, "-o", stream])
    let all = 0..<subject.unitCount
    let faults = try Judges.payload(stream, [run.part(all)])
    #expect(faults == [])
    let output = run.folder.file("muxed.mp4")
    try run.kerfless(["mux", stream, "-o", output])
    try run.check(output, madeOf: [Judges.Part(source: stream, units: all)])
  }
}
