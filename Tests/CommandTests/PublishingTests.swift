import Foundation
import TestSupport
import Testing

/// Outputs as files, pipes and devices.
struct PublishingTests {
  private let folder: TemporaryFolder
  private let source = Media.path("joc-base.mp4")

  init() throws {
    folder = try TemporaryFolder()
  }

  private func trim(_ output: String, _ more: [String] = []) -> [String] {
    ["trim", source, "-o", output] + more
  }

  @Test func `an existing output stays, unless it is to be replaced`() throws {
    let output = try folder.write([1, 2, 3], as: "clip.mp4")
    try expectFailure(73, trim(output), saying: ["clip.mp4", "--force"], leaving: folder)
    #expect(try readFile(output) == [1, 2, 3])
    try kerfless(trim(output, ["--force"]))
    let faults = try Judges.payload(output, [Judges.Part(source: source, units: 0..<32)])
    #expect(faults == [])
    #expect(folder.names == ["clip.mp4"])
  }

  @Test func `a source is never its own output`() throws {
    let own = folder.file("own.mp4")
    try FileManager.default.copyItem(atPath: source, toPath: own)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link.mp4"), withDestinationPath: "own.mp4")
    try FileManager.default.linkItem(atPath: own, toPath: folder.file("hard.mp4"))
    for name in ["own.mp4", "link.mp4", "hard.mp4"] {
      try expectFailure(
        73, ["trim", own, "-o", folder.file(name), "--force"], saying: ["one of the sources"], leaving: folder
      )
    }
    #expect(try readFile(own) == readFile(source))
  }

  @Test(arguments: [">>", "1<>"])
  func `standard output that leads into the source is refused`(_ redirection: String) throws {
    let own = folder.file("own.mp4")
    try FileManager.default.copyItem(atPath: source, toPath: own)
    let shell = try #require(Tool("sh"))
    let command = "'\(Tool.kerfless.path)' trim '\(own)' -o - --format mp4 --start 0.2 \(redirection)'\(own)'"
    let result = try shell.run(["-c", command])
    #expect(result.status == 73)
    #expect(result.errors.contains("one of the sources"))
    #expect(try readFile(own) == readFile(source))
  }

  @Test func `metrics replace nothing but metrics`() throws {
    let own = folder.file("own.mp4")
    try FileManager.default.copyItem(atPath: source, toPath: own)
    let manifest = try folder.write(
      Array(#"{"id":"a","source":"own.mp4","end":"0.5","output":"clip.mp4"}"#.utf8), as: "jobs.jsonl")
    for name in ["own.mp4", "jobs.jsonl"] {
      let result = try kerfless(["batch", "run", manifest, "--metrics", folder.file(name), "--force"])
      #expect(result.errors.contains("metrics cannot be written"))
    }
    #expect(try readFile(own) == readFile(source))
    for _ in 0..<2 {
      let result = try kerfless(["batch", "run", manifest, "--metrics", folder.file("m.prom"), "--force"])
      #expect(!result.errors.contains("metrics"))
    }
    let metrics = String(decoding: try readFile(folder.file("m.prom")), as: UTF8.self)
    #expect(metrics.hasPrefix("# HELP kerfless_"))
  }

  @Test func `every way to the output gives the same bytes`() throws {
    let output = folder.file("clip.mp4")
    try kerfless(trim(output))
    let bytes = try readFile(output)
    try kerfless(trim(folder.file("forced.mp4"), ["--force"]))
    try kerfless(trim(folder.file("direct.mp4"), ["--publish", "direct"]))
    try kerfless(trim(folder.file("synced.mp4"), ["--sync", "file"]))
    for name in ["forced.mp4", "direct.mp4", "synced.mp4"] {
      #expect(try readFile(folder.file(name)) == bytes)
    }
    #expect(try Tool.kerfless.run(trim("-", ["--format", "mp4"])).bytes == bytes)
    #expect(folder.names == ["clip.mp4", "direct.mp4", "forced.mp4", "synced.mp4"])
  }

  @Test func `a FIFO and a device are written as streams`() throws {
    try kerfless(trim("/dev/null", ["--format", "mp4"]))
    #expect(
      (try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType)
        == .typeCharacterSpecial)
    let fifo = folder.file("fifo.mp4")
    #expect(mkfifo(fifo, 0o600) == 0)
    let shell = try #require(Tool("sh"))
    let result = try shell.run([
      "-c", "cat '\(fifo)' & '\(Tool.kerfless.path)' trim '\(source)' -o '\(fifo)' >/dev/null; wait",
    ])
    try kerfless(trim(folder.file("clip.mp4")))
    #expect(try result.bytes == readFile(folder.file("clip.mp4")))
  }

  @Test(arguments: [0, O_NONBLOCK])
  func `standard output may be a socket, also one that does not block`(flags: Int32) throws {
    let long = folder.file("long.mp4")
    try kerfless(["concat"] + Array(repeating: source, count: 200) + ["-o", long])
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    try #require(fcntl(ends[1], F_SETFL, flags) == 0)
    let reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    let run = try Tool.kerfless.start(
      ["trim", long, "-o", "-", "--format", "mp4"], output: FileHandle(fileDescriptor: ends[1]))
    close(ends[1])
    let received = reading.readDataToEndOfFile()
    #expect(run.wait() == 0)
    try kerfless(["trim", long, "-o", folder.file("copy.mp4")])
    #expect(try [UInt8](received) == readFile(folder.file("copy.mp4")))
  }

  @Test func `with standard output as output, reports go to standard error`() throws {
    let result = try Tool.kerfless.run(trim("-", ["--format", "ec3", "--json"]))
    #expect(try result.bytes == Array(Media.bytes("joc51.ec3").prefix(32 * 320)))
    #expect(try JSON(parsing: result.errors)["output"].description == "-")
    let faulty = try Tool.kerfless.run(["trim", Media.path("joc-stops.mp4"), "-o", "-", "--format", "mp4"])
    #expect(faulty.status == 65)
    #expect(faulty.bytes == [])
  }

  @Test func `a reader that goes away and a full device are errors`() throws {
    let shell = try #require(Tool("sh"))
    let command = "'\(Tool.kerfless.path)' trim '\(source)' -o - --format mp4"
    let gone = try shell.run(["-c", "{ sleep 0.3; \(command); echo $? >&2; } | true"])
    #expect(gone.errors.contains("Broken pipe"))
    #expect(gone.errors.hasSuffix("74\n"))
    let full = try shell.run(["-c", "\(command) > /dev/full"])
    #expect(full.status == 75)
    #expect(full.errors.contains("No space left"))
    // The clip is there, and its report could not be printed.
    let report = try shell.run([
      "-c",
      "\(command) -o '\(folder.file("clip.mp4"))' > /dev/full".replacingOccurrences(of: "-o - ", with: ""),
    ])
    #expect(report.status == 74)
    #expect(report.errors.contains("has been done"))
    #expect(folder.names == ["clip.mp4"])
  }

  @Test func `standard streams that the parent closed do not become the output`() throws {
    let shell = try #require(Tool("sh"))
    let command = "'\(Tool.kerfless.path)' trim '\(source)' -o '\(folder.file("closed.mp4"))'"
    #expect(try shell.run(["-c", "\(command) <&- >&- 2>&-"]).status == 74)
    try kerfless(trim(folder.file("open.mp4")))
    #expect(try readFile(folder.file("closed.mp4")) == readFile(folder.file("open.mp4")))
  }

  @Test func `splitting goes on when nobody reads its reports`() throws {
    let shell = try #require(Tool("sh"))
    let command = "'\(Tool.kerfless.path)' split '\(source)' --every 0.1 -o '\(folder.file("%02d.mp4"))'"
    _ = try shell.run(["-c", "{ sleep 0.2; \(command); } | true"])
    #expect(folder.names.count == 11)
  }

  @Test func `standard output by its name in dev is a stream`() throws {
    let shell = try #require(Tool("sh"))
    let command = "'\(Tool.kerfless.path)' trim '\(source)' -o /dev/stdout --format ec3 2>/dev/null"
    let piped = try shell.run(["-c", "\(command) | head -c 10240"])
    #expect(try piped.bytes == Array(Media.bytes("joc51.ec3").prefix(10240)))
  }

  @Test func `a dry run fails where the run would`() throws {
    _ = try folder.write([0], as: "there.mp4")
    for name in ["there.mp4", "none/clip.mp4"] {
      try expectFailure(73, trim(folder.file(name), ["--dry-run"]), leaving: folder)
    }
    try expectFailure(73, ["trim", source, "-o", source, "-n", "-f"], saying: ["one of the sources"])
  }

  @Test func `split writes nothing when one of its pieces cannot be cut`() throws {
    let arguments = ["split", Media.path("joc-stops.mp4"), "--every", "0.2", "-o", folder.file("%d.mp4")]
    try expectFailure(65, arguments, saying: ["access unit 16"], leaving: folder)
  }

  @Test func `a name that says something else is a warning`() throws {
    let report = try kerflessJSON(["extract", source, "-o", folder.file("stream.ac3")])
    #expect(report["findings"].array.map { $0["code"].description } == ["output.suffix"])
  }

  @Test func `a folder that is missing or a file is an error`() throws {
    try expectFailure(
      73, trim(folder.file("none/clip.mp4")),
      saying: ["No such file", "make the folder \(folder.file("none")) first"], leaving: folder)
    _ = try folder.write([0], as: "file")
    try expectFailure(73, trim(folder.file("file/clip.mp4")), saying: ["Not a directory"], leaving: folder)
    let name = String(repeating: "n", count: 251) + ".mp4"
    try kerfless(trim(folder.file(name)))
    try expectFailure(73, trim(folder.file("n" + name)), saying: ["File name too long"])
  }

  @Test func `names are bytes`() throws {
    // Not UTF-8, with a line break and a leading dash.
    let shell = try #require(Tool("sh"))
    let script =
      "n=$(printf -- '-\\377\\n.mp4') && cp -- '\(source)' \"$n\" && '\(Tool.kerfless.path)' trim -o \"./out$n\" -- \"$n\" && ls | wc -l"
    let result = try shell.run(["-c", script], folder: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(folder.names.count == 2)
  }

  @Test func `split writes nothing when one of its names is taken`() throws {
    _ = try folder.write([0], as: "piece2.mp4")
    let arguments = ["split", source, "--every", "0.2", "-o", folder.file("piece%d.mp4")]
    try expectFailure(73, arguments, saying: ["piece2.mp4"], leaving: folder)
    try kerfless(arguments + ["--force"])
    #expect(folder.names == (0..<6).map { "piece\($0).mp4" })
  }

  @Test func `clean removes what dead runs left, and nothing else`() throws {
    for name in [
      ".kerfless-0123456789abcdef.tmp", ".kerfless-0123.tmp", "kerfless-0123456789abcdef.tmp", "clip.mp4",
    ] {
      _ = try folder.write([0], as: name)
    }
    let report = try kerflessJSON(["clean", folder.path])
    #expect(report["removed"].array.map(\.description) == [folder.file(".kerfless-0123456789abcdef.tmp")])
    #expect(folder.names == [".kerfless-0123.tmp", "clip.mp4", "kerfless-0123456789abcdef.tmp"])
  }

  @Test func `clean goes down into folders when it is asked to, and through no link`() throws {
    let name = ".kerfless-0123456789abcdef.tmp"
    let manager = FileManager.default
    for path in ["in/a/b", "out"] {
      try manager.createDirectory(atPath: folder.file(path), withIntermediateDirectories: true)
      _ = try folder.write([0], as: path + "/" + name)
    }
    try manager.createSymbolicLink(atPath: folder.file("in/link"), withDestinationPath: folder.file("out"))
    try manager.createSymbolicLink(
      atPath: folder.file("in/.kerfless-1123456789abcdef.tmp"), withDestinationPath: folder.file("out"))
    #expect(try kerflessJSON(["clean", folder.file("in")])["removed"].array.isEmpty)
    let report = try kerflessJSON(["clean", "-r", folder.file("in")])
    #expect(report["removed"].array.map(\.description) == [folder.file("in/a/b/" + name)])
    #expect(manager.fileExists(atPath: folder.file("out/" + name)))
  }

  @Test func `help and version are there`() throws {
    let overview = try kerfless(["help"]).text
    for command in ["inspect", "trim", "concat", "split", "extract", "mux", "clean"] {
      #expect(overview.contains(command))
      #expect(try kerfless(["help", command]).text == kerfless([command, "--help"]).text)
    }
    #expect(try kerfless(["help", "trim"]).text.contains("--ignore-edits"))
    #expect(try kerfless(["--version"]).text.hasPrefix("kerfless "))
  }
}
