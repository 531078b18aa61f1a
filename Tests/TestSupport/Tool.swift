import Foundation

/// Another program, run to its end.
public struct Tool: Sendable {
  /// What a program left behind.
  public struct Output: Sendable {
    /// The exit code; 128 + signal when a signal ended it.
    public let status: Int32
    /// Standard output.
    public let bytes: [UInt8]
    /// Standard error as text.
    public let errors: String
    /// Standard output as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
    /// Standard output as lines.
    public var lines: [String] { text.split(separator: "\n").map(String.init) }
  }

  private let executable: URL

  /// Nil when the program is not on the path.
  public init?(_ name: String) {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let found = folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    guard let found else { return nil }
    executable = found
  }

  /// Nil when there is no program at this path.
  public init?(path: String) {
    guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
    executable = URL(fileURLWithPath: path)
  }

  private init(executable: URL) {
    self.executable = executable
  }

  /// Whether a program is on the path.
  public static func exists(_ name: String) -> Bool { Tool(name) != nil }

  /// The command under test: `KERFLESS_BINARY`, or the one built beside the tests.
  public static let kerfless: Tool = {
    if let named = ProcessInfo.processInfo.environment["KERFLESS_BINARY"] {
      return Tool(executable: URL(fileURLWithPath: named))
    }
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("kerfless")
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isFolder), !isFolder.boolValue {
        return Tool(executable: candidate)
      }
      folder = folder.deletingLastPathComponent()
    }
    let built = Media.own.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent(".build/debug/kerfless")
    return Tool(executable: built)
  }()

  /// The path of the program.
  public var path: String { executable.path }

  /// Runs the program and waits for it.
  @discardableResult
  public func run(
    _ arguments: [String], input: [UInt8]? = nil, folder: String? = nil, environment: [String: String] = [:]
  ) throws -> Output {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = input.map(Self.pipe(holding:)) ?? FileHandle.nullDevice
    try process.run()
    let collected = Collected()
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) {
      collected.errors = errors.fileHandleForReading.readDataToEndOfFile()
    }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    group.wait()
    process.waitUntilExit()
    let status = process.terminationStatus
    return Output(
      status: process.terminationReason == .exit ? status : 128 + status, bytes: [UInt8](bytes),
      errors: String(decoding: collected.errors, as: UTF8.self))
  }

  private static func pipe(holding input: [UInt8]) -> Any {
    let pipe = Pipe()
    let handle = pipe.fileHandleForWriting
    DispatchQueue.global().async {
      try? handle.write(contentsOf: Data(input))
      try? handle.close()
    }
    return pipe
  }

  private final class Collected: @unchecked Sendable {
    var errors = Data()
  }

  /// A program that goes on while the test does.
  public struct Running {
    fileprivate let process: Process

    /// Whether it has not ended yet.
    public var isRunning: Bool { process.isRunning }

    /// KiB of memory of its own, not backed by a file; nil when it has ended.
    public var anonymousKiB: Int? {
      let path = "/proc/\(process.processIdentifier)/status"
      let status = try? String(contentsOfFile: path, encoding: .utf8)
      return status?.firstMatch(of: /RssAnon:\s*(\d+)/).flatMap { Int($0.1) }
    }

    /// Whether it has ended, or does so within ten seconds.
    public func ends() -> Bool {
      for _ in 0..<200 where process.isRunning { Thread.sleep(forTimeInterval: 0.05) }
      return !process.isRunning
    }

    /// Sends a signal.
    public func signal(_ number: Int32) {
      kill(process.processIdentifier, number)
    }

    /// Waits for the end; returns the exit code, or 128 + signal when a signal ended it.
    public func wait() -> Int32 {
      process.waitUntilExit()
      return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }

    /// Whether it writes a file under a folder, or has ended.
    public func hasOpened(under folder: String) -> Bool {
      guard process.isRunning else { return true }
      let descriptors = "/proc/\(process.processIdentifier)/fd"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
      let targets = names.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)")
      }
      return targets.contains { $0.hasPrefix(folder) && !$0.hasSuffix("sparse.mp4") }
    }
  }

  /// Starts the program, its output thrown away unless it is wanted.
  public func start(
    _ arguments: [String], input: FileHandle = .nullDevice, output: FileHandle = .nullDevice,
    errors: FileHandle = .nullDevice
  ) throws -> Running {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    return Running(process: process)
  }
}
