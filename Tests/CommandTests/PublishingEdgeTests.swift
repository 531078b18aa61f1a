import Foundation
import TestSupport
import Testing

/// How outputs get their names where that is not simple.
struct PublishingEdgeTests {
  private let folder: TemporaryFolder
  private let source = Media.path("joc-base.mp4")

  init() throws {
    folder = try TemporaryFolder()
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test(arguments: [["--publish", "rename"], ["--force"], ["--publish", "direct"]], [0o22, 0o77, 0o2])
  func `a new output has what the umask leaves`(_ options: [String], _ mask: Int) throws {
    let output = folder.file("new.mp4")
    let result = try shell(
      "umask \(String(mask, radix: 8)); KERFLESS trim '\(source)' -o '\(output)' \(options.joined(separator: " "))"
    )
    #expect(result.status == 0, "\(result.errors)")
    #expect(try mode(output) == 0o666 & ~mask)
  }

  @Test(arguments: [[], ["--publish", "direct"]], [0o640, 0o444, 0o600, 0o755])
  func `a replaced output keeps its mode`(_ options: [String], _ mode: Int) throws {
    let output = try folder.write([1], as: "old.mp4")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: output)
    try kerfless(["trim", source, "-o", output, "--force"] + options)
    #expect(try self.mode(output) == mode)
    #expect(try readFile(output).count > 10_000)
    #expect(folder.names == ["old.mp4"])
  }

  @Test func `a link stays a link, and what it leads to is replaced`() throws {
    let there = try TemporaryFolder()
    let real = try there.write([1], as: "real.mp4")
    let link = folder.file("link.mp4")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
    try expectFailure(73, ["trim", source, "-o", link], saying: ["--force"], leaving: folder)
    try kerfless(["trim", source, "-o", link, "--force"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == real)
    #expect(try readFile(real).count > 10_000)
    #expect(there.names == ["real.mp4"])
    try FileManager.default.removeItem(atPath: real)
    try expectFailure(
      73, ["trim", source, "-o", link, "--force"], saying: ["link to nothing"], leaving: folder)
  }

  /// What the kernel refuses, the next best way is taken; the bytes are the same.
  @Test(
    .enabled(if: Tool.exists("strace"), "strace is missing"),
    arguments: [
      (["openat:error=EOPNOTSUPP:when=WHEN"], true),
      (["openat:error=EOPNOTSUPP:when=WHEN", "renameat2:error=EINVAL"], true),
      (["openat:error=EOPNOTSUPP:when=WHEN", "renameat2:error=ENOSYS"], true),
      (["openat:error=EOPNOTSUPP:when=WHEN", "renameat2:error=EINVAL", "link,linkat:error=EPERM"], false),
      (["openat:error=EOPNOTSUPP:when=WHEN", "renameat2:error=EIO"], false),
    ])
  func `file systems that cannot link or rename`(_ faults: [String], _ isPossible: Bool) throws {
    let output = folder.file("out.mp4")
    let strace = try #require(Tool("strace"))
    // Which openat is the one of the unnamed file.
    let trace = try strace.run(["-e", "trace=openat", Tool.kerfless.path, "trim", source, "-o", output])
      .errors
    let opened = trace.split(separator: "\n").filter { $0.hasPrefix("openat(") }
    let number = try #require(opened.firstIndex { $0.contains("O_TMPFILE") }) + 1
    let bytes = try readFile(output)
    try FileManager.default.removeItem(atPath: output)

    let options = faults.flatMap {
      ["-e", "inject=" + $0.replacingOccurrences(of: "WHEN", with: "\(number)")]
    }
    let result = try strace.run(
      ["-o", "/dev/null"] + options + [Tool.kerfless.path, "trim", source, "-o", output])
    if isPossible {
      #expect(result.status == 0, "\(result.errors)")
      #expect(try readFile(output) == bytes)
      #expect(folder.names == ["out.mp4"])
    } else {
      #expect(result.status == (faults.last?.contains("EIO") ?? false ? 74 : 73), "\(result.errors)")
      #expect(folder.names == [])
      if faults.count > 2 { #expect(result.errors.contains("--publish direct")) }
    }
  }

  @Test(.enabled(if: OverlayMount.works, "no overlay file system, or no right to mount one"))
  func `an overlay takes outputs, also over files of the lower layer`() throws {
    let overlay = try #require(OverlayMount(holding: [1], as: "below.mp4"))
    defer { overlay.unmount() }
    try kerfless(["trim", source, "-o", overlay.file("new.mp4")])
    try expectFailure(73, ["trim", source, "-o", overlay.file("below.mp4")])
    try kerfless(["trim", source, "-o", overlay.file("below.mp4"), "--force"])
    try kerfless(["trim", source, "-o", overlay.file("direct.mp4"), "--publish", "direct"])
    try kerfless(["trim", source, "-o", folder.file("here.mp4")])
    let bytes = try readFile(folder.file("here.mp4"))
    for name in ["new.mp4", "below.mp4", "direct.mp4"] {
      #expect(try readFile(overlay.file(name)) == bytes)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: overlay.point).count == 3)
  }

  /// As a batch job runs: nobody's uid, no capabilities, only the output's folder writable.
  @Test(.enabled(if: getuid() == 0 && Tool.exists("setpriv"), "only root can become somebody else"))
  func `somebody without rights`() throws {
    let output = folder.file("out.mp4")
    let nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set=-all"
    let place = try TemporaryFolder()
    // The binary, and the source, where nobody can read them.
    let copies = try shell(
      "chmod 755 '\(place.path)' && cp KERFLESS '\(source)' '\(place.path)' && chmod a+rx '\(place.path)'/*")
    #expect(copies.status == 0)
    let command =
      "env -i \(nobody) '\(place.file("kerfless"))' trim '\(place.file("joc-base.mp4"))' -o '\(output)'"
    let refused = try shell(command)
    #expect(refused.status == 73, "\(refused.errors)")
    #expect(refused.errors.contains("Permission denied"))
    #expect(folder.names == [])
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
    for options in ["", "--force", "--publish direct --force", "--sync file --force"] {
      let made = try shell("\(command) \(options)")
      #expect(made.status == 0, "\(options): \(made.errors)")
    }
    #expect(folder.names == ["out.mp4"])
    // A source that nobody may read.
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: place.file("joc-base.mp4"))
    #expect(try shell(command + " --force").status == 66)
  }

  /// Starts a run that replaces an output, and stops it while it has a temporary file.
  private func stopped(_ arguments: [String], in outputs: TemporaryFolder) throws -> (Tool.Running, Bool) {
    var run: Tool.Running
    var attempts = 0
    repeat {
      _ = try outputs.write([1], as: "out.mp4")
      run = try Tool.kerfless.start(arguments)
      while run.isRunning, !outputs.names.contains(where: { $0.hasPrefix(".kerfless-") }) {}
      run.signal(SIGSTOP)
      // It takes effect when the process is next interrupted.
      usleep(50_000)
      attempts += 1
      // The signal may come too late: then the file has its name already.
      if run.isRunning, outputs.names.contains(where: { $0.hasPrefix(".kerfless-") }) { return (run, true) }
      run.signal(SIGCONT)
      _ = run.wait()
    } while attempts < 50
    return (run, false)
  }

  /// A lock is the file's, not a process number's: a cleaner in another container sees it too.
  @Test(.enabled(if: getuid() == 0 && Tool.exists("unshare"), "only root can make a pid namespace"))
  func `clean leaves the temporary file of a living run alone, also from another pid namespace`() throws {
    let long = folder.file("long.ec3")
    #expect(
      FileManager.default.createFile(
        atPath: long, contents: Data(try Media.bytes("joc51.ec3")) + Data()))
    let stream = try Media.bytes("joc51.ec3")
    let handle = try #require(FileHandle(forWritingAtPath: long))
    for _ in 0..<8000 { try handle.write(contentsOf: stream) }
    try handle.close()
    let outputs = try TemporaryFolder()
    let (run, isStopped) = try stopped(["trim", long, "-o", outputs.file("out.mp4"), "--force"], in: outputs)
    try #require(isStopped, "every run was over before it could be stopped")
    let clean = "'\(Tool.kerfless.path)' clean '\(outputs.path)'"
    #expect(try shell("unshare --pid --fork \(clean)").status == 0)
    #expect(try shell(clean).status == 0)
    #expect(outputs.names.count { $0.hasPrefix(".kerfless-") } == 1)
    run.signal(SIGKILL)
    #expect(run.wait() == 128 + SIGKILL)
    #expect(try shell("unshare --pid --fork \(clean)").status == 0)
    #expect(outputs.names == ["out.mp4"])
    #expect(try readFile(outputs.file("out.mp4")) == [1])
  }
}

/// An overlay file system over folders in memory.
struct OverlayMount {
  private let folder: TemporaryFolder
  let point: String

  static let works: Bool = {
    guard let mount = OverlayMount(holding: [], as: "probe") else { return false }
    mount.unmount()
    return true
  }()

  /// Nil where it cannot be mounted.
  init?(holding bytes: [UInt8], as name: String) {
    guard getuid() == 0, let memory = LoopMount.tmpfs, let mount = Tool("mount"),
      let folder = try? TemporaryFolder(in: memory.path)
    else { return nil }
    self.folder = folder
    point = folder.file("point")
    for part in ["lower", "upper", "work", "point"] {
      guard mkdir(folder.file(part), 0o755) == 0 else { return nil }
    }
    guard FileManager.default.createFile(atPath: folder.file("lower/" + name), contents: Data(bytes)) else {
      return nil
    }
    let layers = ["lower", "upper", "work"].map { "\($0)dir=\(folder.file($0))" }.joined(separator: ",")
    guard (try? mount.run(["-t", "overlay", "overlay", "-o", layers, point]).status) == 0 else { return nil }
  }

  func file(_ name: String) -> String { "\(point)/\(name)" }

  func unmount() {
    umount2(point, Int32(MNT_DETACH))
  }
}
