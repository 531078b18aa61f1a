import Foundation
import Glibc
import TestSupport
import Testing

@testable import SystemIO

/// Sockets as targets: written as streams, neither replaced nor removed.
@Suite struct SocketTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A socket that somebody listens on, bound from inside its folder so that its path may be long.
  private func listen(_ folder: String, _ name: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let place = Glibc.open(folder, O_RDONLY | O_DIRECTORY)
    defer { _ = close(place) }
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: "/proc/self/fd/\(place)/\(name)".utf8)
    }
    let bound = withUnsafeBytes(of: &address) {
      bind(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
    }
    try #require(bound == 0 && Glibc.listen(descriptor, 1) == 0)
    return descriptor
  }

  /// Accepts one stream and reads it to its end, or so many bytes of it.
  private func received(_ listener: Int32, limit: Int = .max) -> [UInt8] {
    let stream = accept(listener, nil, nil)
    defer { _ = close(stream) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < limit, case let count = read(stream, &buffer, buffer.count), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }

  @Test(arguments: [OutputOptions(), .replacing, .direct])
  func `a socket receives the output and stays`(options: OutputOptions) throws {
    let listener = try listen(folder.path, "socket")
    defer { _ = close(listener) }
    let content = distinctBytes(3_000_000)
    let result = Received()
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) { result.bytes = received(listener) }
    do {
      let output = try OutputFile(
        creating: try path(folder.file("socket")), options: options, sources: [])
      try output.write(content)
      try output.publish()
    }
    group.wait()
    #expect(result.bytes == content)
    #expect(OnDisk(folder.file("socket"))?.kind == S_IFSOCK)
    #expect(folder.names == ["socket"])
  }

  @Test func `a socket whose path is longer than an address is written`() throws {
    let long = folder.file(String(repeating: "d", count: 150))
    try FileManager.default.createDirectory(atPath: long, withIntermediateDirectories: false)
    let listener = try listen(long, "socket")
    defer { _ = close(listener) }
    let result = Received()
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) { result.bytes = received(listener) }
    do {
      let output = try OutputFile(creating: try path("\(long)/socket"), options: OutputOptions(), sources: [])
      try output.write([1, 2, 3])
    }
    group.wait()
    #expect(result.bytes == [1, 2, 3])
  }

  @Test func `a socket that nobody listens on is refused and stays`() throws {
    close(try listen(folder.path, "socket"))
    let error = systemError {
      try OutputFile(creating: try path(folder.file("socket")), options: .replacing, sources: [])
    }
    #expect(error?.operation == .createTarget)
    #expect(error?.errno?.code == ECONNREFUSED)
    #expect(folder.names == ["socket"])
  }

  @Test func `a method that streams cannot have is refused before anybody is connected to`() throws {
    let listener = try listen(folder.path, "socket")
    defer { _ = close(listener) }
    try #require(fcntl(listener, F_SETFL, O_NONBLOCK) == 0)
    try makeFIFO(folder.file("fifo"))
    // Opening a FIFO that nobody reads would wait for ever.
    for target in [folder.file("socket"), folder.file("fifo"), "/dev/null"] {
      let error = systemError {
        try OutputFile(creating: try path(target), options: OutputOptions(), sources: [], by: .clone)
      }
      #expect(error?.reason == .cannotMove(.clone, "the output is a stream"), "\(target)")
    }
    #expect(accept(listener, nil, nil) == -1 && errno == EAGAIN)
  }

  @Test func `a listener that goes away is an error of the target`() async throws {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_IGN)
      let tests = try SocketTests()
      let listener = try tests.listen(tests.folder.path, "socket")
      DispatchQueue.global().async { _ = tests.received(listener, limit: 1) }
      let output = try OutputFile(
        creating: try path(tests.folder.file("socket")), options: OutputOptions(), sources: [])
      let error = systemError { try output.write(distinctBytes(30_000_000)) }
      #expect(error?.operation == .writeTarget)
      #expect([EPIPE, ECONNRESET].contains(error?.errno?.code))
    }
  }

  private final class Received: @unchecked Sendable {
    var bytes: [UInt8] = []
  }
}
